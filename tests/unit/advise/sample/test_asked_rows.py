"""Rows that have asked values."""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pytest

from pycompiler.advise.sample.asked_rows import asked_rows
from pycompiler.values.encoding import encode_value
from pycompiler.values.types import HiveType

BIGINT = HiveType("bigint")


def rows_of(numbers: Sequence[int | None], *asked: int, most: int = 100) -> list[int]:
    values = pa.chunked_array([pa.array(numbers, pa.int64())])
    encoded = [encode_value(BIGINT, value) for value in asked]
    return sorted(asked_rows(BIGINT, values, encoded, most, np.random.default_rng(1)).tolist())


def test_each_row_with_a_value_is_found() -> None:
    assert rows_of([5, None, 7, 5, 9], 5, 9, 11) == [0, 3, 4]
    assert rows_of([None, None], 5) == [] and rows_of([1, 2]) == []


def test_of_a_frequent_value_some_rows_are_taken_and_of_a_rare_one_all() -> None:
    numbers = [1] * 1_000 + [2] * 3 + [1] * 1_000
    found = rows_of(numbers, 1, 2, most=20)
    assert found[-1] > 1_003 and set(found) >= {1_000, 1_001, 1_002} and len(found) == 23
    assert {place // 500 for place in found} == {0, 1, 2, 3}, "from everywhere"


@pytest.mark.parametrize(
    ("hive_type", "values", "asked"),
    [
        (HiveType("int"), pa.array([1, 2], pa.int64()), encode_value(BIGINT, 1 << 62)),
        (HiveType("date"), pa.array([1, 2], pa.int32()), encode_value(BIGINT, 1 << 40)),
        (HiveType("int"), pa.array([1, 2], pa.int64()), b"no number"),
    ],
)
def test_a_value_that_the_type_lacks_is_in_no_row(
    hive_type: HiveType, values: pa.Array, asked: bytes
) -> None:
    found = asked_rows(hive_type, pa.chunked_array([values]), [asked], 9, np.random.default_rng(1))
    assert found.tolist() == []
