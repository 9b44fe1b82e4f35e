"""IndexCreator: from the files that commits wrote to a published index, on Spark's executors."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from os import PathLike
from typing import Final

from pyspark.sql import DataFrame, SparkSession

from pycompiler.index.errors import IndexDamagedError, IndexMissingError, IndexVersionError
from pycompiler.index.index import StatisticsIndex
from pycompiler.index.manifest import LiveTotals, Manifest
from pycompiler.index.options import IndexChoice, IndexOptions
from pycompiler.index.publisher import Delta, IndexPublisher
from pycompiler.index.records import FILES, IndexedFile, WriteStatus
from pycompiler.index.storage.factory import open_storage
from pycompiler.spark.footers import WriteStatuses, footer_records
from pycompiler.spark.index_writer import IndexWriter
from pycompiler.spark.progress import Progress, no_progress
from pycompiler.spark.timeline import HudiTable

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
        files_gone: Files that have rows and are no longer the table's; their rows go when the index is
            compacted.
        records: Rows added.
        seconds: Time that it took.
    """

    generation: int
    published: bool
    instant: str
    files: int
    files_added: int
    files_gone: int
    records: int
    seconds: float


class IndexCreator:
    """Makes and keeps the statistics index of Hudi tables.

    Args:
        spark: A session with Hudi.
        options: Which columns to index, and how, or the kinds of `IndexOptions`; None for what the index had
            last, which is a range of every column at first.
        progress: Told how many of the files to read are done, from another thread.
    """

    def __init__(
        self,
        spark: SparkSession,
        options: IndexChoice = None,
        progress: Progress = no_progress,
    ) -> None:
        self._spark = spark
        self._options = IndexOptions.of(options)
        self._progress = progress

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
            UnsupportedTableError: The table is not copy-on-write Parquet.
            UnsupportedStorageError: No index can be kept on its file system.
            PublishError: The index could not be published.
            IndexOptionsError: The index has kinds of a package that is not installed here, or the options
                name a column that the table does not have.
            ExecutorPythonError: The executors' Python lacks a library, and the files are too many for the
                driver alone.
            SparkUnavailableError: The session lacks Hudi or the table's file system.
        """
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

        A table without an index gets one; a damaged one is built anew. When nothing has changed, nothing is
        published.

        Raises:
            IndexVersionError: A newer version of this program keeps the index.
            NotAHudiTableError: There is no Hudi table at the path.
            UnsupportedTableError: The table is not copy-on-write Parquet.
            UnsupportedStorageError: No index can be kept on its file system.
            PublishError: The index could not be published.
            IndexOptionsError: The index has kinds of a package that is not installed here, or the options
                name a column that the table does not have.
            ExecutorPythonError: The executors' Python lacks a library, and the files are too many for the
                driver alone.
            SparkUnavailableError: The session lacks Hudi or the table's file system.
        """
        return self._run(path, rebuild=False)[1]

    def _run(self, path: str | PathLike[str], rebuild: bool) -> tuple[int | None, IndexUpdate]:
        """Gives also the generation that it started from, None if there was none that can be read."""
        started = time.monotonic()
        table = HudiTable(self._spark, path)
        storage = open_storage(table.root)
        # The index before the listing: what it knows and the listing does not is gone, not new.
        base = _base(table.root, rebuild)
        snapshot = table.snapshot()
        listed = {file.relative_path: file for file in snapshot.files}
        kept = {} if base.manifest is None else base.manifest.kinds
        if self._options is not None and (columns := table.columns()):
            # A column that was dropped after the index took it is no mistake.
            self._options.require_columns({*columns, *kept}, f"the table {table.root}")
        new = [file for name, file in listed.items() if not _is_current(file, base.known.get(name))]
        options = IndexOptions(kept) if self._options is None else self._options
        written = IndexWriter(self._spark, table, options).write(new, self._progress)
        old_rows = sum(base.known[name].rows for name in listed.keys() - {file.relative_path for file in new})
        live = LiveTotals(len(listed), old_rows + written.rows, sum(file.size for file in snapshot.files))
        manifest = base.manifest
        nothing_to_do = (
            manifest is not None
            and base.publish is IndexPublisher.add
            and not written.data_files
            and (manifest.instant, manifest.live, kept) == (snapshot.instant, live, options.document())
        )
        if manifest is None or not nothing_to_do:
            manifest = base.publish(
                IndexPublisher(storage),
                Delta(
                    data_files=written.data_files,
                    table=snapshot.name,
                    instant=snapshot.instant,
                    live=live,
                    live_paths=frozenset(listed),
                    base_generation=None if base.manifest is None else base.manifest.generation,
                    # Without options of its own it must not undo those of another that was faster.
                    kinds=None if self._options is None else options.document(),
                ),
            )
        return None if base.manifest is None else base.manifest.generation, IndexUpdate(
            generation=manifest.generation,
            published=not nothing_to_do,
            instant=manifest.instant,
            files=len(listed),
            files_added=len(new),
            files_gone=len(base.known.keys() - listed.keys()),
            records=written.records,
            seconds=time.monotonic() - started,
        )


@dataclass(frozen=True, slots=True)
class _Base:
    """The index that a run starts from.

    Attributes:
        manifest: Its manifest; None if there is none that can be used.
        known: Files that need no reading.
        publish: How what is collected goes into force.
    """

    manifest: Manifest | None
    known: Mapping[str, IndexedFile]
    publish: Callable[[IndexPublisher, Delta], Manifest]


def _base(table_root: str, rebuild: bool) -> _Base:
    try:
        index = StatisticsIndex.open(table_root)
    except IndexMissingError:
        return _Base(None, {}, IndexPublisher.add)
    except IndexDamagedError as error:
        _logger.warning("the statistics index of %s is built anew: %s", table_root, error)
        return _Base(None, {}, IndexPublisher.start_over)
    except IndexVersionError:
        if not rebuild:
            raise
        return _Base(None, {}, IndexPublisher.start_over)
    names = frozenset(data_file.name for data_file in index.manifest.data_files)
    # An empty index has nothing to be replaced, and need not be published again as it is.
    replacing = partial(IndexPublisher.replace, superfluous=names) if names else IndexPublisher.add
    if rebuild:
        return _Base(index.manifest, {}, replacing)
    try:
        index.check()  # What is damaged would stay so: a reader that meets it uses no index at all.
        return _Base(index.manifest, index.files(), IndexPublisher.add)
    except IndexDamagedError as error:
        _logger.warning("the statistics index of %s is built anew: %s", table_root, error)
        return _Base(index.manifest, {}, replacing)


def _is_current(file: WriteStatus, indexed: IndexedFile | None) -> bool:
    return indexed is not None and indexed.size == file.size


def _uncounted(files: int) -> None:
    """Counts nothing."""
