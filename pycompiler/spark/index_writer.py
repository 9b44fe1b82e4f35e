"""Turns files into index data files: on Spark's executors, or on the driver if that is faster."""

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
from pycompiler.spark.hudi_table import HudiTable
from pycompiler.spark.progress import Progress, ProgressCounter, UnreadFiles
from pycompiler.spark.tasks import (
    ENTRY_SCHEMA,
    FILE_TABLE_COLUMNS,
    RECORD_ORDER,
    data_file_writer,
    file_table_maker,
    read_entry,
    write_whole_index,
)

FILES_ON_DRIVER: Final = 64
"""The driver reads this many footers in about a second, before executors would even start."""

LOG_BYTES_ON_DRIVER: Final = 4 << 20
"""The driver reads log files of this total size in a second or two."""

FOOTERS_WITHOUT_EXECUTORS: Final = 10_000
BYTES_WITHOUT_EXECUTORS: Final = 1 << 30
"""What the driver does in minutes if executors cannot: this many footers, or pages of files of this size."""

_ROWS_PER_DATA_FILE: Final = 4_000_000
_IS_FILE: Final = f"(kind = '{FILES}')"
_logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Written:
    """Data files that no manifest lists yet.

    Attributes:
        records: Number of records in them.
        files: Number of files that were read, excluding those that were gone.
        rows: Rows of these files.
    """

    data_files: tuple[DataFile, ...] = ()
    records: int = 0
    files: int = 0
    rows: int = 0


class IndexWriter:
    """Writes the records of files into data files of a table's index."""

    def __init__(self, spark: SparkSession, table: HudiTable, options: IndexOptions) -> None:
        self._spark = spark
        self._table = table
        self._options = options

    def write(
        self, files: Sequence[WriteStatus], progress: Progress, gone: Sequence[IndexedFile] = ()
    ) -> Written:
        """Reads files and writes their records; files that are gone get none.

        Indexed files that have left the table, `gone`, are marked. `progress` is called from another thread.

        Raises:
            ExecutorPythonError: The executors' Python lacks a library, and there are too many files for the
                driver alone.
            FooterError: A file is not readable Parquet.
            OSError: The index's file system failed.
        """
        if not files and not gone:
            return Written()
        unread = UnreadFiles(self._spark.sparkContext)
        with ProgressCounter(self._spark.sparkContext, len(files), progress) as count:
            if self._is_faster_on_driver(files) or not self._can_use_executors(files):
                written = self._write_on_driver(files, count, gone, unread)
            else:
                written = self._write_on_executors(files, count, unread)
                marks = self._write_on_driver((), count, gone, unread)
                written = replace(written, data_files=(*written.data_files, *marks.data_files))
        unread.warn()
        return written

    def _is_faster_on_driver(self, files: Sequence[WriteStatus]) -> bool:
        # Page values and records of log files take long enough to be distributed.
        if sum(file.size for file in files if file.is_log) > LOG_BYTES_ON_DRIVER:
            return False
        return len(files) <= (FILES_ON_DRIVER if self._options.only_ranges else 1)

    def _can_use_executors(self, files: Sequence[WriteStatus]) -> bool:
        context = self._spark.sparkContext
        try:
            require_modules(context, modules_for(self._options, self._table.root))
        except ExecutorPythonError as error:
            if self._exceeds_driver_limits(files):
                raise
            _logger.warning(
                "reading %d files of %s on the driver alone: %s", len(files), self._table.root, error
            )
            return False
        return True

    def _exceeds_driver_limits(self, files: Sequence[WriteStatus]) -> bool:
        read_whole = [file for file in files if file.is_log or not self._options.only_ranges]
        if sum(file.size for file in read_whole) > BYTES_WITHOUT_EXECUTORS:
            return True
        return self._options.only_ranges and len(files) > FOOTERS_WITHOUT_EXECUTORS

    def _write_on_driver(
        self,
        files: Sequence[WriteStatus],
        count: Callable[[int], None],
        gone: Sequence[IndexedFile],
        unread: UnreadFiles,
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
        self, files: Sequence[WriteStatus], count: Callable[[int], None], unread: UnreadFiles
    ) -> Written:
        """The driver only receives manifest entries."""
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
                return Written()  # All are gone.
            count_of_files, rows, number = totals
            parts = max(1, math.ceil(number / _ROWS_PER_DATA_FILE))
            divided = records.repartition(1) if parts == 1 else records.repartitionByRange(parts, "column")
            known = self._known_files(records)
            # Includes the rows of files themselves, so that a file without any column is indexed too.
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
        """The table of files; the driver passes it on unparsed."""
        tables = records.where(_IS_FILE).repartition(1).mapInArrow(file_table_maker, FILE_TABLE_COLUMNS)
        (row,) = tables.collect()
        return self._spark.sparkContext.broadcast(bytes(row[0]))
