"""IndexCreator: from the files that commits wrote to a published index, on Spark's executors."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass, replace
from os import PathLike, fspath
from typing import Final, Protocol

from pyspark.sql import DataFrame, SparkSession

from pycompiler.index.errors import DamagedBaseError, IndexDamagedError, OvertakenError
from pycompiler.index.options import IndexChoice, IndexOptions
from pycompiler.index.publisher import Delta, IndexPublisher
from pycompiler.index.records import FILES
from pycompiler.index.storage.factory import open_storage
from pycompiler.spark.footers import WriteStatuses, footer_records
from pycompiler.spark.index_writer import IndexWriter
from pycompiler.spark.progress import Progress, no_progress
from pycompiler.spark.timeline import HudiTable
from pycompiler.table.errors import UnknownChangesError
from pycompiler.table.work import Work, by_listing, by_timeline

_ATTEMPTS: Final = 20
"""So often an update that others overtake starts again, with less to do, from what they have published."""


class PartitionPublisher(Protocol):
    """Where the partitions of a table are published beside its index, such as `HBaseCatalogue`."""

    def publish(self, table_root: str) -> object:
        """Publishes those that the newest generation of the index has."""


_IS_FILE: Final = f"(kind = '{FILES}')"
_logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class IndexUpdate:
    """What a build or an update did.

    Attributes:
        generation: The generation in force now.
        published: Whether it is a new one; False if there was nothing to do.
        instant: Last completed instant of the table that the index has seen.
        files: Base files of the table.
        files_added: Base files whose footers were read.
        files_gone: Files that have left the table since the index was last updated; their rows go when the
            index is folded or compacted.
        records: Rows added.
        seconds: Time that it took.
        listed_because: Why all files of the table were listed; None if its timeline said what has changed.
    """

    generation: int
    published: bool
    instant: str
    files: int
    files_added: int
    files_gone: int
    records: int
    seconds: float
    listed_because: str | None = None


class IndexCreator:
    """Makes and keeps the statistics index of Hudi tables.

    Args:
        spark: A session with Hudi.
        options: Which columns to index, and how, or the kinds of `IndexOptions`; None for what the index had
            last, which is a range of every column at first.
        progress: Told how many of the files to read are done, from another thread.
        catalogue: Told of each generation that was published. If it fails, that is a warning in the log: the
            index is in force, and queries take from the timeline what the catalogue does not know.
    """

    def __init__(
        self,
        spark: SparkSession,
        options: IndexChoice = None,
        progress: Progress = no_progress,
        catalogue: PartitionPublisher | None = None,
    ) -> None:
        self._spark = spark
        self._options = IndexOptions.of(options)
        self._progress = progress
        self._catalogue = catalogue

    def collect_metadata(self, write_statuses: WriteStatuses) -> DataFrame:
        """Reads the footers of base files on the executors.

        Args:
            write_statuses: The files: `WriteStatus` objects, an RDD of them, or a DataFrame with their fields
                as columns.

        Returns:
            A DataFrame with one row per kind, column and base file, with the fields of
            `HoodieMetadataRecord`, computed when it is used. A file that is gone by then has no rows; one
            that isn't readable fails the job.
        """
        options = self._options or IndexOptions()
        return footer_records(self._spark, write_statuses, options, _uncounted).where(f"not {_IS_FILE}")

    def build(self, path: str | PathLike[str]) -> IndexUpdate:
        """Builds the index of a table anew, from all of its latest base files.

        Raises:
            NotAHudiTableError: There is no Hudi table at the path.
            UnsupportedTableError: The table is bootstrapped, or not Parquet.
            UnsupportedStorageError: No index can be kept on its file system.
            PublishError: The index could not be published.
            IndexOptionsError: The index has kinds of a package that is not installed here, or the options
                name a column that the table does not have.
            ExecutorPythonError: The executors' Python lacks a library, and the files are too many for the
                driver alone.
            SparkUnavailableError: The session lacks Hudi or the table's file system.
        """
        built = self._build(path)
        self._publish_partitions(path)
        return built

    def _build(self, path: str | PathLike[str]) -> IndexUpdate:
        base, built = self._run(path, rebuild=True)
        if base is None or built.generation == base + 1:
            return built
        # Others published meanwhile. What they added may have gone, with what they folded.
        _, updated = self._run(path, rebuild=False)
        return replace(
            updated,
            published=True,
            files_added=built.files_added + updated.files_added,
            records=built.records + updated.records,
            seconds=built.seconds + updated.seconds,
        )

    def update(self, path: str | PathLike[str]) -> IndexUpdate:
        """Brings the index up to date: reads the footers of files that it has no rows for.

        The commits that the index has not seen say which files these are, so that an update costs as much as
        they did, however large the table is. Where the timeline can't say it (docs/format.md has the cases),
        all files are listed. A table without an index gets one; a damaged one is built anew. When nothing has
        changed, nothing is published, and the checksums of the index are compared instead.

        Raises:
            IndexVersionError: A newer version of this program keeps the index.
            NotAHudiTableError: There is no Hudi table at the path.
            UnsupportedTableError: The table is bootstrapped, or not Parquet.
            UnsupportedStorageError: No index can be kept on its file system.
            PublishError: The index could not be published.
            IndexOptionsError: The index has kinds of a package that is not installed here, or the options
                name a column that the table does not have.
            ExecutorPythonError: The executors' Python lacks a library, and the files are too many for the
                driver alone.
            SparkUnavailableError: The session lacks Hudi or the table's file system.
        """
        _, updated = self._run(path, rebuild=False)
        if updated.published:
            self._publish_partitions(path)
        return updated

    def _publish_partitions(self, path: str | PathLike[str]) -> None:
        if self._catalogue is None:
            return
        try:
            self._catalogue.publish(fspath(path))
        except Exception as error:
            _logger.warning("the partitions of %s are not published: %s", path, error)
            _logger.debug("why the partitions of %s are not published", path, exc_info=error)

    def _run(self, path: str | PathLike[str], rebuild: bool) -> tuple[int | None, IndexUpdate]:
        """Gives also the generation that it started from, None if there was none that can be read."""
        started = time.monotonic()
        table = HudiTable(self._spark, path)
        reason = "the index is built anew"
        for _ in range(0 if rebuild else _ATTEMPTS):
            try:
                return self._carry_out(table, by_timeline(table.root), started)
            except OvertakenError:
                reason = "other publishers were faster all the time"
            except (UnknownChangesError, IndexDamagedError, DamagedBaseError) as error:
                reason = str(error)
                break
        _logger.info("all files of %s are listed: %s", table.root, reason)
        return self._carry_out(table, by_listing(table.root, table.snapshot, rebuild, reason), started)

    def _carry_out(self, table: HudiTable, work: Work, started: float) -> tuple[int | None, IndexUpdate]:
        base = work.base
        kept = {} if base is None else base.kinds
        if self._options is not None and (columns := table.columns()):
            # A column that was dropped after the index took it is no mistake.
            self._options.require_columns({*columns, *kept}, f"the table {table.root}")
        options = IndexOptions(kept) if self._options is None else self._options
        sized = options.sized(work.files)
        written = IndexWriter(self._spark, table, sized).write(work.new, self._progress, work.gone)
        live = work.totals(written.rows)
        is_whole = written.files == len(work.new)
        if work.listed_because is None and not is_whole:
            raise UnknownChangesError("files that the new commits wrote are gone")
        manifest = base
        nothing_to_do = not work.is_news(live) and not written.data_files and kept == options.document()
        if manifest is None or not nothing_to_do:
            manifest = work.publish(
                IndexPublisher(open_storage(table.root)),
                Delta(
                    data_files=written.data_files,
                    table=table.name,
                    instant=work.instant,
                    live=live,
                    live_paths=work.live_paths,
                    base_generation=None if base is None else base.generation,
                    # Without options of its own it must not undo those of another that was faster.
                    kinds=None if self._options is None else options.document(),
                    timeline=work.timeline if is_whole else None,
                ),
            )
        return None if base is None else base.generation, IndexUpdate(
            generation=manifest.generation,
            published=not nothing_to_do,
            instant=manifest.instant,
            files=live.files,
            files_added=len(work.new),
            files_gone=len(work.gone),
            records=written.records,
            seconds=time.monotonic() - started,
            listed_because=work.listed_because,
        )


def _uncounted(files: int) -> None:
    """Counts nothing."""
