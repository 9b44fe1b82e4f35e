"""Compacting the index of a Hudi table."""

from __future__ import annotations

from os import PathLike

from pyspark.sql import SparkSession

from pycompiler.index.compactor import Compaction, compact
from pycompiler.index.publisher import GRACE_SECONDS
from pycompiler.index.storage.factory import open_storage
from pycompiler.spark.timeline import HudiTable


def compact_index(
    spark: SparkSession, path: str | PathLike[str], grace_seconds: float = GRACE_SECONDS
) -> Compaction:
    """Folds the index of a table into one data file without rows of files that the table no longer has.

    Base files that are not indexed yet stay so: that is what an update is for.

    Args:
        spark: A session with Hudi.
        path: Root of the table.
        grace_seconds: Files of the index that nobody lists stay until they are this old.

    Raises:
        IndexUnavailableError: There is no index, or it can't be used; the message says why.
        NotAHudiTableError: There is no Hudi table at the path.
        UnsupportedTableError: The table is bootstrapped, or not Parquet.
        UnsupportedStorageError: No index can be kept on its file system.
        PublishError: Others published all the time.
    """
    table = HudiTable(spark, path)

    def latest_files() -> frozenset[str]:
        return frozenset(file.relative_path for file in table.snapshot().files)

    return compact(open_storage(table.root), latest_files, grace_seconds)
