"""IndexCreator: builds and updates indexes in a Spark application."""

from os import PathLike

from pyspark.sql import DataFrame, SparkSession

from pycompiler.index.file_systems.location import Location
from pycompiler.index.options import IndexChoice, IndexOptions
from pycompiler.index.records import FILES
from pycompiler.indexing.indexer import Indexer
from pycompiler.indexing.progress import Progress, no_progress
from pycompiler.spark.cluster import SparkCluster, WriteStatuses, footer_records
from pycompiler.spark.file_systems import qualified
from pycompiler.table.catalogue.interface import PartitionCatalogue


class IndexCreator(Indexer):
    """Builds and updates the statistics index of Hudi tables; see `Indexer`.

    Args:
        spark: A session with Hudi. A path without a file system is on the session's.
        options, progress, catalogue, adds: As for `Indexer`.
        seconds_on_driver: Work that is expected to take the driver longer is given to the executors; None for
            the time that these take to start.

    Besides the errors of `Indexer`, `build` and `update` raise `ExecutorPythonError` if the executors' Python
    lacks a library and there are too many files for the driver alone, and `SparkUnavailableError` if the
    session lacks the table's file system.
    """

    def __init__(
        self,
        spark: SparkSession,
        options: IndexChoice = None,
        progress: Progress = no_progress,
        catalogue: PartitionCatalogue | None = None,
        *,
        adds: bool = False,
        seconds_on_driver: float | None = None,
    ) -> None:
        super().__init__(SparkCluster(spark, seconds_on_driver), options, progress, catalogue, adds=adds)
        self._spark = spark

    def collect_metadata(self, write_statuses: WriteStatuses) -> DataFrame:
        """Reads the footers of files on the executors.

        Args:
            write_statuses: The files: `WriteStatus` objects, an RDD of them, or a DataFrame with their fields
                as columns.

        Returns:
            A lazy DataFrame with one row per kind, column and file, with the fields of
            `HoodieMetadataRecord`. Files that are gone when it is computed have no rows; an unreadable file
            fails the job.
        """
        options = self._options or IndexOptions()
        records = footer_records(self._spark, write_statuses, options, lambda files: None)
        return records.where(f"kind <> '{FILES}'")

    def _root(self, path: str | PathLike[str]) -> str:
        return str(Location.parse(qualified(self._spark, path)))
