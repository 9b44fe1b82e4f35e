"""IndexCreator: builds and updates indexes in a Spark application."""

from os import PathLike

from pyspark.sql import DataFrame, SparkSession

from pycompiler.index.file_systems.location import Location
from pycompiler.index.options import IndexChoice, IndexOptions
from pycompiler.index.records import FILES
from pycompiler.indexing.creator import Indexer, IndexUpdate
from pycompiler.indexing.progress import Progress, no_progress
from pycompiler.spark.cluster import SparkCluster
from pycompiler.spark.file_systems import qualified
from pycompiler.spark.footers import WriteStatuses, footer_records
from pycompiler.table.catalogue.interface import PartitionCatalogue


class IndexCreator:
    """Builds and updates the statistics index of Hudi tables.

    Args:
        spark: A session with Hudi.
        options: Which columns to index, and how, as `IndexOptions` or kinds by column; None for the index's
            last options, initially a range for every column.
        progress: Called with the number of files done and in total, possibly from another thread.
        catalogue: Receives each published generation. A failure is only logged as a warning: the index is in
            force, and queries take what the catalogue lacks from the timeline.
        adds: Whether the options add to the index's last options instead of taking their place.
        seconds_on_driver: Work that is expected to take the driver longer is given to the executors; None for
            the time that these take to start.
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
        self._spark = spark
        self._options = IndexOptions.of(options)
        cluster = SparkCluster(spark, seconds_on_driver)
        self._indexer = Indexer(cluster, self._options, progress, catalogue, adds=adds)

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

    def build(self, path: str | PathLike[str]) -> IndexUpdate:
        """Builds the index of a table from all of its latest files; see `Indexer.build`.

        Raises:
            ExecutorPythonError: The executors' Python lacks a library, and there are too many files for the
                driver alone.
            SparkUnavailableError: The session lacks the table's file system.
        """
        return self._indexer.build(self._root(path))

    def update(self, path: str | PathLike[str]) -> IndexUpdate:
        """Updates the index: reads the footers of files that it has no rows for; see `Indexer.update`.

        Raises the errors of `build`, and:

        Raises:
            IndexVersionError: A newer version of this program maintains the index.
        """
        return self._indexer.update(self._root(path))

    def _root(self, path: str | PathLike[str]) -> str:
        """The table's root, on the session's file system if the path names none."""
        return str(Location.parse(qualified(self._spark, path)))
