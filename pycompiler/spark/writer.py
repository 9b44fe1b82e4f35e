"""Writes a Hudi table and its index in one call."""

import logging
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from os import PathLike, fspath

from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import StructType

from pycompiler.errors import HudiSkipError
from pycompiler.index.choices import kinds_text
from pycompiler.index.options import IndexChoice, IndexOptions, IndexOptionsError
from pycompiler.indexing.indexer import IndexUpdate
from pycompiler.spark.causes import cause_of
from pycompiler.spark.errors import IndexUpdateWarning
from pycompiler.spark.file_systems import qualified
from pycompiler.spark.hudi_table import HudiTable
from pycompiler.spark.index_creator import IndexCreator
from pycompiler.spark.jvm import JvmError
from pycompiler.spark.session import require_hudi_writer
from pycompiler.table.catalogue.interface import PartitionCatalogue
from pycompiler.table.errors import NotAHudiTableError, UnknownVersionError, UnsupportedTableError
from pycompiler.table.properties import HUDI_COLUMNS

_logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class WriteResult:
    """The result of `write_indexed`."""

    index: IndexUpdate | None
    index_failure: str | None = None


def write_indexed(
    df: DataFrame,
    path: str | PathLike[str],
    hudi_options: Mapping[str, str],
    index: IndexChoice = None,
    mode: str = "append",
    catalogue: PartitionCatalogue | None = None,
) -> WriteResult:
    """Writes a DataFrame to a Hudi table and updates the table's statistics index.

    If the write fails, its exception is raised and the index is unchanged. If only the index fails, the write
    stands: raising would make callers write again. Instead, an `IndexUpdateWarning` is issued and logged;
    queries stay correct, new files are just not skipped, and the next update catches up. To get an exception,
    use `warnings.simplefilter("error", IndexUpdateWarning)`.

    Args:
        df: The rows to write.
        path: Root of the table.
        hudi_options: Options of Hudi's Spark writer, `hoodie.…`.
        index: Which columns to index, and how, as `IndexOptions` or kinds by column; None for the index's
            last options, initially a range for every column.
        mode: Spark's save mode.
        catalogue: Receives each generation of the index, see `IndexCreator`.

    Raises:
        IndexOptionsError: `index` is invalid, or names a missing column; nothing was written.
        UnknownVersionError: Neither this release nor the session's Hudi supports the table's version; nothing
            was written.
        SparkUnavailableError: The session cannot write the Hudi table; nothing was written.
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
    """Explains a failed write to a table whose version the session's Hudi cannot write.

    Raises:
        UnknownVersionError: The table has such a version.
    """
    try:
        HudiTable(spark, path)
    except UnknownVersionError as reason:
        raise reason from error
    except Exception as reason:
        _logger.debug("%s cannot be opened after a failed write", path, exc_info=reason)


def _require_columns(options: IndexOptions, df: DataFrame, path: str, mode: str) -> None:
    """Rejects options for columns that neither the rows nor the target table have."""
    columns = {*HUDI_COLUMNS, *_column_names(df.schema)}
    try:
        options.require_columns(columns, "the DataFrame")
    except IndexOptionsError:
        # Rare: for example, rows to delete may consist of keys only.
        if mode != "append" or not (of_table := _table_columns(df.sparkSession, path)):
            raise
        options.require_columns(columns | of_table, f"the table {path}")


def _table_columns(spark: SparkSession, path: str) -> frozenset[str]:
    """The columns of the existing table; empty if there is none that can be indexed."""
    try:
        return HudiTable(spark, path).columns_of_files.names
    except (NotAHudiTableError, UnsupportedTableError):
        return frozenset()


def update_after_write(
    spark: SparkSession, path: str, index: IndexOptions | None, catalogue: PartitionCatalogue | None
) -> WriteResult:
    """Updates the index of a table that was just written to, with a warning on failure."""
    try:
        updated = IndexCreator(spark, index, catalogue=catalogue).update(path)
        if updated.no_longer_kept:
            _logger.warning("new files of %s no longer get: %s", path, kinds_text(updated.no_longer_kept))
        return WriteResult(updated)
    except (HudiSkipError, OSError, JvmError, PySparkException) as error:
        reason = cause_of(error)
        message = (
            f"{path} was written, but its statistics index was not updated ({reason}). Queries "
            f"stay correct and always read the new files; catch up with: hudi-skip index update {path}"
        )
        _logger.warning(message)
        _logger.debug("details of the failed index update of %s", path, exc_info=error)
    # Points to the caller of this module's public function.
    warnings.warn(message, IndexUpdateWarning, stacklevel=3)
    return WriteResult(None, reason)


def _column_names(schema: StructType) -> Iterator[str]:
    """Names of the columns of a schema and, with dots, of the fields of structs."""
    for field in schema.fields:
        yield field.name
        if isinstance(field.dataType, StructType):
            yield from (f"{field.name}.{name}" for name in _column_names(field.dataType))
