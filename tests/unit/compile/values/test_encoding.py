import math
from datetime import date, datetime, timezone
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pycompiler.compile.values.encoding import (
    MAX_BOUND_BYTES,
    decode_value,
    encode_value,
    is_encoded,
    prefix_successor,
    truncate_lower,
    truncate_upper,
)
from pycompiler.compile.values.types import HiveType

PROPERTY = settings(max_examples=150)
INT64 = st.integers(-(2**63), 2**63 - 1)
DECIMALS = st.builds(
    lambda unscaled, scale: Decimal(unscaled).scaleb(-scale),
    st.integers(-(10**27), 10**27),
    st.integers(0, 27),
)
TEXTS = st.text(st.sampled_from("\x00 az\x7f\x80é\u07ff\ud7ff\ue000\uffff\U00010000\U0001f600\U0010ffff"))
VALUES = {
    "boolean": st.booleans(),
    "bigint": INT64,
    "double": st.floats(allow_nan=False),
    "decimal(38,18)": DECIMALS,
    "string": TEXTS | st.text(),
    "date": INT64,
    "timestamp": INT64,
}


def utf8_order(value: Any) -> Any:
    """Code points, which is the order of UTF-8 bytes, and not that of UTF-16."""
    return [ord(character) for character in value] if isinstance(value, str) else value


@pytest.mark.parametrize("name", VALUES)
def test_bytes_are_ordered_as_values_are(name: str) -> None:
    hive_type = HiveType.parse(name)

    @PROPERTY
    @given(VALUES[name], VALUES[name])
    def check(left: Any, right: Any) -> None:
        left_bytes, right_bytes = encode_value(hive_type, left), encode_value(hive_type, right)
        left, right = utf8_order(left), utf8_order(right)
        assert (left_bytes < right_bytes, left_bytes == right_bytes) == (left < right, left == right)

    check()


@pytest.mark.parametrize("name", VALUES)
def test_values_are_decoded(name: str) -> None:
    hive_type = HiveType.parse(name)

    @PROPERTY
    @given(VALUES[name])
    def check(value: Any) -> None:
        encoded = encode_value(hive_type, value)
        assert is_encoded(hive_type, encoded)
        assert encode_value(hive_type, decode_value(hive_type, encoded)) == encoded

    check()


def test_nan_is_above_every_number_and_minus_zero_is_zero() -> None:
    double = HiveType.parse("double")
    assert encode_value(double, math.nan) > encode_value(double, math.inf)
    assert encode_value(double, -math.nan) == encode_value(double, math.nan)
    assert encode_value(double, -0.0) == encode_value(double, 0.0)


def test_dates_and_timestamps_may_be_python_objects_or_counts() -> None:
    assert encode_value(HiveType.parse("date"), date(1969, 12, 31)) == encode_value(
        HiveType.parse("date"), -1
    )
    timestamp = HiveType.parse("timestamp")
    assert encode_value(timestamp, datetime(1969, 12, 31, 23, 59, 59, 999999)) == encode_value(timestamp, -1)


def test_dates_beyond_pythons_range_are_decoded_as_counts() -> None:
    assert decode_value(HiveType.parse("date"), encode_value(HiveType.parse("date"), 10**9)) == 10**9
    micros = 10**18
    assert (
        decode_value(HiveType.parse("timestamp"), encode_value(HiveType.parse("timestamp"), micros)) == micros
    )


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("int", True),
        ("int", 1.0),
        ("boolean", 1),
        ("double", 1),
        ("decimal(5,1)", 1.5),
        ("string", 5),
        ("date", datetime(2020, 1, 1)),
        ("timestamp", date(2020, 1, 1)),
        ("timestamp", datetime(2020, 1, 1, tzinfo=timezone.utc)),
    ],
)
def test_a_value_of_another_python_type_is_refused(name: str, value: Any) -> None:
    with pytest.raises(TypeError):
        encode_value(HiveType.parse(name), value)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("bigint", 2**63),
        ("date", -(2**63) - 1),
        ("decimal(5,1)", Decimal("NaN")),
        ("decimal(5,1)", Decimal("Infinity")),
        ("binary", b"a"),
        ("array<int>", 1),
    ],
)
def test_a_value_outside_the_encoding_is_refused(name: str, value: Any) -> None:
    with pytest.raises(ValueError, match=r"."):
        encode_value(HiveType.parse(name), value)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("int", "00"),
        ("boolean", "02"),
        ("decimal(5,1)", "03"),
        ("decimal(5,1)", "0280000001"),
        ("binary", ""),
    ],
)
def test_invalid_bytes_are_not_decoded(name: str, data: str) -> None:
    hive_type = HiveType.parse(name)
    assert not is_encoded(hive_type, bytes.fromhex(data))
    with pytest.raises(ValueError, match="not an encoded value"):
        decode_value(hive_type, bytes.fromhex(data))


@PROPERTY
@given(st.binary(max_size=80), st.binary(max_size=20))
@example(b"\xff" * 64, b"\xff")
@example(b"a" * 63 + b"\xff", b"")
@example(b"a" * 63 + b"\xff", b"\x00")
def test_cut_bounds_are_still_bounds(head: bytes, tail: bytes) -> None:
    value = head + tail
    lower, upper = truncate_lower(value), truncate_upper(value)
    assert lower <= value
    assert len(lower) <= MAX_BOUND_BYTES
    assert upper is None or (upper >= value and len(upper) <= MAX_BOUND_BYTES)


@PROPERTY
@given(st.binary(max_size=4), st.binary(max_size=4), st.binary(max_size=4))
@example(b"a\xff", b"\xff\xff", b"b")
def test_the_successor_is_the_least_upper_bound_of_a_prefix(prefix: bytes, tail: bytes, other: bytes) -> None:
    successor = prefix_successor(prefix)
    assert successor is None or prefix + tail < successor
    if prefix < other and not other.startswith(prefix):
        assert successor is not None
        assert successor <= other
