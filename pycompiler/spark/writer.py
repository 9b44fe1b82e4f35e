"""Writing a Hudi table and its index in one call."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession

from pycompiler.index.errors import FooterError, IndexUnavailableError, PublishError, UnsupportedStorageError
from pycompiler.index.options import IndexOptions, IndexOptionsError
from pycompiler.spark.errors import IndexUpdateWarning, NotAHudiTableError, UnsupportedTableError
from pycompiler.spark.index_creator import IndexCreator, IndexUpdate
from pycompiler.spark.jvm import JvmError

_TABLE_TYPE: Final = "hoodie.datasource.write.table.type"
_logger = logging.getLogger(__name__)

_INDEX_FAILURES: Final = (
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
    path: str,
    hudi_options: Mapping[str, str],
    index: IndexOptions | None = None,
    mode: str = "append",
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
        index: Which columns to index; None for all.
        mode: Spark's save mode.

    Raises:
        UnsupportedTableError: The options ask for a merge-on-read table; nothing was written.
    """
    require_copy_on_write(hudi_options)
    df.write.format("hudi").options(**hudi_options).mode(mode).save(path)
    return update_after_write(df.sparkSession, path, index)


def require_copy_on_write(hudi_options: Mapping[str, str]) -> None:
    """Refuses options of a table that is not indexed.

    Raises:
        UnsupportedTableError: They ask for a merge-on-read table.
    """
    if hudi_options.get(_TABLE_TYPE, "COPY_ON_WRITE").upper() != "COPY_ON_WRITE":
        raise UnsupportedTableError(
            f"{_TABLE_TYPE}={hudi_options[_TABLE_TYPE]}: only copy-on-write tables are indexed; "
            "nothing was written"
        )


def update_after_write(spark: SparkSession, path: str, index: IndexOptions | None) -> WriteResult:
    """Brings the index of a table up to date that was just written to, with a warning if that fails.

    Args:
        spark: The session that has written.
        path: Root of the table.
        index: Which columns to index; None for all.
    """
    try:
        return WriteResult(IndexCreator(spark, index).update(path))
    except _INDEX_FAILURES as error:
        # The first line says it; what Java adds is its stack.
        reason = f"{type(error).__name__}: {str(error).splitlines()[0]}"
        message = (
            f"{path} was written, but its statistics index was not brought up to date ({reason}). Queries "
            f"stay right and read the new files whole; catch up with: hudi-skip index update {path}"
        )
        _logger.warning(message, exc_info=error)
    # Names the line that called the function of this module that users call.
    warnings.warn(message, IndexUpdateWarning, stacklevel=3)
    return WriteResult(None, reason)
