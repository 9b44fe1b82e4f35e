"""From base files to data files of the index: on Spark's executors, or on the driver where that is sooner."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from pyspark import Broadcast, StorageLevel
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from pycompiler.index.manifest import DataFile
from pycompiler.index.options import IndexOptions
from pycompiler.index.records import FILES, IndexedFile, WriteStatus
from pycompiler.spark.errors import ExecutorPythonError
from pycompiler.spark.executors import modules_for, require_modules
from pycompiler.spark.footers import footer_records
from pycompiler.spark.progress import Progress, ProgressCounter, UnreadLogs
from pycompiler.spark.tasks import (
    ENTRY_SCHEMA,
    FILE_TABLE_COLUMNS,
    RECORD_ORDER,
    data_file_writer,
    file_table_maker,
    read_entry,
    write_whole_index,
)
from pycompiler.spark.timeline import HudiTable

FILES_ON_DRIVER: Final = 64
"""Files whose footers are read in a second or so, in which executors would hardly have begun."""

LOG_BYTES_ON_DRIVER: Final = 4 << 20
"""Log files of so many bytes in all are read in a second or two."""

FOOTERS_WITHOUT_EXECUTORS: Final = 10_000
BYTES_WITHOUT_EXECUTORS: Final = 1 << 30
"""What the driver does in minutes where executors can't: so many footers, or pages of files of that size."""

_ROWS_PER_DATA_FILE: Final = 4_000_000
_IS_FILE: Final = f"(kind = '{FILES}')"
_logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Written:
    """Data files that no manifest lists yet.

    Attributes:
        data_files: The manifest's entries.
        records: Records in them.
        files: Base files that were read; those that were gone are not among them.
        rows: Rows of these files.
    """

    data_files: tuple[DataFile, ...] = ()
    records: int = 0
    files: int = 0
    rows: int = 0


class IndexWriter:
    """Writes the records of base files into data files of a table's index.

    Args:
        spark: The session.
        table: The table.
        options: Which columns to index, and how.
    """

    def __init__(self, spark: SparkSession, table: HudiTable, options: IndexOptions) -> None:
        self._spark = spark
        self._table = table
        self._options = options

    def write(
        self, files: Sequence[WriteStatus], progress: Progress, gone: Sequence[IndexedFile] = ()
    ) -> Written:
        """Reads base files and writes their records; those that are gone by now have none.

        Args:
            files: The base files.
            progress: Told how many of them are done, from another thread.
            gone: Files that the index has and that have left the table: they are marked.

        Raises:
            ExecutorPythonError: The executors' Python lacks a library, and the files are too many for the
                driver alone.
            FooterError: A file is not readable Parquet.
            OSError: The index's file system failed.
        """
        if not files and not gone:
            return Written()
        unread = UnreadLogs(self._spark.sparkContext)
        with ProgressCounter(self._spark.sparkContext, len(files), progress) as count:
            if self._is_sooner_here(files) or not self._executors_can(files):
                written = self._write_here(files, count, gone, unread)
            else:
                written = self._write_on_executors(files, count, unread)
                marks = self._write_here((), count, gone, unread)
                written = replace(written, data_files=(*written.data_files, *marks.data_files))
        unread.warn()
        return written

    def _is_sooner_here(self, files: Sequence[WriteStatus]) -> bool:
        # Page values and the records of log files take long enough to be shared out.
        if sum(file.size for file in files if file.is_log) > LOG_BYTES_ON_DRIVER:
            return False
        return len(files) <= (FILES_ON_DRIVER if self._options.only_ranges else 1)

    def _executors_can(self, files: Sequence[WriteStatus]) -> bool:
        context = self._spark.sparkContext
        try:
            require_modules(context, modules_for(self._options, self._table.root))
        except ExecutorPythonError as error:
            if self._is_too_much_here(files):
                raise
            _logger.warning("the driver alone reads %d files of %s: %s", len(files), self._table.root, error)
            return False
        return True

    def _is_too_much_here(self, files: Sequence[WriteStatus]) -> bool:
        read_whole = [file for file in files if file.is_log or not self._options.only_ranges]
        if sum(file.size for file in read_whole) > BYTES_WITHOUT_EXECUTORS:
            return True
        return self._options.only_ranges and len(files) > FOOTERS_WITHOUT_EXECUTORS

    def _write_here(
        self,
        files: Sequence[WriteStatus],
        count: Callable[[int], None],
        gone: Sequence[IndexedFile],
        unread: UnreadLogs,
    ) -> Written:
        table = self._table
        written = write_whole_index(
            table.root, files, self._options, table.columns_of_files, count, gone, unread.add
        )
        if written is None:
            return Written()
        data_file, rows = written
        return Written((data_file,), data_file.records, data_file.files - len(gone), rows)

    def _write_on_executors(
        self, files: Sequence[WriteStatus], count: Callable[[int], None], unread: UnreadLogs
    ) -> Written:
        """The driver gets manifest entries only."""
        table = self._table
        records = footer_records(self._spark, files, self._options, count, table.columns_of_files, unread.add)
        records.persist(StorageLevel.MEMORY_AND_DISK)
        try:
            totals = records.agg(
                F.expr(f"count_if({_IS_FILE})"),
                F.expr(f"sum(if({_IS_FILE}, value_count, 0))"),
                F.expr(f"count_if(not {_IS_FILE})"),
            ).first()
            if totals is None or not totals[0]:
                return Written()  # All are gone by now.
            count_of_files, rows, number = totals
            parts = max(1, math.ceil(number / _ROWS_PER_DATA_FILE))
            divided = records.repartition(1) if parts == 1 else records.repartitionByRange(parts, "column")
            known = self._known_files(records)
            # Rows of base files go along, so that a file without any column is in the index as well.
            entries = (
                divided.sortWithinPartitions(*RECORD_ORDER)
                .mapInArrow(data_file_writer(table.root, known), ENTRY_SCHEMA)
                .collect()
            )
            known.destroy()
        finally:
            records.unpersist()
        data_files = tuple(read_entry(entry[0]) for entry in entries)
        return Written(data_files, number, count_of_files, rows)

    def _known_files(self, records: DataFrame) -> Broadcast[bytes]:
        """The table of base files; the driver passes it on without looking at it."""
        tables = records.where(_IS_FILE).repartition(1).mapInArrow(file_table_maker, FILE_TABLE_COLUMNS)
        (row,) = tables.collect()
        return self._spark.sparkContext.broadcast(bytes(row[0]))
