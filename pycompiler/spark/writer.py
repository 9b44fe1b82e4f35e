"""Writing a Hudi table and its index in one call."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike, fspath
from typing import Final

from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession

from pycompiler.index.errors import IndexUnavailableError, PublishError
from pycompiler.index.options import IndexChoice, IndexOptions, IndexOptionsError
from pycompiler.index.storage.errors import UnsupportedStorageError
from pycompiler.spark.causes import cause_of
from pycompiler.spark.errors import (
    ExecutorPythonError,
    IndexUpdateWarning,
    NotAHudiTableError,
    UnknownVersionError,
    UnsupportedTableError,
)
from pycompiler.spark.file_systems import qualified
from pycompiler.spark.index_creator import IndexCreator, IndexUpdate, PartitionPublisher
from pycompiler.spark.jvm import JvmError
from pycompiler.spark.session import require_hudi_writer
from pycompiler.spark.timeline import HudiTable, column_names
from pycompiler.statistics.errors import FooterError
from pycompiler.table.properties import HUDI_COLUMNS

_logger = logging.getLogger(__name__)

_INDEX_FAILURES: Final = (
    ExecutorPythonError,
    FooterError,
    IndexOptionsError,
    IndexUnavailableError,
    NotAHudiTableError,
    OSError,
    PublishError,
    JvmError,
    PySparkException,
    UnsupportedStorageError,
    UnsupportedTableError,
)


@dataclass(frozen=True, slots=True)
class WriteResult:
    """What `write_indexed` did.

    Attributes:
        index: What was done to the index; None if that failed.
        index_failure: Why it failed; None if it did not.
    """

    index: IndexUpdate | None
    index_failure: str | None = None


def write_indexed(
    df: DataFrame,
    path: str | PathLike[str],
    hudi_options: Mapping[str, str],
    index: IndexChoice = None,
    mode: str = "append",
    catalogue: PartitionPublisher | None = None,
) -> WriteResult:
    """Writes a DataFrame to a Hudi table and brings the table's statistics index up to date.

    When the write fails, its exception comes through and the index is untouched. When only the index fails,
    the write stands: raising would make callers write again. An `IndexUpdateWarning` is given and logged;
    queries stay right, new files are just never skipped, and the next update catches up. Callers that want
    an exception turn the warning into one with `warnings.simplefilter("error", IndexUpdateWarning)`.

    Args:
        df: What to write.
        path: Root of the table.
        hudi_options: Options of Hudi's Spark writer, `hoodie.…`.
        index: Which columns to index, and how, as `IndexOptions` or as their kinds by column; None for what
            the index had last, a range of every column at first.
        mode: Spark's save mode.
        catalogue: Told of each generation of the index, see `IndexCreator`.

    Raises:
        IndexOptionsError: `index` is not understood, or names a column that is not there; nothing was
            written.
        UnknownVersionError: The table is of a version that neither this release nor the session's Hudi knows;
            nothing was written.
        SparkUnavailableError: The session can't write a Hudi table there; nothing was written.
    """
    options = IndexOptions.of(index)
    spark, table = df.sparkSession, fspath(path)
    require_hudi_writer(spark)
    qualified(spark, table)
    if options is not None:
        _require_columns(options, df, table, mode)
    try:
        df.write.format("hudi").options(**hudi_options).mode(mode).save(table)
    except Exception as error:
        _explain(error, spark, table)
        raise
    return update_after_write(spark, table, options, catalogue)


def _explain(error: Exception, spark: SparkSession, path: str) -> None:
    """Says in our words that the table is of a version that the session's Hudi does not write either.

    Raises:
        UnknownVersionError: It is.
    """
    try:
        HudiTable(spark, path)
    except UnknownVersionError as reason:
        raise reason from error
    except Exception as reason:
        _logger.debug("%s cannot be opened after a write that failed", path, exc_info=reason)


def _require_columns(options: IndexOptions, df: DataFrame, path: str, mode: str) -> None:
    """Refuses options of columns that neither the rows nor the table that they go to have."""
    columns = {*HUDI_COLUMNS, *column_names(df.schema)}
    try:
        options.require_columns(columns, "the DataFrame")
    except IndexOptionsError:
        # Rarely so: the rows to delete from a table, say, may be keys alone.
        if mode != "append" or not (of_table := _table_columns(df.sparkSession, path)):
            raise
        options.require_columns(columns | of_table, f"the table {path}")


def _table_columns(spark: SparkSession, path: str) -> frozenset[str]:
    """The columns of the table that is there already; none if there is none that is indexed."""
    try:
        return HudiTable(spark, path).columns()
    except (NotAHudiTableError, UnsupportedTableError):
        return frozenset()


def update_after_write(
    spark: SparkSession, path: str, index: IndexOptions | None, catalogue: PartitionPublisher | None
) -> WriteResult:
    """Brings the index of a table up to date that was just written to, with a warning if that fails.

    Args:
        spark: The session that has written.
        path: Root of the table.
        index: Which columns to index; None for all.
        catalogue: Told of each generation of the index.
    """
    try:
        return WriteResult(IndexCreator(spark, index, catalogue=catalogue).update(path))
    except _INDEX_FAILURES as error:
        reason = cause_of(error)
        message = (
            f"{path} was written, but its statistics index was not brought up to date ({reason}). Queries "
            f"stay right and read the new files whole; catch up with: hudi-skip index update {path}"
        )
        _logger.warning(message)
        _logger.debug("why the index of %s was not brought up to date", path, exc_info=error)
    # Names the line that called the function of this module that users call.
    warnings.warn(message, IndexUpdateWarning, stacklevel=3)
    return WriteResult(None, reason)
