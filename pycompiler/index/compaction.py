"""Folding the data files of an index into fewer ones."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from pycompiler.index.data_file import read_data_file, write_data_file
from pycompiler.index.manifest import DataFile
from pycompiler.index.records import KEY_COLUMNS, SCHEMA
from pycompiler.index.storage import IndexStorage

MAX_DATA_FILES: Final = 8
"""More data files than this are folded: each costs a reader an open and a footer."""

_GROWTH: Final = 4
_ORDINAL: Final = "ordinal"


def files_to_fold(data_files: Sequence[DataFile]) -> int:
    """Tells how many of the last data files to fold into one; 0 if there are few enough.

    A file is folded only if it has at most four times the rows of all that come after it, so that a large one
    is not rewritten for every small commit.
    """
    if len(data_files) <= MAX_DATA_FILES:
        return 0
    count, rows = 1, data_files[-1].rows
    for data_file in reversed(data_files[:-1]):
        if data_file.rows > _GROWTH * rows and count > 1:
            break
        count += 1
        rows += data_file.rows
    return count


def fold(
    storage: IndexStorage, data_files: Sequence[DataFile], live_paths: Collection[str] | None
) -> DataFile | None:
    """Writes one data file with the rows of several.

    Memory is that of the rows of one column and of one row group of each file. Of rows with the same key the
    last one stays.

    Args:
        storage: The index directory.
        data_files: In the manifest's order.
        live_paths: Paths, relative to the table, of the files whose rows to keep; None keeps all.

    Returns:
        The new file, or None if no row is left.

    Raises:
        IndexDamagedError: A data file isn't whole.
    """
    live = None if live_paths is None else pa.array(sorted(live_paths), pa.string())
    return write_data_file(storage, _merged(storage, data_files, live))


def _merged(
    storage: IndexStorage, data_files: Sequence[DataFile], live: pa.Array | None
) -> Iterator[pa.Table]:
    """Rows of all files in key order, a window of whole columns at a time."""
    streams = [_ColumnStream(storage, data_file) for data_file in data_files]
    while any(stream.filled() for stream in streams):
        # Every stream has all of its rows up to its own last complete column; the least of these is safe.
        bounds = [bound for stream in streams if (bound := stream.complete_through()) is not None]
        bound = min(bounds) if bounds else None
        parts = []
        for ordinal, stream in enumerate(streams):
            part = stream.take(bound)
            if part.num_rows:
                parts.append(
                    part.append_column(_ORDINAL, pa.repeat(pa.scalar(ordinal, pa.int32()), part.num_rows))
                )
        if parts:
            yield _alive(_last_of_each(pa.concat_tables(parts)), live)
        else:
            next(stream for stream in streams if stream.complete_through() == bound).extend()


def _last_of_each(table: pa.Table) -> pa.Table:
    """Sorts by key; of rows with the same key keeps that of the last file."""
    table = table.sort_by([(name, "ascending") for name in (*KEY_COLUMNS, _ORDINAL)]).combine_chunks()
    if table.num_rows > 1:
        changed = None
        for name in KEY_COLUMNS:
            column = table[name].chunk(0)
            differs = pc.not_equal(column[1:], column[:-1])
            changed = differs if changed is None else pc.or_(changed, differs)
        table = table.filter(pa.concat_arrays([changed, pa.array([True])]))
    return table.drop_columns([_ORDINAL]).cast(SCHEMA)


def _alive(table: pa.Table, live: pa.Array | None) -> pa.Table:
    if live is None:
        return table
    joined = pc.binary_join_element_wise(table["partition"], table["file_name"], "/")
    paths = pc.if_else(pc.equal(table["partition"], ""), table["file_name"], joined)
    return table.filter(pc.is_in(paths, value_set=live))


class _ColumnStream:
    """The rows of a data file in order, taken up to a column at a time."""

    def __init__(self, storage: IndexStorage, data_file: DataFile) -> None:
        self._groups = read_data_file(storage, data_file)
        self._table: pa.Table = SCHEMA.empty_table()
        self._ended = False

    def filled(self) -> bool:
        """Tells whether there are rows left; reads on if none are in memory."""
        while not self._ended and not self._table.num_rows:
            self.extend()
        return bool(self._table.num_rows)

    def extend(self) -> None:
        """Reads one row group more."""
        group = next(self._groups, None)
        if group is None:
            self._ended = True
        else:
            self._table = pa.concat_tables([self._table, group])

    def complete_through(self) -> str | None:
        """The column up to which (exclusive) all rows are in memory; None if that is the end."""
        if self._ended or not self.filled():
            return None
        last: str = self._table["column"][-1].as_py()
        return last

    def take(self, bound: str | None) -> pa.Table:
        """Removes and gives the rows of columns below the bound (None: all that are left)."""
        if bound is None:
            taken, self._table = self._table, SCHEMA.empty_table()
            return taken
        below = pc.less(self._table["column"], bound)
        taken, self._table = self._table.filter(below), self._table.filter(pc.invert(below))
        return taken
