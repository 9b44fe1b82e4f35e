"""Statistics of a block of files in the manifest hold for each of its files."""

from dataclasses import replace
from unittest import mock

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from pycompiler.compile.expression.evaluator import leaf_keeps
from pycompiler.compile.expression.model import Leaf, Operator
from pycompiler.compile.expression.statistics import ColumnStatistics
from pycompiler.compile.values.encoding import encode_value
from pycompiler.compile.values.types import HiveType
from pycompiler.index import blocks
from pycompiler.index.blocks import BlockStatistics, block_statistics, row_groups
from pycompiler.index.record_rows import file_table, narrow
from pycompiler.index.records import HoodieMetadataRecord, to_table

from .samples import record

BIGINT, DOUBLE = HiveType("bigint"), HiveType("double")
VALUES = st.integers(0, 3)
_SETTINGS = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
COUNTS = st.none() | st.integers(0, 2)


_LEAVES: dict[str, int | None] = {
    **dict.fromkeys(("EQ", "NE", "LT", "LTEQ", "GT", "GTEQ"), 1),
    **dict.fromkeys(("IN", "NOT_IN"), None),
    **dict.fromkeys(("IS_NULL", "IS_NOT_NULL"), 0),
}
"""Operators and how many values they take, None for any number."""


@st.composite
def _files(draw: st.DrawFn) -> list[HoodieMetadataRecord]:
    """Files of one column; bounds and counts are missing here and there, and some files hold NULLs only."""
    hive_type = draw(st.sampled_from([BIGINT, DOUBLE]))
    convert = int if hive_type is BIGINT else float
    records = []
    for number in range(draw(st.integers(3, 9))):
        rows = draw(st.integers(0, 2))
        base = replace(record("c", f"f{number}"), type=hive_type, value_count=rows, lower=None, upper=None)
        nans = draw(st.sampled_from([0, None])) if hive_type is DOUBLE else None
        if draw(st.integers(0, 3)) == 0:
            records.append(replace(base, null_count=rows, nan_count=nans))
            continue
        ends = sorted((draw(VALUES), draw(VALUES)))
        lower, upper = (
            encode_value(hive_type, convert(end)) if draw(st.integers(0, 5)) else None for end in ends
        )
        nulls = draw(COUNTS)
        nulls = None if nulls is None else min(nulls, rows)
        records.append(replace(base, lower=lower, upper=upper, null_count=nulls, nan_count=nans))
    return records


def _groups(
    records: list[HoodieMetadataRecord], block_files: int
) -> list[tuple[pa.Table, BlockStatistics | None]]:
    table = to_table(records)
    files = file_table(table)
    with mock.patch.object(blocks, "BLOCK_FILES", block_files):
        return [
            (group, block_statistics(group, files))
            for group in row_groups(narrow([table], files), files.num_rows)
        ]


@_SETTINGS
@given(
    records=_files(),
    operator=st.sampled_from([operator for operator in Operator if operator.name in _LEAVES]),
    values=st.lists(VALUES, min_size=1, max_size=3, unique=True),
)
def test_a_leaf_that_skips_a_block_skips_each_of_its_files(
    records: list[HoodieMetadataRecord], operator: Operator, values: list[int]
) -> None:
    hive_type = records[0].type
    encoded = sorted(
        encode_value(hive_type, value if hive_type is BIGINT else float(value)) for value in values
    )
    count = _LEAVES[operator.name]
    leaf = Leaf(operator, "c", hive_type, tuple(encoded[: len(encoded) if count is None else count]))
    for group, block in _groups(records, 2):
        assert block is not None, "every file has a row of the same type"
        known = ColumnStatistics(
            hive_type, block.lower, block.upper, block.null_count, block.value_count, block.nan_count
        )
        if leaf_keeps(leaf, {"c": known}):
            continue
        event("a block is skipped")
        for ordinal in group["file"].to_pylist():
            assert not leaf_keeps(leaf, {"c": records[ordinal].statistics()}), (
                f"{leaf} skips {known}, and keeps {records[ordinal]}"
            )


@_SETTINGS
@given(records=_files())
def test_a_block_has_the_least_and_the_greatest_bound_of_its_files(
    records: list[HoodieMetadataRecord],
) -> None:
    for group, block in _groups(records, 2):
        of_block = [records[ordinal] for ordinal in group["file"].to_pylist()]
        with_values = [item for item in of_block if item.lower is not None or not item.statistics().all_null]
        lowers = [item.lower for item in with_values]
        assert block is not None
        known = [lower for lower in lowers if lower is not None]
        assert block.lower == (min(known) if known and len(known) == len(lowers) else None)
        assert block.value_count == sum(item.value_count for item in of_block)


def test_missing_rows_and_mixed_types_leave_no_block() -> None:
    complete = [record("c", f"f{number}") for number in range(6)]
    others = [record("d", f"f{number}") for number in range(6)]
    assert all(block is not None for _, block in _groups([*complete, *others], 3))
    hole = _groups([*complete[:1], *complete[2:], *others], 3)
    assert [block is None for _, block in hole] == [True, False, False, False]
    mixed = [replace(complete[4], type=HiveType("int")) if item is complete[4] else item for item in complete]
    assert [block is None for _, block in _groups(mixed, 3)] == [False, True]


@pytest.mark.parametrize("kind", ["bloom", "values", "of the future"])
def test_contents_are_cut_by_column_block_and_size(kind: str) -> None:
    records = [
        replace(record(column, f"f{number}"), kind=kind, content=b"x" * 40)
        for column in ("c", "d")
        for number in range(6)
    ]
    with mock.patch.object(blocks, "CONTENT_BYTES", 100):
        found = [
            (group["column"][0].as_py(), group["file"].to_pylist(), block)
            for group, block in _groups(records, 4)
        ]
    assert found == [(column, files, None) for column in ("c", "d") for files in ([0, 1], [2, 3], [4, 5])], (
        "a group ends with its column, with its block, and when it has so many bytes"
    )
