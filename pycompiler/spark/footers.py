"""Write statuses as a DataFrame, and their files' footers as index records."""

from collections.abc import Callable, Iterable
from typing import Final, TypeAlias

from pyspark import RDD
from pyspark.sql import DataFrame, SparkSession

from pycompiler.index.collect.footer import OnUnreadable, ignore_unreadable
from pycompiler.index.collect.table_columns import UNKNOWN_TABLE, TableColumns
from pycompiler.index.options import IndexOptions
from pycompiler.index.records import WriteStatus
from pycompiler.spark.executors import modules_for, require_modules
from pycompiler.spark.tasks import RECORD_COLUMNS, STATUS_SCHEMA, footer_reader, status_row

WriteStatuses: TypeAlias = "Iterable[WriteStatus] | RDD[WriteStatus] | DataFrame"
"""The files that a commit wrote, as a collection, an RDD or a DataFrame."""

_FILES_PER_TASK: Final = 512
"""Files per task, beyond a few tasks per core: a Python task first takes a tenth of a second of CPU, because
Spark's worker rereads the directories of its archives."""


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
