"""Makes index records from the Parquet footers of base files, and of log files converted to Parquet.

Pages are read only for columns that get more than a range.
"""

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, Final, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from pycompiler.compile.expression.model import COLUMN_SEPARATOR, subject_of
from pycompiler.compile.values.types import ValueKind
from pycompiler.index.collect.bounds import RawStatistic, RowGroups, file_statistics
from pycompiler.index.collect.errors import FooterError
from pycompiler.index.collect.indexed_columns import IndexedColumnFinder, IndexedColumns
from pycompiler.index.collect.pages import PageValues, read_values
from pycompiler.index.collect.partition_values import path_records
from pycompiler.index.collect.provenance import OWN_FILES, Provenance, provenance
from pycompiler.index.collect.table_columns import UNKNOWN_TABLE, TableColumns
from pycompiler.index.file_systems.factory import open_source
from pycompiler.index.log_files.contradictions import require_agreement
from pycompiler.index.log_files.errors import StatisticsUntrustedError
from pycompiler.index.log_files.reader import OpenFile, open_log
from pycompiler.index.options import IndexOptions
from pycompiler.index.records import (
    FILE_SCHEMA,
    RANGE,
    RECORD_SCHEMA,
    HoodieMetadataRecord,
    IndexedFile,
    WriteStatus,
    file_rows,
    to_table,
)

_ALL_COLUMNS: Final = IndexOptions()

OnUnreadable: TypeAlias = Callable[[str, str], None]
"""Called with the path of a file without statistics, and the reason."""


def ignore_unreadable(path: str, reason: str) -> None:
    """Ignores files without statistics."""


class FooterReader:
    """Reads footers of base files and rows of log files, and makes the records of many files at once."""

    def __init__(
        self,
        options: IndexOptions = _ALL_COLUMNS,
        table: TableColumns = UNKNOWN_TABLE,
        on_unreadable: OnUnreadable = ignore_unreadable,
    ) -> None:
        self._options = options
        self._table = table
        self._on_unreadable = on_unreadable
        # Hudi may have lost or mixed up such a column inside files: only the path counts.
        self._finder = IndexedColumnFinder(options.without(table.in_paths.names), table.units)
        self._clear()

    def _clear(self) -> None:
        self._files: list[IndexedFile] = []
        self._ranges: dict[tuple[IndexedColumns, Provenance], _RawStatistics] = {}
        self._single: list[HoodieMetadataRecord] = []
        self.rows = 0
        """Number of rows ready to take."""

    def add(self, status: WriteStatus) -> None:
        """Opens a file and reads what its records are made from.

        The recorded size is that of the opened file, not of the write status. A log file that cannot be read
        and a base file whose footer contradicts itself get no records and 0 rows, which stands for an unknown
        number. So readers never skip such a file, and count its rows only by opening it.

        Raises:
            FileNotFoundError: The file is gone, for example after a clean.
            FooterError: It is a base file and not a readable Parquet file.
        """
        try:
            with _open(status, self._table) as opened:
                try:
                    self._add(status, opened)
                except StatisticsUntrustedError as error:
                    self._add_untrusted(status, opened.size, error)
        except StatisticsUntrustedError as error:
            self._add_untrusted(status, status.size, error)

    def _add_untrusted(self, status: WriteStatus, size: int, error: StatisticsUntrustedError) -> None:
        self._on_unreadable(status.path, str(error))
        self._files.append(_indexed(status, size, 0))
        self.rows += 1

    def _add(self, status: WriteStatus, opened: OpenFile) -> None:
        metadata = opened.metadata
        _require_agreement(status, opened)
        file = _indexed(status, opened.size, metadata.num_rows)
        indexed = self._finder.find(metadata.schema)
        single = list(_content_records(opened.source, metadata, file, indexed))
        if self._table.in_paths.names:
            stored = metadata.schema.to_arrow_schema()
            not_strings = [field.name for field in stored if not pa.types.is_string(field.type)]
            single += path_records(file, not_strings, self._table.in_paths, self._options)
        key = indexed, OWN_FILES if status.is_log else provenance(metadata.created_by)
        gathered = self._ranges.get(key) or _RawStatistics(*key)
        gathered.add(file, metadata, opened.with_nan)
        self._ranges[key] = gathered
        self._files.append(file)
        self._single += single
        self.rows += 1 + len(indexed.columns) + len(single)

    def take(self) -> pa.Table:
        """The rows of the files added since the last call, unordered, as `RECORD_SCHEMA`.

        Each file has a row of kind `FILES`, and its records.
        """
        ranges = [table for gathered in self._ranges.values() for table in gathered.tables()]
        table = pa.concat_tables([file_rows(self._files), *ranges, to_table(self._single)])
        self._clear()
        return table


def values_of(
    status: WriteStatus, subjects: Collection[str], table: TableColumns = UNKNOWN_TABLE
) -> dict[str, PageValues]:
    """Reads the distinct values of record subjects, as far as they can be trusted.

    A subject is the name of a column, or several names joined by commas, which stand for distinct rows.

    Raises:
        FileNotFoundError: The file is gone, for example after a clean.
        FooterError: It is a base file and not a readable Parquet file.
        StatisticsUntrustedError: It is a log file that cannot be read, or its footer contradicts itself.
    """
    with _open(status, table) as opened:
        _require_agreement(status, opened)
        indexed = IndexedColumnFinder(_ALL_COLUMNS, table.units).find(opened.metadata.schema).columns
        known = {column.name: (column.position, column.stored) for column in indexed}
        found: dict[str, PageValues] = {}
        for subject in subjects:
            names = subject.split(COLUMN_SEPARATOR)
            if not all(name in known for name in names):
                continue
            values = read_values(opened.source, opened.metadata, [known[name] for name in names])
            if values is not None:
                found[subject] = values
    return found


class _RawStatistics:
    """Raw statistics of files with the same columns and equally trusted writers."""

    def __init__(self, indexed: IndexedColumns, writer: Provenance) -> None:
        self._indexed = indexed
        self._positions = [column.position for column in indexed.columns]
        self._trusted = [writer.trusted_with(stored) for stored, _ in indexed.runs]
        self._files: list[IndexedFile] = []
        self._rows: list[int] = []
        self._first: list[int] = []
        self._null_counts: list[int | None] = []
        self._bounded: list[bool] = []
        self._minima: list[list[RawStatistic | None]] = [[] for _ in indexed.runs]
        self._maxima: list[list[RawStatistic | None]] = [[] for _ in indexed.runs]

    def add(self, file: IndexedFile, metadata: pq.FileMetaData, with_nan: frozenset[str]) -> None:
        """Reads the statistics of all row groups of a file.

        Raises:
            StatisticsUntrustedError: A minimum is above its maximum.
        """
        hidden = {
            position
            for position in self._positions
            if with_nan and metadata.schema.column(position).path in with_nan
        }
        groups = [metadata.row_group(number) for number in range(metadata.num_row_groups)]
        filled: list[tuple[int, list[Any]]] = []
        for group in groups:
            if group.num_rows > 0:
                found = [
                    None if position in hidden else group.column(position).statistics
                    for position in self._positions
                ]
                filled.append((group.num_rows, [statistics or _NO_STATISTICS for statistics in found]))
                self._require_order(filled[-1][1])
        self._files.append(file)
        self._first.append(len(self._rows))
        for rows, statistics in filled:
            self._add(rows, statistics)
        if not filled:
            self._add(0, [_NO_VALUES] * len(self._positions))

    def _require_order(self, found: list[Any]) -> None:
        for (stored, columns), is_trusted in zip(self._indexed.runs, self._trusted, strict=True):
            if not is_trusted:
                continue  # Its bounds are not used, because its writer may have ordered values otherwise.
            number = _number if stored.hive_type.kind is ValueKind.DECIMAL else _as_it_is
            for column, statistics in zip(self._indexed.columns[columns], found[columns], strict=True):
                if statistics.has_min_max and number(statistics.min_raw) > number(statistics.max_raw):
                    raise StatisticsUntrustedError(
                        f"its footer contradicts itself: {column.name} has a minimum above its maximum"
                    )

    def _add(self, rows: int, found: list[Any]) -> None:
        self._rows.append(rows)
        self._null_counts += [item.null_count if item.has_null_count else None for item in found]
        self._bounded += [item.has_min_max for item in found]
        for number, (_, columns) in enumerate(self._indexed.runs):
            of_run = found[columns] if self._trusted[number] else [_NO_STATISTICS] * len(found[columns])
            self._minima[number] += [item.min_raw for item in of_run]
            self._maxima[number] += [item.max_raw for item in of_run]

    def tables(self) -> Iterator[pa.Table]:
        """The ranges, as one table of `RECORD_SCHEMA` per stored type."""
        groups = RowGroups(self._rows, self._first, self._null_counts, self._bounded)
        files = file_rows(self._files).select(FILE_SCHEMA.names)
        for (stored, columns), minima, maxima in zip(
            self._indexed.runs, self._minima, self._maxima, strict=True
        ):
            names = [column.name for column in self._indexed.columns[columns]]
            number = len(files) * len(names)
            of_row = files.take(pa.array(np.repeat(np.arange(len(files)), len(names))))
            arrays = {name: of_row[name] for name in FILE_SCHEMA.names}
            arrays["kind"] = pa.repeat(RANGE, number)
            arrays["column"] = pa.array(names).take(pa.array(np.tile(np.arange(len(names)), len(files))))
            arrays["type"] = pa.repeat(str(stored.hive_type), number)
            arrays |= file_statistics(stored, groups, columns, minima, maxima)
            yield pa.table([arrays[name] for name in RECORD_SCHEMA.names], RECORD_SCHEMA)


_NO_STATISTICS: Final = SimpleNamespace(has_null_count=False, has_min_max=False, min_raw=None, max_raw=None)
"""Stands for a column chunk without statistics."""
_NO_VALUES: Final = SimpleNamespace(**{**vars(_NO_STATISTICS), "has_null_count": True, "null_count": 0})
"""Stands for a row group without rows."""


def _number(raw: Any) -> Any:
    """A raw statistic of a decimal in a form whose order is that of the values."""
    return int.from_bytes(raw, "big", signed=True) if isinstance(raw, bytes) else raw


def _as_it_is(raw: Any) -> Any:
    return raw


def _content_records(
    source: pa.NativeFile,
    metadata: pq.FileMetaData,
    file: IndexedFile,
    indexed: IndexedColumns,
) -> Iterator[HoodieMetadataRecord]:
    for columns, kinds in indexed.groups:
        values = read_values(source, metadata, [(column.position, column.stored) for column in columns])
        if values is None:
            continue
        subject, hive_type = subject_of([(column.name, column.stored.hive_type) for column in columns])
        for kind in kinds:
            content = kind.content(values)
            if content is not None:
                record = HoodieMetadataRecord.about(file, subject, hive_type)
                yield replace(record, kind=kind.name, content=content)


@contextmanager
def _open(status: WriteStatus, table: TableColumns) -> Iterator[OpenFile]:
    try:
        if status.is_log:
            with open_log(status.path, table.schema, table.may_differ) as log:
                yield log
            return
        with open_source(status.path) as source:
            # Not `ParquetFile`, which takes 50 % longer on wide footers to build its column names.
            reader = pq.ParquetReader()
            reader.open(source)
            yield OpenFile(source.size(), source, reader.metadata)
    except FileNotFoundError:
        raise
    except (OSError, pa.ArrowException, KeyError) as error:
        raise FooterError(f"cannot read {status.path}: {error}") from error


def _require_agreement(status: WriteStatus, opened: OpenFile) -> None:
    if not status.is_log:  # Whose footer is our own.
        require_agreement(opened.metadata, opened.size)


def _indexed(status: WriteStatus, size: int, rows: int) -> IndexedFile:
    return IndexedFile(status.partition, status.file_name, status.file_id, status.commit_time, size, rows)
