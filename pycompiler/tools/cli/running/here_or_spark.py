"""Runs work on an index in this process, and starts Spark only where that is wanted."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final, TypeVar

from pycompiler.errors import HudiSkipError
from pycompiler.tools.cli.errors import CommandError
from pycompiler.tools.cli.running.spark import RunOptions, footers_read, spark_for

if TYPE_CHECKING:
    from pycompiler.index.collect.table_columns import TableColumns
    from pycompiler.indexing.cluster import Cluster, FilesToRead, Written
    from pycompiler.indexing.progress import Progress, UnreadFiles
    from pycompiler.table.listing import TableSnapshot

SECONDS_WITHOUT_SPARK: Final = 120.0
"""Spark is started for work that is expected to take this process longer."""

_Part = TypeVar("_Part")
_Result = TypeVar("_Result")


class _SparkWantedError(HudiSkipError):
    """The work needs Spark; nothing was published. The message says why."""


def run(path: str, options: RunOptions, work: Callable[[Cluster, Progress], _Result]) -> _Result:
    """Does some work in this process; if that needs Spark, says why and does it again with Spark.

    Raises:
        CommandError: Spark is wanted and cannot be started, or failed.
    """
    if not options.spark:
        try:
            return work(_Wanted(), footers_read(quiet=options.quiet))
        except _SparkWantedError as wanted:
            if not _has_spark():
                raise CommandError(f"{wanted}; run: pip install 'hudi-skip[spark]'") from wanted
            if not options.quiet:
                print(f"starting Spark: {wanted}", file=sys.stderr)
    with spark_for(path, options) as (spark, progress):
        from pycompiler.spark.cluster import SparkCluster

        return work(SparkCluster(spark, 0 if options.spark else SECONDS_WITHOUT_SPARK), progress)


def lister(path: str, by_hudi: bool = False) -> Callable[[Cluster, Progress], TableSnapshot]:
    """Makes the work that lists a table: here if that is possible, or as Hudi does."""

    def work(cluster: Cluster, _progress: Progress) -> TableSnapshot:
        from pycompiler.indexing.table import listed

        return cluster.snapshot(path, "--spark") if by_hudi else listed(path, cluster)

    return work


class _Wanted:
    """Stands for a Spark that is not running."""

    most_seconds = SECONDS_WITHOUT_SPARK

    def snapshot(self, root: str, reason: str) -> TableSnapshot:
        raise _SparkWantedError(reason)

    def columns(self, root: str, reason: str) -> TableColumns:
        raise _SparkWantedError(reason)

    def write(self, to_read: FilesToRead, progress: Progress, unread: UnreadFiles) -> Written | None:
        _want_spark(to_read)
        return None

    def map(
        self, work: Callable[[_Part], _Result], parts: Sequence[_Part], to_read: FilesToRead
    ) -> Sequence[_Result] | None:
        _want_spark(to_read)
        return None


def _want_spark(to_read: FilesToRead) -> None:
    if _has_spark():
        size = sum(file.size for file in to_read.files)
        raise _SparkWantedError(f"{len(to_read.files)} files of {size} bytes would take this process minutes")


def _has_spark() -> bool:
    return find_spec("pyspark") is not None
