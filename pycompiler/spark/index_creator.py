"""IndexCreator: turns the files of commits into a published index, on Spark's executors."""

import logging
import shlex
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from os import PathLike, fspath
from typing import Final

from pyspark.sql import DataFrame, SparkSession

from pycompiler.catalogue.interface import PartitionCatalogue
from pycompiler.index.choices import GivenUp, added_to, given_up, kinds_text
from pycompiler.index.errors import DamagedBaseError, IndexDamagedError, OvertakenError
from pycompiler.index.file_systems.factory import open_storage
from pycompiler.index.options import IndexChoice, IndexOptions, IndexOptionsError
from pycompiler.index.publisher import Delta, IndexPublisher
from pycompiler.index.records import FILES
from pycompiler.spark.footers import WriteStatuses, footer_records
from pycompiler.spark.hudi_table import HudiTable
from pycompiler.spark.index_writer import IndexWriter
from pycompiler.spark.progress import Progress, no_progress
from pycompiler.table.errors import UnknownChangesError
from pycompiler.table.update_work import Work, by_listing, by_timeline

_ATTEMPTS: Final = 20
"""Retries of an update that lost a race; each has less to do."""

_logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class IndexUpdate:
    """The result of a build or an update.

    Attributes:
        generation: The generation in force now.
        published: Whether it is new; False if there was nothing to do.
        instant: Last completed instant of the table that the index has seen.
        files: Base and log files of the table; unlike in `IndexStatus`, each is counted.
        files_added: How many of these were read.
        files_gone: Files that have left the table since the last update; their rows are dropped when the
            index is folded or compacted.
        records: Rows added.
        listed_because: Why all files of the table were listed; None if its timeline told what has changed.
        no_longer_kept: Kinds that the index had for a column, and that the new options lack, by column. After
            an update, files that were indexed before still have them.
        replaced: Kinds for which the new options have other parameters, by column, with those of before.
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
    no_longer_kept: Mapping[str, Sequence[str]] = field(default_factory=dict)
    replaced: Mapping[str, Sequence[str]] = field(default_factory=dict)


class IndexCreator:
    """Builds and updates the statistics index of Hudi tables.

    Args:
        spark: A session with Hudi.
        options: Which columns to index, and how, as `IndexOptions` or kinds by column; None for the index's
            last options, initially a range for every column.
        progress: Called with the number of files done and in total, from another thread.
        catalogue: Receives each published generation. A failure is only logged as a warning: the index is in
            force, and queries take what the catalogue lacks from the timeline.
        adds: Whether the options add to the index's last options instead of taking their place.
    """

    def __init__(
        self,
        spark: SparkSession,
        options: IndexChoice = None,
        progress: Progress = no_progress,
        catalogue: PartitionCatalogue | None = None,
        *,
        adds: bool = False,
    ) -> None:
        self._spark = spark
        self._options = IndexOptions.of(options)
        self._progress = progress
        self._catalogue = catalogue
        self._adds = adds

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
        """Builds the index of a table from all of its latest files.

        Raises:
            NotAHudiTableError: There is no Hudi table at the path.
            UnsupportedTableError: The table is bootstrapped, or not Parquet.
            UnsupportedStorageError: No index can be kept on its file system.
            PublishError: The index could not be published.
            IndexOptionsError: The index has kinds of a package that is not installed here, or the options
                name a column that the table does not have.
            ExecutorPythonError: The executors' Python lacks a library, and there are too many files for the
                driver alone.
            SparkUnavailableError: The session lacks Hudi or the table's file system.
        """
        base, built = self._run(path, rebuild=True)
        if base is not None and built.generation != base + 1:
            # Others have published meanwhile, and folding may have dropped what they added.
            _, updated = self._run(path, rebuild=False)
            built = replace(
                updated,
                published=True,
                files_added=built.files_added + updated.files_added,
                records=built.records + updated.records,
                seconds=built.seconds + updated.seconds,
                no_longer_kept=built.no_longer_kept,
                replaced=built.replaced,
            )
        self._publish_partitions(path)
        return built

    def update(self, path: str | PathLike[str]) -> IndexUpdate:
        """Updates the index: reads the footers of files that it has no rows for.

        The commits that the index has not seen determine these files, so an update's cost depends on the new
        commits, not on the table's size. If the timeline cannot tell (docs/inside/formats.md lists the
        cases), all files are listed. A missing or damaged index is built. If nothing has changed, nothing is
        published, and the index's checksums are verified instead. Raises the errors of `build`, and:

        Raises:
            IndexVersionError: A newer version of this program maintains the index.
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
            _logger.warning("could not publish the partitions of %s: %s", path, error)
            _logger.debug("details of the failed publication of %s", path, exc_info=error)

    def _run(self, path: str | PathLike[str], rebuild: bool) -> tuple[int | None, IndexUpdate]:
        """Also returns the generation that it started from; None if there was no readable one."""
        started = time.monotonic()
        table = HudiTable(self._spark, path)
        reason = "the index is rebuilt"
        for _ in range(0 if rebuild else _ATTEMPTS):
            try:
                return self._carry_out(table, by_timeline(table.root), started)
            except OvertakenError:
                reason = "this update lost every race to publish"
            except (UnknownChangesError, IndexDamagedError, DamagedBaseError) as error:
                reason = str(error)
                break
        _logger.info("listing all files of %s: %s", table.root, reason)
        return self._carry_out(table, by_listing(table.root, table.snapshot, rebuild, reason), started)

    def _carry_out(self, table: HudiTable, work: Work, started: float) -> tuple[int | None, IndexUpdate]:
        base = work.base
        kept = {} if base is None else base.kinds
        if self._options is not None and (columns := table.columns()):
            # A column that was dropped after it was indexed is not an error.
            self._options.require_columns({*columns, *kept}, f"the table {table.root}")
        options = self._options_after(kept, table.root)
        sized = options.sized(work.files)
        written = IndexWriter(self._spark, table, sized).write(work.new, self._progress, work.gone)
        live = work.totals(written.rows)
        is_whole = written.files == len(work.new)
        if work.listed_because is None and not is_whole:
            raise UnknownChangesError("files that the new commits wrote are gone")
        manifest = base
        nothing_to_do = (
            not work.alters_manifest(live) and not written.data_files and kept == options.document()
        )
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
                    # Without options of its own, it must not revert those of a concurrent publisher.
                    kinds=None if self._options is None else options.document(),
                    timeline=work.timeline if is_whole else None,
                ),
            )
        changed = GivenUp({}, {}) if base is None else given_up(kept, options)
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
            no_longer_kept=changed.no_longer_kept,
            replaced=changed.replaced,
        )

    def _options_after(self, kept: Mapping[str, Sequence[str]], root: str) -> IndexOptions:
        """The options of the new generation, after those that the index had last."""
        if self._options is not None and not self._adds:
            return self._options
        try:
            return IndexOptions(kept) if self._options is None else added_to(kept, self._options)
        except IndexOptionsError as error:
            raise IndexOptionsError(
                f"the index of {root} has {kinds_text(kept)}, but {error}. Install the package of that kind, "
                f"or choose again without it: hudi-skip index build {shlex.quote(root)} --index COLUMN=KIND,…"
            ) from error
