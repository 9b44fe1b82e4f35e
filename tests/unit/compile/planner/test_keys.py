import math
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pycompiler.compile.planner.keys import (
    AFTER_ALL,
    MAX_KEY_BYTES,
    EncodedValue,
    KeyLayout,
    ended,
    key_columns,
)
from pycompiler.compile.values.encoding import encode_value
from pycompiler.compile.values.types import HiveType

from .partitionings import POOLS

PROPERTY = settings(max_examples=200)
TYPES = [HiveType.parse(name) for name in POOLS]


def layout(*types: str) -> KeyLayout:
    return KeyLayout(key_columns((f"P{n}", HiveType.parse(name)) for n, name in enumerate(types)))


def encoded(hive_type: HiveType, value: Any) -> EncodedValue:
    return None if value is None else encode_value(hive_type, value)


@st.composite
def _tuples(draw: st.DrawFn) -> tuple[KeyLayout, list[tuple[EncodedValue, ...]]]:
    types = draw(st.lists(st.sampled_from(TYPES), min_size=1, max_size=3))
    values = [st.none() | st.sampled_from(POOLS[str(hive_type)]) for hive_type in types]
    drawn = draw(st.lists(st.tuples(*values), min_size=2, max_size=8))
    rows = [
        tuple(encoded(hive_type, value) for hive_type, value in zip(types, row, strict=True)) for row in drawn
    ]
    return layout(*map(str, types)), rows


def order(values: tuple[EncodedValue, ...]) -> list[tuple[bool, bytes]]:
    """NULL first, then values; the encoding of values has their order."""
    return [(value is not None, value or b"") for value in values]


@PROPERTY
@given(_tuples())
def test_keys_have_the_order_of_their_values(drawn: tuple[KeyLayout, list[tuple[EncodedValue, ...]]]) -> None:
    keys, rows = drawn
    for first, second in product(rows, rows):
        assert (keys.key(first) < keys.key(second)) == (order(first) < order(second)), (first, second)
        assert (keys.key(first) == keys.key(second)) == (first == second)
        assert keys.key(first) < AFTER_ALL


@PROPERTY
@given(_tuples())
def test_each_value_is_found_by_its_place(drawn: tuple[KeyLayout, list[tuple[EncodedValue, ...]]]) -> None:
    keys, rows = drawn
    for row in rows:
        key = keys.key(row)
        assert tuple(keys.value(key, column) for column in range(len(row))) == row


@PROPERTY
@given(_tuples(), st.integers(0, 3))
def test_keys_begin_with_the_prefix_of_some_values_if_they_have_them(
    drawn: tuple[KeyLayout, list[tuple[EncodedValue, ...]]], length: int
) -> None:
    keys, rows = drawn
    for first, second in product(rows, rows):
        begins = keys.key(first).startswith(keys.prefix(second[:length]))
        assert begins == (first[:length] == second[:length])


def test_a_key_byte_by_byte() -> None:
    of = layout("int", "string", "string")
    key = of.key((encode_value(HiveType("int"), 2013), b"J\0K", None))
    parts = [
        (b"\2\x80\0\0\0\0\0\7\xdd", "2013: of fixed width"),
        (b"\2J\0\xffK\0\1", "'J\\0K': a zero is escaped, and 00 01 is the end"),
        (b"\1", "NULL"),
        (b"\0\0\0\x09\0\x10", "where the values begin: at 0, 9 and 16"),
    ]
    assert key == b"".join(part for part, _ in parts)
    lines = [f"{part.hex(' ')}  {meaning}" for part, meaning in parts]
    print("\n".join(lines))
    page = (Path(__file__).parents[4] / "docs/inside/formats.md").read_text()
    assert "\n".join(lines) in page


def test_what_has_no_place_in_the_order_has_no_key() -> None:
    with pytest.raises(ValueError, match="NaN in partition column p0 cannot be part of a key"):
        layout("double").key([encode_value(HiveType("double"), math.nan)])
    with pytest.raises(ValueError, match="not an encoded int in p0: 00"):
        layout("int").key([b"\0"])
    with pytest.raises(ValueError, match=f"a key of .* bytes exceeds the limit of {MAX_KEY_BYTES}"):
        layout("string").key([b"a" * MAX_KEY_BYTES])
    with pytest.raises(ValueError, match="1 values for 2 partition columns"):
        layout("int", "int").key([None])


def test_the_longest_key_still_tells_its_values() -> None:
    of = layout("string", "string")
    long = b"a" * (MAX_KEY_BYTES - len(of.key((b"", b"b"))))
    key = of.key((long, b"b"))
    assert len(key) == MAX_KEY_BYTES
    assert (of.value(key, 0), of.value(key, 1)) == (long, b"b")


def test_bytes_of_a_type_without_an_order_of_its_own_are_kept() -> None:
    of = layout("binary", "int")
    key = of.key((b"\0\xff", None))
    assert (of.value(key, 0), of.value(key, 1)) == (b"\0\xff", None)


def test_no_name_in_a_row_key_begins_another() -> None:
    """Rows of tables whose names begin alike, or have zeros, do not mix."""
    names = [b"t", b"t\0", b"t\0\1", b"t\0\1t", b"t\0\xff", b"t\1", b"t2", b"tt", b"t\xff"]
    for first, second in product(names, names):
        assert ended(second).startswith(ended(first)) == (first == second)
        assert (ended(first) < ended(second)) == (first < second)


def test_a_layout_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="duplicate partition column"):
        KeyLayout(key_columns([("day", HiveType("date")), ("Day", HiveType("int"))]))
    with pytest.raises(ValueError, match="256 partition columns"):
        layout(*["int"] * 256)
