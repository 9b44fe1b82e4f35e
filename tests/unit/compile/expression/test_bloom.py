"""Bloom filters: no false negatives, the promised false positives, and bytes that are refused."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pycompiler.compile.expression.bloom import BloomFilter

ONE_VALUE = BloomFilter.of([b"a"], 0.01).data


@given(st.lists(st.binary(max_size=80)), st.floats(0.0001, 0.5))
def test_every_value_that_was_put_in_may_be_contained(values: list[bytes], fpp: float) -> None:
    read_back = BloomFilter(BloomFilter.of(values, fpp).data)
    assert all(read_back.might_contain(value) for value in values)


@pytest.mark.parametrize("fpp", [0.1, 0.01])
def test_other_values_are_thought_to_be_contained_about_as_often_as_asked(fpp: float) -> None:
    numbers = random.Random(7)
    bloom = BloomFilter.of((numbers.randbytes(8) for _ in range(2000)), fpp)
    others = 20_000
    wrong = sum(bloom.might_contain(numbers.randbytes(9)) for _ in range(others))
    assert fpp / 2 < wrong / others < fpp * 1.5


def test_the_filter_of_no_values_contains_none() -> None:
    assert not BloomFilter.of([], 0.01).might_contain(b"")
    assert not BloomFilter.of([], 0.01).might_contain(b"a")


def test_equal_sets_have_equal_bytes() -> None:
    assert BloomFilter.of([b"a", b"b"], 0.01) == BloomFilter.of([b"b", b"a", b"b"], 0.01)


@pytest.mark.parametrize("fpp", [0.0, 1.0, -0.5])
def test_a_probability_that_is_none_is_refused(fpp: float) -> None:
    with pytest.raises(ValueError, match="probability"):
        BloomFilter.of([b"a"], fpp)


@pytest.mark.parametrize(
    ("what", "data"),
    [
        ("no bytes", b""),
        ("a cut header", ONE_VALUE[:23]),
        ("a cut bit array", ONE_VALUE[:-1]),
        ("another preamble", b"\x05" + ONE_VALUE[1:]),
        ("another serial version", ONE_VALUE[:1] + b"\x02" + ONE_VALUE[2:]),
        ("another sketch", ONE_VALUE[:2] + b"\x07" + ONE_VALUE[3:]),
        ("no hashes", ONE_VALUE[:4] + b"\x00\x00" + ONE_VALUE[6:]),
        ("no bits", ONE_VALUE[:16] + bytes(4) + ONE_VALUE[20:]),
        ("a negative number of bits", ONE_VALUE[:16] + b"\xff" * 4 + ONE_VALUE[20:]),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_bytes_that_are_no_filter_are_refused(what: str, data: bytes) -> None:
    with pytest.raises(ValueError, match="Bloom filter"):
        BloomFilter(data)
        pytest.fail(f"should be refused: {what}")
