"""Write statuses as a DataFrame, and the footers of their files as index records."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, TypeAlias

from pyspark import RDD
from pyspark.sql import DataFrame, SparkSession

from pycompiler.index.options import IndexOptions
from pycompiler.index.records import WriteStatus
from pycompiler.spark.executors import modules_for, require_modules
from pycompiler.spark.tasks import RECORD_COLUMNS, STATUS_SCHEMA, footer_reader, status_row
from pycompiler.statistics.footer import Unread, unread_is_unsaid
from pycompiler.statistics.table_columns import UNKNOWN_TABLE, TableColumns

WriteStatuses: TypeAlias = "Iterable[WriteStatus] | RDD[WriteStatus] | DataFrame"
"""The files that a commit wrote, as a collection, an RDD or a DataFrame."""

_FILES_PER_TASK: Final = 512
"""Beyond a few tasks for each core, one has that much to do: a Python task takes a tenth of a second of CPU
before it begins, in which Spark's worker reads the directories of its archives again."""


def footer_records(
    spark: SparkSession,
    write_statuses: WriteStatuses,
    options: IndexOptions,
    count: Callable[[int], None],
    table: TableColumns = UNKNOWN_TABLE,
    unread: Unread = unread_is_unsaid,
) -> DataFrame:
    """Makes the lazy DataFrame of some base files and their records; see `IndexCreator.collect_metadata`.

    Besides the records it has one row of kind `FILES` for each base file that is there.

    Args:
        spark: The session.
        write_statuses: The files.
        options: Which columns to read.
        count: Is told on the executors how many files are done.
        table: What is known of the table's columns.
        unread: Is told on the executors of log files without statistics.

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
    # At least a few tasks for each core, so that all are busy to the end.
    tasks = max(len(rows) // _FILES_PER_TASK, min(len(rows), 2 * spark.sparkContext.defaultParallelism), 1)
    # A frame of local rows is made by Python tasks, too: one for each core and not as many as there will be.
    return spark.createDataFrame(rows, STATUS_SCHEMA).repartition(tasks)
