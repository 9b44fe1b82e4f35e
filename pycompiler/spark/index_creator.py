"""IndexCreator: from the files that commits wrote to a published index, on Spark's executors."""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from pyspark import Broadcast, StorageLevel
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from pycompiler.index.errors import IndexDamagedError, IndexMissingError, IndexVersionError
from pycompiler.index.index import StatisticsIndex
from pycompiler.index.manifest import DataFile, LiveTotals, Manifest
from pycompiler.index.opening import open_storage
from pycompiler.index.options import IndexOptions
from pycompiler.index.publisher import Delta, IndexPublisher
from pycompiler.index.records import FILES, IndexedFile, WriteStatus
from pycompiler.spark.footers import WriteStatuses, footer_records
from pycompiler.spark.progress import Progress, ProgressCounter, no_progress
from pycompiler.spark.shipping import ship_package
from pycompiler.spark.tasks import (
    ENTRY_SCHEMA,
    FILE_TABLE_COLUMNS,
    RECORD_ORDER,
    data_file_writer,
    file_table_maker,
    read_entry,
    whole_index_writer,
)
from pycompiler.spark.timeline import HudiTable

_ROWS_PER_DATA_FILE: Final = 4_000_000
FILES_IN_ONE_TASK: Final = 64
"""Files whose footers one task reads in a second or so."""

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
        options: Which columns to index, and how; None for what the index had last, which is a range of every
            column at first.
        progress: Told how many of the files to read are done, from another thread.
    """

    def __init__(
        self,
        spark: SparkSession,
        options: IndexOptions | None = None,
        progress: Progress = no_progress,
    ) -> None:
        self._spark = spark
        self._options = options
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

    def build(self, path: str) -> IndexUpdate:
        """Builds the index of a table anew, from all of its latest base files.

        Raises:
            NotAHudiTableError: There is no Hudi table at the path.
            UnsupportedTableError: The table is not copy-on-write Parquet.
            UnsupportedStorageError: No index can be kept on its file system.
            PublishError: The index could not be published.
            IndexOptionsError: The index has kinds of a package that is not installed here.
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

    def update(self, path: str) -> IndexUpdate:
        """Brings the index up to date: reads the footers of files that it has no rows for.

        A table without an index gets one; a damaged one is built anew. When nothing has changed, nothing is
        published.

        Raises:
            IndexVersionError: A newer version of this program keeps the index.
            NotAHudiTableError: There is no Hudi table at the path.
            UnsupportedTableError: The table is not copy-on-write Parquet.
            UnsupportedStorageError: No index can be kept on its file system.
            PublishError: The index could not be published.
            IndexOptionsError: The index has kinds of a package that is not installed here.
        """
        return self._run(path, rebuild=False)[1]

    def _run(self, path: str, rebuild: bool) -> tuple[int | None, IndexUpdate]:
        """Gives also the generation that it started from, None if there was none that can be read."""
        started = time.monotonic()
        table = HudiTable(self._spark, path)
        storage = open_storage(table.root)
        # The index before the listing: what it knows and the listing does not is gone, not new.
        base = _base(table.root, rebuild)
        snapshot = table.snapshot()
        listed = {file.relative_path: file for file in snapshot.files}
        new = [file for name, file in listed.items() if not _is_current(file, base.known.get(name))]
        kept = {} if base.manifest is None else base.manifest.kinds
        options = IndexOptions(kept) if self._options is None else self._options
        written = self._write(table, new, options)
        old_rows = sum(base.known[name].rows for name in listed.keys() - {file.relative_path for file in new})
        live = LiveTotals(len(listed), old_rows + written.rows, sum(file.size for file in snapshot.files))
        manifest = base.manifest
        nothing_to_do = (
            manifest is not None
            and base.replaces == frozenset()
            and not written.data_files
            and (manifest.instant, manifest.live, kept) == (snapshot.instant, live, options.document())
        )
        if manifest is None or not nothing_to_do:
            manifest = IndexPublisher(storage).publish(
                Delta(
                    data_files=written.data_files,
                    table=snapshot.name,
                    instant=snapshot.instant,
                    live=live,
                    live_paths=frozenset(listed),
                    base_generation=None if base.manifest is None else base.manifest.generation,
                    replaces=base.replaces,
                    # Without options of its own it must not undo those of another that was faster.
                    kinds=None if self._options is None else options.document(),
                )
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

    def _write(self, table: HudiTable, files: Sequence[WriteStatus], options: IndexOptions) -> _Written:
        """Reads footers and writes data files on the executors; the driver gets manifest entries only."""
        if not files:
            return _Written()
        with ProgressCounter(self._spark.sparkContext, len(files), self._progress) as count:
            # Page values take long enough to be shared out.
            if len(files) <= (FILES_IN_ONE_TASK if options.only_ranges else 1):
                return self._write_in_one_task(table, files, options, count)
            return self._write_sorted(table, files, options, count)

    def _write_in_one_task(
        self,
        table: HudiTable,
        files: Sequence[WriteStatus],
        options: IndexOptions,
        count: Callable[[int], None],
    ) -> _Written:
        """For a few files: each further stage would take longer than to read their footers."""
        context = self._spark.sparkContext
        ship_package(context)
        write = whole_index_writer(table.root, options, table.path_columns, count)
        written = [
            (read_entry(entry), rows)
            for entry, rows in context.parallelize(files, 1).mapPartitions(write).collect()
        ]
        return _Written(
            tuple(data_file for data_file, _ in written),
            sum(data_file.records for data_file, _ in written),
            sum(rows for _, rows in written),
        )

    def _write_sorted(
        self,
        table: HudiTable,
        files: Sequence[WriteStatus],
        options: IndexOptions,
        count: Callable[[int], None],
    ) -> _Written:
        records = footer_records(self._spark, files, options, count, table.path_columns)
        records.persist(StorageLevel.MEMORY_AND_DISK)
        try:
            totals = records.agg(
                F.expr(f"count_if({_IS_FILE})"),
                F.expr(f"sum(if({_IS_FILE}, value_count, 0))"),
                F.expr(f"count_if(not {_IS_FILE})"),
            ).first()
            if totals is None or not totals[0]:
                return _Written()  # All are gone by now.
            _, rows, number = totals
            parts = max(1, math.ceil(number / _ROWS_PER_DATA_FILE))
            divided = records.repartition(1) if parts == 1 else records.repartitionByRange(parts, "column")
            known = self._known_files(records)
            # Rows of base files go along, so that a file without any column is in the index as well.
            entries = (
                divided.sortWithinPartitions(*RECORD_ORDER)
                .mapInArrow(data_file_writer(table.root, known), ENTRY_SCHEMA)
                .collect()
            )
            known.destroy()
        finally:
            records.unpersist()
        return _Written(tuple(read_entry(entry[0]) for entry in entries), number, rows)

    def _known_files(self, records: DataFrame) -> Broadcast[bytes]:
        """The table of base files; the driver passes it on without looking at it."""
        tables = records.where(_IS_FILE).repartition(1).mapInArrow(file_table_maker, FILE_TABLE_COLUMNS)
        (row,) = tables.collect()
        return self._spark.sparkContext.broadcast(bytes(row[0]))


@dataclass(frozen=True, slots=True)
class _Written:
    """Data files that no manifest lists yet, their records, and the rows of the base files in them."""

    data_files: tuple[DataFile, ...] = ()
    records: int = 0
    rows: int = 0


@dataclass(frozen=True, slots=True)
class _Base:
    """The index that a run starts from: its manifest, files that need no reading, and what is replaced."""

    manifest: Manifest | None
    known: Mapping[str, IndexedFile]
    replaces: frozenset[str] | None


def _base(table_root: str, rebuild: bool) -> _Base:
    try:
        index = StatisticsIndex.open(table_root)
    except IndexMissingError:
        return _Base(None, {}, frozenset())
    except IndexDamagedError as error:
        _logger.warning("the statistics index of %s is built anew: %s", table_root, error)
        return _Base(None, {}, None)
    except IndexVersionError:
        if not rebuild:
            raise
        return _Base(None, {}, None)
    names = frozenset(data_file.name for data_file in index.manifest.data_files)
    if rebuild:
        return _Base(index.manifest, {}, names)
    try:
        index.check()  # What is damaged would stay so: a reader that meets it uses no index at all.
        return _Base(index.manifest, index.files(), frozenset())
    except IndexDamagedError as error:
        _logger.warning("the statistics index of %s is built anew: %s", table_root, error)
        return _Base(index.manifest, {}, names)


def _is_current(file: WriteStatus, indexed: IndexedFile | None) -> bool:
    return indexed is not None and indexed.size == file.size


def _uncounted(files: int) -> None:
    """Counts nothing."""
