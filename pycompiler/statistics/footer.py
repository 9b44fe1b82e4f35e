"""From Parquet footers to the records of base files, and of log files, whose records are made Parquet first.

Pages are read for the columns only that are to have more than a range.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from pycompiler.expression.model import COLUMN_SEPARATOR, subject_of
from pycompiler.index.options import IndexOptions
from pycompiler.index.records import (
    FILE_SCHEMA,
    FILES,
    RANGE,
    RECORD_SCHEMA,
    HoodieMetadataRecord,
    IndexedFile,
    WriteStatus,
    file_rows,
    from_table,
    to_table,
)
from pycompiler.index.storage.factory import open_source
from pycompiler.log_files.errors import LogUnreadableError
from pycompiler.log_files.reader import opened_log
from pycompiler.statistics.bounds import RawStatistic, RowGroups, file_bounds
from pycompiler.statistics.errors import FooterError
from pycompiler.statistics.indexed_columns import IndexedColumnFinder, IndexedColumns
from pycompiler.statistics.pages import PageRows, PageValues, read_rows, read_values
from pycompiler.statistics.partition_values import path_records
from pycompiler.statistics.provenance import OWN_FILES, Provenance, provenance
from pycompiler.statistics.table_columns import UNKNOWN_TABLE, TableColumns

_ALL_COLUMNS: Final = IndexOptions()

Unread: TypeAlias = Callable[[str, str], None]
"""Is told the path of a log file that has no statistics, and why."""


def unread_is_unsaid(path: str, reason: str) -> None:
    """Tells nobody."""


class FooterReader:
    """Reads footers of base files and rows of log files, and makes the records of many files at once.

    Args:
        options: Which columns get records, and of what kinds.
        table: What is known of the table's columns.
        unread: Told of log files of which nothing can be said.
    """

    def __init__(
        self,
        options: IndexOptions = _ALL_COLUMNS,
        table: TableColumns = UNKNOWN_TABLE,
        unread: Unread = unread_is_unsaid,
    ) -> None:
        self._options = options
        self._table = table
        self._unread = unread
        # What a file has of such a column may be what Hudi lost or mixed up: its path counts.
        self._finder = IndexedColumnFinder(options.without(table.in_paths.names))
        self._clear()

    def _clear(self) -> None:
        self._files: list[IndexedFile] = []
        self._ranges: dict[tuple[IndexedColumns, Provenance], _Gathered] = {}
        self._single: list[HoodieMetadataRecord] = []
        self._rows = 0

    @property
    def rows(self) -> int:
        """How many rows there are to take."""
        return self._rows

    def add(self, status: WriteStatus) -> None:
        """Opens a file and reads what its records are made of.

        The size is that of the file as it is opened, whatever the write status says. A log file of which
        nothing can be said has no records: no reader skips it then.

        Raises:
            FileNotFoundError: The file is gone, as after a clean.
            FooterError: It is a base file, and isn't a readable Parquet file.
        """
        try:
            with _opened(status, self._table) as opened:
                self._add(status, opened)
        except LogUnreadableError as error:
            self._unread(status.path, str(error))
            self._files.append(_indexed(status, status.size, 0))
            self._rows += 1

    def _add(self, status: WriteStatus, opened: _Opened) -> None:
        metadata = opened.metadata
        file = _indexed(status, opened.size, metadata.num_rows)
        indexed = self._finder.find(metadata.schema)
        single = list(_content_records(opened.source, metadata, file, indexed))
        if self._table.in_paths.names:
            stored = metadata.schema.to_arrow_schema()
            unlike = [field.name for field in stored if not pa.types.is_string(field.type)]
            single += path_records(file, unlike, self._table.in_paths, self._options)
        key = indexed, opened.writer
        gathered = self._ranges.get(key)
        if gathered is None:
            gathered = self._ranges[key] = _Gathered(*key)
        gathered.add(file, metadata, opened.with_nan)
        self._files.append(file)
        self._single += single
        self._rows += 1 + len(indexed.columns) + len(single)

    def take(self) -> pa.Table:
        """Makes the rows of the files that were added since the last time.

        Returns:
            A table of `RECORD_SCHEMA`: a row of kind `FILES` for each file, and its records, in any order.
        """
        ranges = [table for gathered in self._ranges.values() for table in gathered.tables()]
        table = pa.concat_tables([file_rows(self._files), *ranges, to_table(self._single)])
        self._clear()
        return table


def read_records(status: WriteStatus, options: IndexOptions = _ALL_COLUMNS) -> list[HoodieMetadataRecord]:
    """Opens one base file and gives its records.

    Raises:
        FileNotFoundError: The file is gone, as after a clean.
        FooterError: It is there, and isn't a readable Parquet file.
    """
    reader = FooterReader(options)
    reader.add(status)
    table = reader.take()
    return list(from_table(table.filter(pc.not_equal(table["kind"], FILES))))


def values_of(
    status: WriteStatus, subjects: Collection[str], table: TableColumns = UNKNOWN_TABLE
) -> dict[str, PageValues | PageRows]:
    """Reads the distinct values of what records are about, as far as they can be trusted.

    Args:
        status: The file.
        subjects: Names of columns; of several, with commas between them, the distinct rows are read.
        table: What is known of the table's columns.

    Raises:
        FileNotFoundError: The file is gone, as after a clean.
        FooterError: It is there, and isn't a readable Parquet file.
        LogUnreadableError: It is a log file of which nothing can be said.
    """
    with _opened(status, table) as opened:
        source, metadata = opened.source, opened.metadata
        indexed = IndexedColumnFinder(_ALL_COLUMNS).find(metadata.schema).columns
        known = {column.name: (column.position, column.stored) for column in indexed}
        found: dict[str, PageValues | PageRows | None] = {}
        for subject in subjects:
            names = subject.split(COLUMN_SEPARATOR)
            columns = [known[name] for name in names if name in known]
            if len(columns) < len(names):
                continue
            if len(columns) > 1:
                found[subject] = read_rows(source, metadata, columns)
            else:
                found[subject] = read_values(source, metadata, *columns[0])
    return {subject: values for subject, values in found.items() if values is not None}


class _Gathered:
    """Raw statistics of files with the same columns and a writer of the same trust.

    Args:
        indexed: The columns.
        writer: What is known about the writer.
    """

    def __init__(self, indexed: IndexedColumns, writer: Provenance) -> None:
        self._indexed = indexed
        self._trusted = [writer.trusted_with(stored) for stored, _ in indexed.runs]
        self._files: list[IndexedFile] = []
        self._rows: list[int] = []
        self._first: list[int] = []
        self._null_counts: list[int | None] = []
        self._bounded: list[bool] = []
        self._minima: list[list[RawStatistic | None]] = [[] for _ in indexed.runs]
        self._maxima: list[list[RawStatistic | None]] = [[] for _ in indexed.runs]

    def add(self, file: IndexedFile, metadata: pq.FileMetaData, with_nan: frozenset[str]) -> None:
        """Reads the statistics of all row groups of a file."""
        hidden = {
            column.position
            for column in self._indexed.columns
            if with_nan and metadata.schema.column(column.position).path in with_nan
        }
        self._files.append(file)
        self._first.append(len(self._rows))
        groups = [metadata.row_group(number) for number in range(metadata.num_row_groups)]
        filled = [group for group in groups if group.num_rows > 0]
        for group in filled:
            chunk = group.column
            self._add(
                group.num_rows,
                [
                    _NO_STATISTICS
                    if column.position in hidden
                    else chunk(column.position).statistics or _NO_STATISTICS
                    for column in self._indexed.columns
                ],
            )
        if not filled:
            self._add(0, [_NO_VALUES] * len(self._indexed.columns))

    def _add(self, rows: int, found: list[Any]) -> None:
        self._rows.append(rows)
        self._null_counts += [item.null_count if item.has_null_count else None for item in found]
        self._bounded += [item.has_min_max for item in found]
        for number, (_, columns) in enumerate(self._indexed.runs):
            of_run = found[columns]
            if self._trusted[number]:
                self._minima[number] += [item.min_raw for item in of_run]
                self._maxima[number] += [item.max_raw for item in of_run]
            else:
                self._minima[number] += [None] * len(of_run)
                self._maxima[number] += [None] * len(of_run)

    def tables(self) -> Iterator[pa.Table]:
        """The ranges, as a table of `RECORD_SCHEMA` for each stored type."""
        groups = RowGroups(self._rows, self._first, self._null_counts, self._bounded)
        files = file_rows(self._files).select(FILE_SCHEMA.names)
        for (stored, columns), minima, maxima in zip(
            self._indexed.runs, self._minima, self._maxima, strict=True
        ):
            names = [column.name for column in self._indexed.columns[columns]]
            number = len(files) * len(names)
            found = file_bounds(stored, groups, columns, minima, maxima)
            of_row = files.take(pa.array(np.repeat(np.arange(len(files)), len(names))))
            arrays = {name: of_row[name] for name in FILE_SCHEMA.names} | {
                "kind": pa.repeat(RANGE, number),
                "column": pa.array(names).take(pa.array(np.tile(np.arange(len(names)), len(files)))),
                "type": pa.repeat(str(stored.hive_type), number),
                "lower": found.lower,
                "upper": found.upper,
                "null_count": groups.null_counts(columns),
                "nan_count": found.nan_count,
                "flags": found.flags,
                "content": pa.nulls(number, pa.binary()),
            }
            yield pa.table([arrays[name] for name in RECORD_SCHEMA.names], RECORD_SCHEMA)


class _NoStatistics:
    """What a column chunk without statistics has."""

    has_null_count = has_min_max = False
    null_count: int | None = None
    min_raw = max_raw = None


class _NoValues(_NoStatistics):
    """What a row group without rows would have."""

    has_null_count = True
    null_count = 0


_NO_STATISTICS: Final = _NoStatistics()
_NO_VALUES: Final = _NoValues()


def _content_records(
    source: pa.NativeFile,
    metadata: pq.FileMetaData,
    file: IndexedFile,
    indexed: IndexedColumns,
) -> Iterator[HoodieMetadataRecord]:
    for position, name, stored, kinds in indexed.with_kinds:
        values = read_values(source, metadata, position, stored)
        for kind in kinds:
            content = None if values is None else kind.content(values)
            if content is not None:
                record = HoodieMetadataRecord.about(file, name, stored.hive_type)
                yield replace(record, kind=kind.name, content=content)
    for columns, kinds in indexed.groups:
        rows = read_rows(source, metadata, [(column.position, column.stored) for column in columns])
        subject, together = subject_of([(column.name, column.stored.hive_type) for column in columns])
        for kind in kinds:
            content = None if rows is None else kind.content(rows)
            if content is not None:
                record = HoodieMetadataRecord.about(file, subject, together)
                yield replace(record, kind=kind.name, content=content)


@dataclass(frozen=True, slots=True)
class _Opened:
    """A file whose statistics are collected.

    Attributes:
        size: Bytes of it.
        source: It or, of a log file, its records, as Parquet.
        metadata: The footer.
        writer: What is known of who wrote the statistics.
        with_nan: Paths of columns that are known to have NaN, and whose bounds leave it out.
    """

    size: int
    source: Any
    metadata: pq.FileMetaData
    writer: Provenance
    with_nan: frozenset[str] = frozenset()


@contextmanager
def _opened(status: WriteStatus, table: TableColumns) -> Iterator[_Opened]:
    try:
        if status.is_log:
            with opened_log(status.path, table.schema, table.may_differ) as log:
                yield _Opened(log.size, log.source, log.metadata, OWN_FILES, log.with_nan)
            return
        with open_source(status.path) as source:
            # Not `ParquetFile`: of wide footers it takes half as long again to name the columns in its way.
            reader = pq.ParquetReader()
            reader.open(source)
            yield _Opened(source.size(), source, reader.metadata, provenance(reader.metadata.created_by))
    except FileNotFoundError:
        raise
    except (OSError, pa.ArrowException, KeyError) as error:
        raise FooterError(f"can't read {status.path}: {error}") from error


def _indexed(status: WriteStatus, size: int, rows: int) -> IndexedFile:
    return IndexedFile(status.partition, status.file_name, status.file_id, status.commit_time, size, rows)
