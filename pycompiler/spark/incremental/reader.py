"""Reading incrementally: the rows that a range of commits wrote, as they were at its end."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import cache
from os import PathLike
from typing import Final

from pyspark.sql import DataFrame, SparkSession, functions

from pycompiler.index.errors import IndexUnavailableError
from pycompiler.index.index import StatisticsIndex
from pycompiler.index.records import FileGroup, WriteStatus
from pycompiler.index.storage.errors import UnsupportedStorageError
from pycompiler.index.storage.location import Location
from pycompiler.spark.errors import IncrementalReadError, UnsupportedTableError
from pycompiler.spark.incremental.commits import BEGINNING, Commits, commits_between, range_end
from pycompiler.spark.incremental.condition import filter_of
from pycompiler.spark.incremental.merging import file_group_reader_is_right, may_order_by_text
from pycompiler.spark.incremental.slices import (
    FileSlice,
    slices_of,
    slices_that_may_match,
    touched_groups,
)
from pycompiler.spark.incremental.snapshot import Snapshot
from pycompiler.spark.timeline import HudiTable
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
    """The rows that the commits of a range wrote, as they were after the last of them.

    These are the rows of the table's snapshot as of the end of the range whose `_hoodie_commit_time` is that
    of a commit of the range. Start and end mean what they mean to Hudi's own incremental query: in table
    version 8 the times at which commits completed, both included; before, those at which they were requested,
    the start excluded. File groups that the commits did not write into are not read, nor those that the
    condition excludes by the table's index; where none can be left out, the log says why at INFO.

    Args:
        spark: A session with Hudi.
        path: Root of the table.
        start: An instant, or `0` for the beginning of the table.
        end: An instant; None for what `incremental_end` gives.
        where: A condition in Spark's SQL, as for `DataFrame.where`: the rows for which it is TRUE are read.

    Raises:
        IncrementalReadError: The range is none, or ends after a write that is under way; some of its commits
            were archived, or files of the state as of its end were cleaned; or Hudi merges the table's logs
            wrongly, or the table has no commit times.
        NotAHudiTableError: There is no Hudi table.
        UnsupportedTableError: It is bootstrapped, its base files aren't (all) Parquet, or a newer Hudi wrote
            what this release or the session's Hudi does not know.
        SparkUnavailableError: The session has no Hudi, or lacks the table's file system.
    """
    table = HudiTable(spark, path)
    if objection := TableProperties.read(Location.parse(table.root)).objection:
        raise UnsupportedTableError(f"{path} {objection}")
    table.require_readable_by_session()
    if not table.has_commit_times:
        raise IncrementalReadError(
            f"rows of {path} have no {_COMMIT_TIME} (hoodie.populate.meta.fields=false), by which those of"
            " a range are known"
        )
    wanted = commits_between(spark, table, start, range_end(table, start, end))
    for _ in range(_ATTEMPTS):
        timeline = Timeline.of(Location.parse(table.root))
        if wanted.instants <= {entry.instant for entry in timeline.commits}:
            found = _Reader(spark, table, wanted).rows(where, timeline)
        else:
            found = None  # Something was taken back this moment.
        # Hudi's reader has looked at the timeline meanwhile: were the commits the same for it?
        before, wanted = wanted, commits_between(spark, table, start, wanted.end)
        if found is not None and wanted.instants == before.instants:
            return found
    raise IncrementalReadError(f"the commits of {path} in the range keep changing: try again")


def incremental_end(spark: SparkSession, path: str | PathLike[str], start: str = BEGINNING) -> str:
    """Where a range ends that names no end: at the last commit before any write that is under way.

    Whoever reads again and again names this end, and goes on from it.

    Args:
        spark: A session with Hudi.
        path: Root of the table.
        start: Of the range; it is the end as well if nothing has come since.

    Raises:
        IncrementalReadError: The start is no instant.
        NotAHudiTableError: There is no Hudi table.
    """
    return range_end(HudiTable(spark, path), start, None)


@dataclass(frozen=True, slots=True)
class _Reader:
    """Hudi's reader over a range of commits."""

    spark: SparkSession
    table: HudiTable
    commits: Commits

    def rows(self, where: str | None, timeline: Timeline) -> DataFrame:
        """The rows that pass a condition, from the slices that may have some.

        Raises:
            AnalysisException: The condition is not one over the table's columns.
            IncrementalReadError: They cannot be read.
        """
        if not self.commits.instants:
            nothing = self.spark.read.format("hudi").load(self.table.root).where("false")
            return nothing if where is None else nothing.where(where)
        location = Location.parse(self.table.root)
        state = Snapshot(self.spark, self.table, self.commits.as_of)
        state.require_readable()
        groups = touched_groups(location, timeline, self.commits)
        everything = state.rows(groups)
        # One listing is enough, and only a condition or logs with such an ordering need it.
        slices = cache(lambda: slices_of(self._files(groups), groups))
        properties = TableProperties.read(location)
        merges_rightly = (
            properties.is_copy_on_write
            or not may_order_by_text(everything.schema, self.table.ordering_field)
            or file_group_reader_is_right(
                location, [log for each in slices() for log in each.logs], properties.mixing
            )
        )
        if not merges_rightly:
            everything = state.rows(groups, file_group_reader=False)
        wanted = functions.col(_COMMIT_TIME).isin(*self.commits.instants)
        if where is None:
            return everything.where(wanted)
        unpruned = everything.where(where)
        try:
            kept, reason = self._kept(unpruned, properties, slices)
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
        self, unpruned: DataFrame, properties: TableProperties, slices: Callable[[], list[FileSlice]]
    ) -> tuple[frozenset[FileGroup], str]:
        """The groups that may have matching rows, and why there are no fewer."""
        names = Counter(name.lower() for name in unpruned.columns)
        # The index takes names without regard to case.
        alike = (name for name, count in names.items() if count > 1)
        # Spark may take partition columns from paths, and leaves partitions out itself.
        withheld = {*HUDI_COLUMNS, *properties.partition_columns, *alike}
        predicate = filter_of(unpruned._jdf.queryExecution().optimizedPlan(), withheld)
        found = slices()
        if predicate is None:
            everything = frozenset(each.group for each in found)
            return everything, "the condition is not one of the table's columns alone"
        index = StatisticsIndex.open(self.table.root)
        kept = slices_that_may_match(found, predicate, index, not properties.mixing)
        has_logs = any(each.logs for each in found)
        reason = f"those with logs are all read, by {properties.mixing}" if properties.mixing else ""
        return frozenset(each.group for each in kept), reason if has_logs else ""
