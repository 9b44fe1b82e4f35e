"""What Spark does for an index: it reads many files on its executors, and lists tables by Hudi's view."""

import json
import logging
import math
from collections.abc import Callable, Iterable, Sequence
from typing import Final, TypeAlias, TypeVar

from pyspark import RDD, Broadcast, StorageLevel
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from pycompiler.index.collect.footer import OnUnreadable, ignore_unreadable
from pycompiler.index.collect.table_columns import UNKNOWN_TABLE, TableColumns
from pycompiler.index.manifest import parse_data_file
from pycompiler.index.options import IndexOptions
from pycompiler.index.records import FILES, RECORD_KEY, WriteStatus
from pycompiler.indexing.cluster import FilesToRead, Written
from pycompiler.indexing.progress import Progress, UnreadFiles
from pycompiler.spark.errors import ExecutorPythonError
from pycompiler.spark.executors import LOG_MODULES, modules_for, require_modules
from pycompiler.spark.hudi_table import HudiTable
from pycompiler.spark.progress import ProgressCounter, UnreadOnExecutors
from pycompiler.spark.tasks import (
    ENTRY_SCHEMA,
    FILE_TABLE_COLUMNS,
    RECORD_COLUMNS,
    STATUS_SCHEMA,
    data_file_writer,
    file_table_maker,
    footer_reader,
    status_row,
)
from pycompiler.table.listing import TableSnapshot

SECONDS_ON_DRIVER: Final = 3.0
"""The driver itself does what takes it this long: executors would take that long to start."""

FOOTERS_WITHOUT_EXECUTORS: Final = 10_000
BYTES_WITHOUT_EXECUTORS: Final = 1 << 30
"""What the driver does in minutes if executors cannot: this many footers, or pages of files of this size."""

WriteStatuses: TypeAlias = "Iterable[WriteStatus] | RDD[WriteStatus] | DataFrame"
"""The files that a commit wrote, as a collection, an RDD or a DataFrame."""

_FILES_PER_TASK: Final = 512
"""Files per task, beyond a few tasks per core: a Python task first takes a tenth of a second of CPU, because
Spark's worker rereads the directories of its archives."""
_ROWS_PER_DATA_FILE: Final = 4_000_000
_IS_FILE: Final = f"(kind = '{FILES}')"
_logger = logging.getLogger(__name__)

_Part = TypeVar("_Part")
_Result = TypeVar("_Result")


class SparkCluster:
    """A Spark session with Hudi, as the index uses it; by default, executors do what takes long."""

    def __init__(self, spark: SparkSession, most_seconds: float | None = None) -> None:
        self._spark = spark
        self.most_seconds = SECONDS_ON_DRIVER if most_seconds is None else most_seconds

    def snapshot(self, root: str, reason: str) -> TableSnapshot:
        """Lists a table by Hudi's own view.

        Raises:
            SparkUnavailableError: The session lacks Hudi or the table's file system.
        """
        _logger.info("%s", reason)
        return HudiTable(self._spark, root).snapshot()

    def columns(self, root: str, reason: str) -> TableColumns:
        """Looks up a table's columns by Hudi's classes."""
        _logger.info("%s", reason)
        return HudiTable(self._spark, root).columns_of_files

    def write(self, to_read: FilesToRead, progress: Progress, unread: UnreadFiles) -> Written | None:
        """Reads files on the executors and writes their records; None if only the driver can.

        `progress` is called from another thread.

        Raises:
            ExecutorPythonError: The executors' Python lacks a library, and there are too many files for the
                driver alone.
            FooterError: A file is not readable Parquet.
            OSError: The index's file system failed.
        """
        if not self._can_use_executors(to_read):
            return None
        found = UnreadOnExecutors(self._spark.sparkContext)
        with ProgressCounter(self._spark.sparkContext, len(to_read.files), progress) as count:
            written = self._write_on_executors(to_read, count, found)
        found.pass_to(unread)
        return written

    def map(
        self, work: Callable[[_Part], _Result], parts: Sequence[_Part], to_read: FilesToRead
    ) -> Sequence[_Result]:
        """Does the work for each part on the executors, in order.

        Raises:
            ExecutorPythonError: The executors' Python lacks a library.
        """
        context = self._spark.sparkContext
        of_logs = LOG_MODULES if any(file.is_log for file in to_read.files) else ()
        require_modules(context, {*modules_for(to_read.options, to_read.root), *of_logs})
        return context.parallelize(parts, len(parts)).map(work).collect()

    def _can_use_executors(self, to_read: FilesToRead) -> bool:
        try:
            require_modules(self._spark.sparkContext, modules_for(to_read.options, to_read.root))
        except ExecutorPythonError as error:
            if _exceeds_driver_limits(to_read):
                raise
            number = len(to_read.files)
            _logger.warning("reading %d files of %s on the driver alone: %s", number, to_read.root, error)
            return False
        return True

    def _write_on_executors(
        self, to_read: FilesToRead, count: Callable[[int], None], unread: UnreadOnExecutors
    ) -> Written:
        """The driver only receives manifest entries."""
        records = footer_records(
            self._spark, to_read.files, to_read.options, count, to_read.columns, unread.add
        )
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
                divided.sortWithinPartitions(*RECORD_KEY)
                .mapInArrow(data_file_writer(to_read.root, known), ENTRY_SCHEMA)
                .collect()
            )
            known.destroy()
        finally:
            records.unpersist()
        data_files = tuple(parse_data_file(json.loads(entry[0])) for entry in entries)
        return Written(data_files, number, count_of_files, rows)

    def _known_files(self, records: DataFrame) -> Broadcast[bytes]:
        """The table of files; the driver passes it on unparsed."""
        tables = records.where(_IS_FILE).repartition(1).mapInArrow(file_table_maker, FILE_TABLE_COLUMNS)
        (row,) = tables.collect()
        return self._spark.sparkContext.broadcast(bytes(row[0]))


def _exceeds_driver_limits(to_read: FilesToRead) -> bool:
    only_ranges = to_read.options.only_ranges
    read_whole = [file for file in to_read.files if file.is_log or not only_ranges]
    if sum(file.size for file in read_whole) > BYTES_WITHOUT_EXECUTORS:
        return True
    return only_ranges and len(to_read.files) > FOOTERS_WITHOUT_EXECUTORS


def footer_records(
    spark: SparkSession,
    write_statuses: WriteStatuses,
    options: IndexOptions,
    count: Callable[[int], None],
    table: TableColumns = UNKNOWN_TABLE,
    unread: OnUnreadable = ignore_unreadable,
) -> DataFrame:
    """The lazy DataFrame of files and their records; see `IndexCreator.collect_metadata`.

    In addition to the records, it has one row of kind `FILES` for each existing file.

    Executors call `count` with the number of files done, and `unread` for files without statistics.

    Raises:
        ExecutorPythonError: The executors' Python lacks a library.
    """
    require_modules(spark.sparkContext, modules_for(options))
    statuses = _frame(spark, write_statuses)
    return statuses.mapInArrow(footer_reader(options, table, count, unread), RECORD_COLUMNS)


def _frame(spark: SparkSession, write_statuses: WriteStatuses) -> DataFrame:
    if isinstance(write_statuses, DataFrame):
        return write_statuses.select("partition", "file_id", "path", "size", "commit_time")
    if isinstance(write_statuses, RDD):
        return spark.createDataFrame(write_statuses.map(status_row), STATUS_SCHEMA)
    rows = [status_row(status) for status in write_statuses]
    # At least two tasks per core, to keep all busy to the end.
    tasks = max(len(rows) // _FILES_PER_TASK, min(len(rows), 2 * spark.sparkContext.defaultParallelism), 1)
    # The frame itself is made by Python tasks too: one per core, fewer than the final tasks.
    return spark.createDataFrame(rows, STATUS_SCHEMA).repartition(tasks)
