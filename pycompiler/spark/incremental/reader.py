"""Reading incrementally: the rows that a range of commits wrote, as Hudi reads them in Spark."""

from __future__ import annotations

import logging
from collections import Counter
from dataclasses import dataclass
from os import PathLike, fspath
from typing import Final

from pyspark.sql import DataFrame, SparkSession

from pycompiler.index.errors import IndexUnavailableError
from pycompiler.index.index import StatisticsIndex
from pycompiler.index.storage.errors import UnsupportedStorageError
from pycompiler.index.storage.location import Location
from pycompiler.spark.errors import IncrementalReadError, UnsupportedTableError
from pycompiler.spark.incremental.commits import Commits, commits_between
from pycompiler.spark.incremental.condition import filter_of
from pycompiler.spark.incremental.slices import (
    WrittenSlice,
    pattern_of,
    slices_that_may_match,
    written_slices,
)
from pycompiler.spark.timeline import HudiTable
from pycompiler.table.properties import HUDI_COLUMNS, TableProperties
from pycompiler.table.timeline import Timeline

_PATTERN: Final = "hoodie.datasource.read.incr.path.glob"
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

    These are the rows of Hudi's own incremental query. Start and end mean what they mean to it: in table
    version 8 the times at which commits completed, both included; before, those at which they were requested,
    the start excluded. Files that the condition excludes by the table's index are not read; where none can be
    left out, all files of the commits are, and the log says why at INFO.

    Args:
        spark: A session with Hudi.
        path: Root of the table.
        start: An instant, or `0` for the beginning of the table.
        end: An instant; None for the last commit that there is now.
        where: A condition in Spark's SQL, as for `DataFrame.where`: the rows for which it is TRUE are read.

    Raises:
        IncrementalReadError: The range is none, some of its commits were archived, or files that they wrote
            were cleaned: Hudi would answer from a scan of the whole table, without the rows that were changed
            after the range.
        NotAHudiTableError: There is no Hudi table.
        UnsupportedTableError: It is bootstrapped, its base files aren't (all) Parquet, or a newer Hudi wrote
            what this release or the session's Hudi does not know.
        SparkUnavailableError: The session has no Hudi, or lacks the table's file system.
    """
    table = HudiTable(spark, path)
    location = Location.parse(table.root)
    if objection := TableProperties.read(location).objection:
        raise UnsupportedTableError(f"{path} {objection}")
    table.require_readable_by_session()
    wanted = commits_between(spark, table, start, end)
    for _ in range(_ATTEMPTS):
        timeline = Timeline.of(location)
        if wanted.instants <= {entry.instant for entry in timeline.commits}:
            slices = written_slices(location, timeline, wanted.instants)
            found = _Reader(spark, fspath(path), wanted).rows(where, location, slices)
        else:
            found = None  # Something was taken back this moment.
        # Hudi's reader has looked at the timeline meanwhile: were the commits the same for it?
        before, wanted = wanted, commits_between(spark, table, start, wanted.end)
        if found is not None and wanted.instants == before.instants:
            return found
    raise IncrementalReadError(f"the commits of {path} in the range keep changing: try again")


@dataclass(frozen=True, slots=True)
class _Reader:
    """Hudi's reader over a range of commits."""

    spark: SparkSession
    path: str
    commits: Commits

    def rows(self, where: str | None, table: Location, slices: list[WrittenSlice]) -> DataFrame:
        """The rows that pass a condition, from the slices that may have some.

        Raises:
            AnalysisException: The condition is not one over the table's columns.
        """
        everything = self._load()
        if where is None:
            return everything
        unpruned = everything.where(where)
        try:
            kept, reason = self._kept(unpruned, table, slices)
        except (IndexUnavailableError, UnsupportedStorageError) as error:
            kept, reason = slices, str(error)
        pattern = pattern_of(kept) if len(kept) < len(slices) else None
        if pattern is None and len(kept) < len(slices):
            reason = f"Hudi cannot be told which {len(kept)} of them would do"
        _logger.info(
            "incremental read of %s: %d of %d file slices%s",
            self.path,
            len(slices) if pattern is None else len(kept),
            len(slices),
            f"; {reason}" if reason else "",
        )
        return unpruned if pattern is None else self._load(pattern).where(where)

    def _kept(
        self, unpruned: DataFrame, table: Location, slices: list[WrittenSlice]
    ) -> tuple[list[WrittenSlice], str]:
        """The slices that may have matching rows, and why there are no fewer."""
        properties = TableProperties.read(table)
        names = Counter(name.lower() for name in unpruned.columns)
        # The index takes names without regard to case.
        alike = (name for name, count in names.items() if count > 1)
        # Spark may take partition columns from paths, and leaves partitions out itself.
        withheld = {*HUDI_COLUMNS, *properties.partition_columns, *alike}
        predicate = filter_of(unpruned._jdf.queryExecution().optimizedPlan(), withheld)
        if predicate is None:
            return slices, "the condition is not one of the table's columns alone"
        index = StatisticsIndex.open(str(table))
        kept = slices_that_may_match(slices, predicate, index, not properties.mixing)
        has_logs = any(each.has_logs for each in slices)
        reason = f"those with logs are all read, by {properties.mixing}" if properties.mixing else ""
        return kept, reason if has_logs else ""

    def _load(self, pattern: str | None = None) -> DataFrame:
        options = {
            "hoodie.datasource.query.type": "incremental",
            "hoodie.datasource.read.begin.instanttime": self.commits.start,
            "hoodie.datasource.read.end.instanttime": self.commits.end,
            # It would lose rows; `written_slices` has seen that there is no need.
            "hoodie.datasource.read.incr.fallback.fulltablescan.enable": "false",
        }
        if pattern is not None:
            options[_PATTERN] = pattern
        return self.spark.read.format("hudi").options(**options).load(self.path)
