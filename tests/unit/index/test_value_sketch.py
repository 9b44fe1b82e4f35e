"""Counts of distinct values: their error, in one file and in several together."""

import math
import random
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pycompiler.index.value_sketch import SketchLibraryMissingError, serialize_sketch
from tests.sketches import distinct_values

STANDARD_ERROR = math.log(2) / math.sqrt(2**10)
"""Of a union, by the documentation of the library."""


def _files(seed: int, values: int, files: int, copies: int) -> list[list[bytes]]:
    """Random values, each in up to `copies` files."""
    numbers = random.Random(seed)
    found: list[set[bytes]] = [set() for _ in range(files)]
    for value in {numbers.randbytes(8) for _ in range(values)}:
        for _ in range(copies):
            numbers.choice(found).add(value)
    return [sorted(file) for file in found]


@settings(max_examples=30, deadline=None)
@given(
    st.integers(0, 2**32),
    st.one_of(st.integers(0, 50), st.integers(0, 20_000)),
    st.integers(1, 20),
    st.integers(1, 3),
)
def test_values_that_files_share_are_counted_once(seed: int, values: int, files: int, copies: int) -> None:
    written = _files(seed, values, files, copies)
    counted = distinct_values(map(serialize_sketch, written))
    true = len(set().union(*written))
    assert abs(counted - true) <= 6 * STANDARD_ERROR * true, "six standard errors"


def test_the_standard_error_of_a_union_is_as_documented() -> None:
    trials, values = 150, 3_000
    errors = [
        distinct_values(map(serialize_sketch, _files(seed, values, 3, 2))) / values - 1
        for seed in range(trials)
    ]
    assert math.sqrt(sum(error**2 for error in errors) / trials) < 1.2 * STANDARD_ERROR
    assert abs(sum(errors) / trials) < STANDARD_ERROR / 3, "no bias"


def test_a_sketch_of_any_number_of_values_is_small() -> None:
    numbers = random.Random(1)
    for count in (1, 100, 10_000, 100_000):
        assert len(serialize_sketch(sorted(numbers.randbytes(8) for _ in range(count)))) < 700


def test_without_the_library_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "datasketches", None)
    with pytest.raises(SketchLibraryMissingError, match=r"pip install 'hudi-skip\[spark\]'"):
        serialize_sketch([b"a"])
