"""Incremental reads: the rows that a range of commits wrote, as they were at its end."""

import logging
from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import cache
from os import PathLike
from typing import Final

from pyspark.sql import DataFrame, SparkSession, functions

from pycompiler.index.errors import IndexUnavailableError
from pycompiler.index.file_systems.errors import UnsupportedStorageError
from pycompiler.index.file_systems.location import Location
from pycompiler.index.index import StatisticsIndex
from pycompiler.index.records import FileGroup, WriteStatus
from pycompiler.spark.errors import IncrementalReadError
from pycompiler.spark.hudi_table import HudiTable
from pycompiler.spark.incremental.commits import Commits, commits_between, range_end
from pycompiler.spark.incremental.condition import filter_of
from pycompiler.spark.incremental.merging import file_group_reader_is_right, may_order_by_text
from pycompiler.spark.incremental.slices import Slices, groups_that_may_match, slices_of, touched_groups
from pycompiler.spark.incremental.snapshot import Snapshot
from pycompiler.table.commit_times import BEGINNING
from pycompiler.table.errors import UnsupportedTableError
from pycompiler.table.properties import HUDI_COLUMNS, TableProperties
from pycompiler.table.timeline import Timeline

_COMMIT_TIME: Final = HUDI_COLUMNS[0]
_ATTEMPTS: Final = 3
_logger = logging.getLogger(__name__)


def read_incremental(
    spark: SparkSession,
    path: str | PathLike[str],
    start: str,
    end: str | None = None,
    where: str | None = None,
) -> DataFrame:
    """Reads the rows that the commits of a range wrote, as they were after the last of them.

    These are the rows of the table's snapshot as of the range's end whose `_hoodie_commit_time` is that of a
    commit in the range. Start and end have the meaning of Hudi's own incremental query: from table version 8
    on they are completion times, both inclusive; before, request times with the start exclusive. Skips file
    groups that the commits did not write to, and those that the condition excludes by the table's index; if
    none can be skipped, the log says why at INFO.

    Args:
        spark: A session with Hudi.
        path: Root of the table.
        start: An instant, or `0` for the beginning of the table.
        end: An instant; None for `incremental_end`.
        where: A condition in Spark SQL, as for `DataFrame.where`; only rows for which it is TRUE are read.

    Raises:
        IncrementalReadError: The range is empty or ends after a pending write; some of its commits were
            archived, or files of its final state were cleaned; Hudi would merge the table's logs wrongly; or
            the table has no commit times.
        NotAHudiTableError: There is no Hudi table.
        UnsupportedTableError: The table is bootstrapped, has base files that are not Parquet, or was written
            by a newer Hudi with features that this release or the session's Hudi does not know.
        SparkUnavailableError: The session lacks Hudi or the table's file system.
    """
    table = HudiTable(spark, path)
    if objection := table.properties.objection:
        raise UnsupportedTableError(f"{path} {objection}")
    table.require_readable_by_session()
    if not table.properties.has_hudi_columns:
        raise IncrementalReadError(
            f"{path} was written with hoodie.populate.meta.fields=false: its rows do not record their"
            " commits, so it cannot be read incrementally"
        )
    wanted = commits_between(spark, table, start, range_end(table, start, end))
    for _ in range(_ATTEMPTS):
        timeline = Timeline.of(Location.parse(table.root))
        if wanted.instants <= {entry.instant for entry in timeline.commits}:
            found = _Reader(spark, table, wanted).rows(where, timeline)
        else:
            found = None  # A commit was just rolled back.
        # Hudi's reader has read the timeline meanwhile, and must have seen the same commits.
        before, wanted = wanted, commits_between(spark, table, start, wanted.end)
        if found is not None and wanted.instants == before.instants:
            return found
    raise IncrementalReadError(f"the commits of {path} in the range keep changing: try again")


def incremental_end(spark: SparkSession, path: str | PathLike[str], start: str = BEGINNING) -> str:
    """The end of a range that names none: the last commit before any pending write.

    To read repeatedly, pass this end explicitly, and start the next range from it.

    Args:
        spark: A session with Hudi.
        path: Root of the table.
        start: Start of the range; also its end if nothing has been committed since.

    Raises:
        IncrementalReadError: The start is not an instant.
        NotAHudiTableError: There is no Hudi table.
    """
    return range_end(HudiTable(spark, path), start, None)


@dataclass(frozen=True, slots=True)
class _Reader:
    spark: SparkSession
    table: HudiTable
    commits: Commits

    def rows(self, where: str | None, timeline: Timeline) -> DataFrame:
        """The rows that meet a condition, from the slices that may have some.

        Raises:
            AnalysisException: The condition is not valid for the table's columns.
            IncrementalReadError: The rows cannot be read.
        """
        if not self.commits.instants:
            nothing = self.spark.read.format("hudi").load(self.table.root).where("false")
            return nothing if where is None else nothing.where(where)
        location = Location.parse(self.table.root)
        state = Snapshot(self.spark, self.table, self.commits.as_of)
        state.require_readable()
        groups = touched_groups(location, timeline, self.commits)
        everything = state.rows(groups)
        # One listing suffices, and only a condition or logs with such an ordering need it.
        slices = cache(lambda: slices_of(self._files(groups), groups))
        properties = self.table.properties
        merges_rightly = (
            properties.is_copy_on_write
            or not may_order_by_text(everything.schema, self.table.ordering_fields)
            or file_group_reader_is_right(location, _logs(slices()), properties.mixing)
        )
        if not merges_rightly:
            everything = state.rows(groups, file_group_reader=False)
        wanted = functions.col(_COMMIT_TIME).isin(*self.commits.instants)
        if where is None:
            return everything.where(wanted)
        unpruned = everything.where(where)
        try:
            kept, reason = self._kept(groups, unpruned, properties, slices)
        except (IndexUnavailableError, UnsupportedStorageError) as error:
            kept, reason = groups, str(error)
        _logger.info(
            "incremental read of %s: %d of %d file slices%s",
            self.table.root,
            len(kept),
            len(groups),
            f"; {reason}" if reason else "",
        )
        if len(kept) == len(groups):
            return unpruned.where(wanted)
        return state.rows(kept, file_group_reader=merges_rightly).where(where).where(wanted)

    def _files(self, groups: Collection[FileGroup]) -> tuple[WriteStatus, ...]:
        return self.table.files_as_of(self.commits.as_of, sorted({partition for partition, _ in groups}))

    def _kept(
        self,
        groups: frozenset[FileGroup],
        unpruned: DataFrame,
        properties: TableProperties,
        slices: Callable[[], Slices],
    ) -> tuple[frozenset[FileGroup], str]:
        """The groups that may have matching rows, and why there are no fewer."""
        if self.table.finds_columns_by_id:
            # In an old file, a name may be that of another column.
            return groups, "the columns of old files are found by id, as hoodie.schema.on.read.enable asks"
        names = Counter(name.lower() for name in unpruned.columns)
        # The index ignores case in names.
        alike = (name for name, count in names.items() if count > 1)
        # Spark may take partition columns from paths, and prunes partitions itself.
        withheld = {*HUDI_COLUMNS, *properties.partition_columns, *alike, *self.table.columns_in_millis}
        predicate = filter_of(unpruned._jdf.queryExecution().optimizedPlan(), withheld)
        if predicate is None:
            return groups, "the condition uses more than the table's columns"
        index = StatisticsIndex.open(self.table.root)
        kept = groups_that_may_match(slices(), predicate, index, not properties.mixing)
        if properties.mixing and _logs(slices()):
            return kept, f"all slices with logs are read, because of {properties.mixing}"
        return kept, ""


def _logs(slices: Slices) -> list[str]:
    """Paths of the log files, relative to the table."""
    return [file.relative_path for files in slices.values() for file in files if file.is_log]
