"""Cuts the rows of a data file into row groups, and summarizes blocks of a column."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any, Final, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from pycompiler.index.record_rows import key_changes
from pycompiler.index.records import FILES, RANGE

BLOCK_FILES: Final = 16_384
"""Files per block: long columns are cut where a file's ordinal is a multiple of this."""

ROW_GROUP_ROWS: Final = 16_384
"""A row group of ranges holds whole columns up to about this many rows, unless columns are cut."""

FILES_GROUP_ROWS: Final = 4096
"""Files in a row group of kind `FILES`."""

CONTENT_BYTES: Final = 8 << 20
"""A row group of Bloom filters or value sets ends after about this many bytes of content."""


@dataclass(frozen=True, slots=True)
class BlockStatistics:
    """The statistics of all files of a block, as if they were one file; see `ColumnStatistics`."""

    type: str
    lower: bytes | None
    upper: bytes | None
    null_count: int | None
    nan_count: int | None
    value_count: int


class _Run(NamedTuple):
    """The common key of a run of rows; a run is split only if it is too large."""

    kind: str
    column: str
    block: int


def row_groups(rows: Iterable[pa.Table], file_count: int) -> Iterator[pa.Table]:
    """Cuts a stream of rows into row groups of one kind each.

    Args:
        rows: Tables of a data file's schema, sorted by kind, column and file, within and across tables. Where
            one table ends does not affect the groups.
        file_count: Files in the data file.
    """
    pending: list[pa.Table] = []
    pending_rows = 0
    for run, table in _runs(rows, cut=file_count > BLOCK_FILES):
        packed = run.kind == RANGE and file_count <= BLOCK_FILES
        if pending and not (packed and pending_rows + table.num_rows <= ROW_GROUP_ROWS):
            yield pa.concat_tables(pending)
            pending, pending_rows = [], 0
        if packed:
            pending.append(table)
            pending_rows += table.num_rows
        elif run.kind == RANGE:
            yield table
        else:
            yield from _by_content(table)
    if pending:
        yield pa.concat_tables(pending)


def block_statistics(group: pa.Table, files: pa.Table) -> BlockStatistics | None:
    """Sums up a row group of one column and type that has a row for every file from its first to its last.

    None for other groups, because the other rows would not bound the values of a file without a row; and if
    columns are not cut, because those are read whole anyway.
    """
    if files.num_rows <= BLOCK_FILES or group["kind"][0].as_py() != RANGE:
        return None
    ordinals = group["file"]
    complete = ordinals[-1].as_py() - ordinals[0].as_py() + 1 == group.num_rows
    if (
        group["column"][0] != group["column"][-1]
        or not complete
        or pc.count_distinct(group["type"]).as_py() != 1
    ):
        return None
    value_counts = files["value_count"].slice(ordinals[0].as_py(), group.num_rows)
    # A file of NULLs needs no bounds.
    all_null = pc.fill_null(pc.equal(group["null_count"], value_counts), False)
    return BlockStatistics(
        type=group["type"][0].as_py(),
        lower=_bound(group["lower"], all_null, "min"),
        upper=_bound(group["upper"], all_null, "max"),
        null_count=_total(group["null_count"]),
        nan_count=_total(group["nan_count"]),
        value_count=pc.sum(value_counts).as_py(),
    )


def _bound(bounds: pa.ChunkedArray, all_null: pa.ChunkedArray, which: str) -> bytes | None:
    if pc.any(pc.and_(pc.is_null(bounds), pc.invert(all_null))).as_py():
        return None  # One file is unbounded, so the block is.
    found: bytes | None = pc.min_max(bounds)[which].as_py()
    return found


def _total(counts: pa.ChunkedArray) -> int | None:
    total: int | None = pc.sum(counts, skip_nulls=False).as_py()
    return total


def _runs(tables: Iterable[pa.Table], *, cut: bool) -> Iterator[tuple[_Run, pa.Table]]:
    """Regroups the rows into one table per kind and column (and block, if columns are cut)."""
    stretches = (stretch for table in tables for stretch in _stretches(table, cut))
    for run, parts in groupby(stretches, key=itemgetter(0)):
        yield run, pa.concat_tables(part for _, part in parts)


def _stretches(table: pa.Table, cut: bool) -> Iterator[tuple[_Run, pa.Table]]:
    if not table.num_rows:
        return
    blocks = pc.divide(table["file"], BLOCK_FILES if cut else (1 << 31) - 1)
    keys = pa.table([table["kind"], table["column"], blocks], names=_Run._fields)
    starts = _starts(keys)
    first = keys.take(starts)
    for start, end, *key in zip(
        starts, [*starts[1:], table.num_rows], *(column.to_pylist() for column in first.columns), strict=True
    ):
        yield _Run(*key), table.slice(start, end - start)


def _starts(keys: pa.Table) -> list[int]:
    """Positions of the rows whose key differs from the row before, including the first row."""
    positions: list[int] = pc.add(pc.indices_nonzero(key_changes(keys, keys.column_names)), 1).to_pylist()
    return [0, *positions]


def _by_content(table: pa.Table) -> Iterator[pa.Table]:
    lengths: Any = pc.fill_null(pc.binary_length(table["content"]), 0)
    parts = pc.divide(pc.cumulative_sum(pc.cast(lengths, pa.int64())), CONTENT_BYTES)
    starts = _starts(pa.table({"part": parts}))
    for start, end in zip(starts, [*starts[1:], table.num_rows], strict=True):
        yield table.slice(start, end - start)


def files_groups(rows: pa.Table) -> Iterator[pa.Table]:
    """Cuts the rows of kind `FILES`."""
    assert rows.num_rows == 0 or rows["kind"][0].as_py() == FILES
    for start in range(0, rows.num_rows, FILES_GROUP_ROWS):
        yield rows.slice(start, FILES_GROUP_ROWS)
