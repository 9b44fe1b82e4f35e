"""Compacts the index of a Hudi table."""

from os import PathLike

from pyspark.sql import SparkSession

from pycompiler.index.compactor import Compaction, compact
from pycompiler.index.file_systems.factory import open_storage
from pycompiler.index.publisher import GRACE_SECONDS
from pycompiler.spark.hudi_table import HudiTable


def compact_index(
    spark: SparkSession, path: str | PathLike[str], grace_seconds: float = GRACE_SECONDS
) -> Compaction:
    """Folds a table's index into one data file, without rows of files that the table no longer has.

    Files that are not indexed yet stay so; updates add them. Unlisted index files are removed if they are
    older than the grace period.

    Raises:
        IndexUnavailableError: The index is missing or unusable; the message says why.
        NotAHudiTableError: There is no Hudi table at the path.
        UnsupportedTableError: The table is bootstrapped, or not Parquet.
        UnsupportedStorageError: No index can be kept on its file system.
        PublishError: Lost every race to publish.
    """
    table = HudiTable(spark, path)

    def latest_files() -> frozenset[str]:
        return frozenset(file.relative_path for file in table.snapshot().files)

    return compact(open_storage(table.root), latest_files, grace_seconds)
