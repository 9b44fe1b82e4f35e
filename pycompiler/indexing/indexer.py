"""Turns the files of commits into a published index."""

import logging
import shlex
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from os import PathLike, fspath
from typing import Final

from pycompiler.index.choices import GivenUp, added_to, given_up, kinds_text
from pycompiler.index.errors import DamagedBaseError, IndexDamagedError, OvertakenError
from pycompiler.index.file_systems.factory import open_storage
from pycompiler.index.options import IndexChoice, IndexOptions, IndexOptionsError
from pycompiler.index.publisher import Delta, IndexPublisher
from pycompiler.indexing.cluster import Cluster, FilesToRead, Written
from pycompiler.indexing.collecting import cluster_for, write_here
from pycompiler.indexing.progress import FileCounter, Progress, UnreadFiles, no_progress
from pycompiler.indexing.table import IndexedTable, columns_of_files, listed
from pycompiler.table.catalogue.interface import PartitionCatalogue
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


class Indexer:
    """Builds and updates the statistics index of tables, in this process where it can.

    Args:
        cluster: Spark; None where there is none.
        options: Which columns to index, and how, as `IndexOptions` or kinds by column; None for the index's
            last options, initially a range for every column.
        progress: Called with the number of files done and in total, possibly from another thread.
        catalogue: Receives each published generation. A failure is only logged as a warning: the index is in
            force, and queries take what the catalogue lacks from the timeline.
        adds: Whether the options add to the index's last options instead of taking their place.
        processes: How many processes may read files, if that saves time. More than one starts Python again,
            so the main module must be one that can be imported.
    """

    def __init__(
        self,
        cluster: Cluster | None = None,
        options: IndexChoice = None,
        progress: Progress = no_progress,
        catalogue: PartitionCatalogue | None = None,
        *,
        adds: bool = False,
        processes: int = 1,
    ) -> None:
        self._processes = processes
        self._cluster = cluster
        self._options = IndexOptions.of(options)
        self._progress = progress
        self._catalogue = catalogue
        self._adds = adds

    def build(self, path: str | PathLike[str]) -> IndexUpdate:
        """Builds the index of a table from all of its latest files.

        Raises:
            NotAHudiTableError: There is no Hudi table at the path.
            UnsupportedTableError: The table is bootstrapped, or not Parquet.
            UnsupportedStorageError: No index can be kept on its file system.
            PublishError: The index could not be published.
            IndexOptionsError: The index has kinds of a package that is not installed here, or the options
                name a column that the table does not have.
            UnknownFilesError: The table's files do not show which of them are current, and there is no Spark.
        """
        root = self._root(path)
        base, built = self._run(root, rebuild=True)
        if base is not None and built.generation != base + 1:
            # Others have published meanwhile, and folding may have dropped what they added.
            _, updated = self._run(root, rebuild=False)
            built = replace(
                updated,
                published=True,
                files_added=built.files_added + updated.files_added,
                records=built.records + updated.records,
                seconds=built.seconds + updated.seconds,
                no_longer_kept=built.no_longer_kept,
                replaced=built.replaced,
            )
        self._publish_partitions(root)
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
        root = self._root(path)
        _, updated = self._run(root, rebuild=False)
        if updated.published:
            self._publish_partitions(root)
        return updated

    def _root(self, path: str | PathLike[str]) -> str:
        return fspath(path)

    def _publish_partitions(self, root: str) -> None:
        if self._catalogue is None:
            return
        try:
            self._catalogue.publish(root)
        except Exception as error:
            _logger.warning("could not publish the partitions of %s: %s", root, error)
            _logger.debug("details of the failed publication of %s", root, exc_info=error)

    def _run(self, root: str, rebuild: bool) -> tuple[int | None, IndexUpdate]:
        """Also returns the generation that it started from; None if there was no readable one."""
        started = time.monotonic()
        table = IndexedTable(root)
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
        return self._carry_out(
            table, by_listing(table.root, lambda: listed(table.root, self._cluster), rebuild, reason), started
        )

    def _carry_out(self, table: IndexedTable, work: Work, started: float) -> tuple[int | None, IndexUpdate]:
        base = work.base
        kept = {} if base is None else base.kinds
        if self._options is not None and (columns := columns_of_files(table, self._cluster).names):
            # A column that was dropped after it was indexed is not an error.
            self._options.require_columns({*columns, *kept}, f"the table {table.root}")
        options = self._options_after(kept, table.root)
        sized = options.sized(work.files)
        written = self._write(table, sized, work)
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
                    table=table.properties.name,
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

    def _write(self, table: IndexedTable, options: IndexOptions, work: Work) -> Written:
        """Reads the new files: here, or on the cluster if that takes too long here."""
        if not work.new and not work.gone:
            return Written()
        columns, unread = columns_of_files(table, self._cluster), UnreadFiles()
        to_read = FilesToRead(table.root, columns, options, work.new)
        cluster = cluster_for(to_read, self._cluster)
        written = None if cluster is None else cluster.write(to_read, self._progress, unread)
        counted = FileCounter(len(work.new), self._progress)
        left = to_read if written is None else replace(to_read, files=())
        here = write_here(left, counted.add, work.gone, unread.add, self._processes)
        unread.warn()
        return here if written is None else written.with_more(here)

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
