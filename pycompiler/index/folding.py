"""Folds the data files of an index into fewer ones."""

from collections.abc import Collection, Iterator, Sequence
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from pycompiler.index.data_file import DataFileReader, write_data_file
from pycompiler.index.file_systems.interface import IndexStorage
from pycompiler.index.manifest import DataFile
from pycompiler.index.record_rows import SCHEMA, key_changes, paths
from pycompiler.index.records import FILE_SCHEMA, FILES, GONE_SIZE

MAX_DATA_FILES: Final = 8
"""Beyond this, data files are folded: each costs a reader an open and a footer."""

_GROWTH: Final = 4
_PATH: Final = ("partition", "file_name")
_SOURCE: Final = "source"
_OLD: Final = "old"
_NEW: Final = "new"


def files_to_fold(data_files: Sequence[DataFile]) -> int:
    """How many of the last data files to fold into one; 0 if there are few enough.

    A file is folded only if it has at most four times the rows of all later files, so that a large file is
    not rewritten for every small commit.
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
    storage: IndexStorage,
    data_files: Sequence[DataFile],
    live_paths: Collection[str] | None,
    *,
    keep_marks: bool = False,
) -> DataFile | None:
    """Folds several data files into one.

    Holds in memory all file names, the rows of one column, and one row group per data file. Of rows with the
    same kind, column and file, the last one wins. Files whose last entry marks them as gone lose their rows.

    Args:
        storage: The index directory.
        data_files: In the manifest's order.
        live_paths: Paths, relative to the table, of the files to keep; None keeps all.
        keep_marks: Whether earlier data files may contain the marked files, so that the marks must stay.

    Returns:
        The new file; None if no file is left.
    """
    live = None if live_paths is None else pa.array(sorted(live_paths), pa.string())
    readers = [DataFileReader(storage, data_file) for data_file in data_files]
    files, renumbered = _merge_files([reader.files() for reader in readers], live, keep_marks)
    return write_data_file(storage, files, _merge_rows(readers, renumbered))


def _merge_files(
    tables: Sequence[pa.Table], live: pa.Array | None, keep_marks: bool
) -> tuple[pa.Table, list[pa.Array]]:
    """Merges tables of files; of several entries for the same file, the last one wins.

    Returns:
        The merged table, and for each input table the new ordinals of its files. A file gets no ordinal if it
        is not live, is marked as gone, or if its last entry has another size or number of rows: earlier
        records do not describe the current file.
    """
    together = pa.concat_tables(
        table.append_column(_SOURCE, pa.repeat(pa.scalar(number, pa.int32()), table.num_rows)).append_column(
            _OLD, pa.array(range(table.num_rows), pa.int32())
        )
        for number, table in enumerate(tables)
    )
    together = together.sort_by([(name, "ascending") for name in (*_PATH, _SOURCE)]).combine_chunks()
    together = _kept(together, live, keep_marks).combine_chunks()
    if not together.num_rows:
        return FILE_SCHEMA.empty_table(), [pa.nulls(table.num_rows, pa.int32()) for table in tables]
    ends = _last_of_each(together, _PATH)
    merged = together.filter(ends).select(FILE_SCHEMA.names)
    ordinals = _ordinals(ends)
    last = merged.take(ordinals)
    holds = pc.and_(*(pc.equal(last[name], together[name]) for name in ("file_size", "value_count")))
    together = together.append_column(_NEW, pc.if_else(holds, ordinals, pa.scalar(None, pa.int32())))
    renumbered = []
    for number, table in enumerate(tables):
        entries = together.filter(pc.equal(together[_SOURCE], number))
        found = pc.index_in(pa.array(range(table.num_rows), pa.int32()), value_set=entries[_OLD])
        renumbered.append(entries[_NEW].take(found).combine_chunks())
    return merged.cast(FILE_SCHEMA), renumbered


def _kept(together: pa.Table, live: pa.Array | None, keep_marks: bool) -> pa.Table:
    """The entries of unmarked files that are live (if that is known), and the marks if they stay."""
    if not together.num_rows:
        return together
    ends = _last_of_each(together, _PATH)
    is_marked = pc.equal(together.filter(ends)["file_size"].take(_ordinals(ends)), GONE_SIZE)
    kept = pc.invert(is_marked)
    if live is not None:
        kept = pc.and_(kept, pc.is_in(paths(together), value_set=live))
    if keep_marks:
        kept = pc.or_(kept, pc.and_(is_marked, ends))
    return together.filter(kept)


def _ordinals(ends: pa.Array) -> pa.Array:
    """For each entry of a sorted table, its file's ordinal: the number of files that end before it."""
    return pc.subtract(pc.cumulative_sum(pc.cast(ends, pa.int32())), pc.cast(ends, pa.int32()))


def _merge_rows(readers: Sequence[DataFileReader], renumbered: Sequence[pa.Array]) -> Iterator[pa.Table]:
    """The rows of all data files in order, a window of whole columns at a time."""
    kinds = {group.kind for reader in readers for group in reader.data_file.row_groups} - {FILES}
    for kind in sorted(kinds):
        streams = [
            _ColumnStream(reader.rows([kind]), ordinals)
            for reader, ordinals in zip(readers, renumbered, strict=True)
        ]
        while any(stream.filled() for stream in streams):
            # Each stream is complete up to its own last column; the least of these is complete in all.
            bounds = [bound for stream in streams if (bound := stream.complete_through()) is not None]
            bound = min(bounds) if bounds else None
            parts = []
            for number, stream in enumerate(streams):
                part = stream.take(bound)
                if part.num_rows:
                    parts.append(
                        part.append_column(_SOURCE, pa.repeat(pa.scalar(number, pa.int32()), part.num_rows))
                    )
            if parts:
                table = pa.concat_tables(parts).sort_by(
                    [(name, "ascending") for name in ("column", "file", _SOURCE)]
                )
                yield table.filter(_last_of_each(table, ("column", "file"))).drop_columns([_SOURCE])
            else:
                next(stream for stream in streams if stream.complete_through() == bound).extend()


def _last_of_each(table: pa.Table, key: Sequence[str]) -> pa.Array:
    """For each row of a sorted table, whether the next one has another key."""
    return pa.concat_arrays([key_changes(table, key), pa.array([True])])


class _ColumnStream:
    """The rows of one kind in a data file, in order and with new ordinals, taken by column."""

    def __init__(self, groups: Iterator[pa.Table], ordinals: pa.Array) -> None:
        self._groups = groups
        self._ordinals = ordinals
        self._table: pa.Table = SCHEMA.empty_table()
        self._ended = False

    def filled(self) -> bool:
        """Whether rows are left; reads on if none are in memory."""
        while not self._ended and not self._table.num_rows:
            self.extend()
        return bool(self._table.num_rows)

    def extend(self) -> None:
        """Reads one more row group."""
        group = next(self._groups, None)
        if group is None:
            self._ended = True
            return
        position = SCHEMA.get_field_index("file")
        renumbered = group.set_column(position, SCHEMA.field(position), self._ordinals.take(group["file"]))
        kept = renumbered.filter(pc.is_valid(renumbered["file"]))
        self._table = pa.concat_tables([self._table, kept])

    def complete_through(self) -> str | None:
        """The column up to which (exclusive) all rows are in memory; None at the end."""
        if self._ended or not self.filled():
            return None
        last: str = self._table["column"][-1].as_py()
        return last

    def take(self, bound: str | None) -> pa.Table:
        """Removes and returns the rows of columns below the bound (None: all that are left)."""
        if bound is None:
            taken, self._table = self._table, SCHEMA.empty_table()
            return taken
        below = pc.less(self._table["column"], bound)
        taken, self._table = self._table.filter(below), self._table.filter(pc.invert(below))
        return taken
