"""Times planning queries of a partition column without an index, from the filter to the splits.

The peers are Spark, and Hive with the same table as hive-sync registers it: Hudi's input format finds the
files, and the metastore is on embedded Derby.
"""

import shutil
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from pyspark.sql import SparkSession

from .. import jvm
from ..data.linked_table import Size, create, write_partitions
from ..environment import WORK, spark_session
from ..results import Result, at_most
from ..timing import Pace, Timing, timed

_FILES: Final = 10
"""In each partition."""
_HIVE: Final = "Hive's own partitions"
_SPARK: Final = "Spark"
_WAYS: Final[dict[str, dict[str, str]]] = {
    "names from Hudi's metadata table": {},
    "directories": {"hoodie.metadata.enable": "false"},
}
_GOAL: Final = 1.0
_PACE: Final = Pace(8.0, 9)
"""Long enough that the JVM has compiled what the first of the queries needs."""

_Days = tuple[str, str]
"""The first and the last."""


def run(small: bool) -> Iterator[Result]:
    """Times queries of one partition, of 30, and of all."""
    for partitions in (100, 300) if small else (100, 1_000, 10_000):
        yield from _time(Size(_FILES * partitions, partitions))


def _time(size: Size) -> Iterator[Result]:
    root = WORK / f"partitions-{size.partitions}"
    create(root, size)
    # Not the first, which has a file of Spark's, too.
    ranges = {"1": (42, 42), "30": (42, 71), "all": (1, size.partitions - 1)}
    days = {title: (f"{first:05d}", f"{last:05d}") for title, (first, last) in ranges.items()}
    with spark_session() as spark:
        write_partitions(spark, root, [0])
        peers = {_SPARK: {title: _spark(spark, root, of) for title, of in days.items()}}
    queries = {
        f"{way}, {title}": {"days": of, "settings": settings}
        for way, settings in _WAYS.items()
        for title, of in days.items()
    }
    ours = jvm.planning_timings(root, queries, _PACE)
    peers[_HIVE] = _hive(root, size, days)
    for title, (first, last) in ranges.items():
        files = _FILES * (last - first + 1)
        hive = peers[_HIVE][title].checked(files, title).best
        benchmark = f"partitions: {title} of {size.partitions:,}"
        for peer, found in peers.items():
            yield Result(benchmark, peer, found[title].best, "ms")
        for way in _WAYS:
            taken = ours[f"{way}, {title}, planned"].checked(files, title).best
            goal = at_most(_GOAL, taken / hive, "times as long")
            yield Result(benchmark, way, taken, "ms", _HIVE, taken / hive, *goal)
    shutil.rmtree(root)


def _hive(root: Path, size: Size, days: Mapping[str, _Days]) -> dict[str, Timing]:
    job = {
        "table": str(root),
        "metastore": str(WORK / f"metastore-{size.partitions}"),
        "partitions": size.partitions,
        "queries": days,
        "pace": asdict(_PACE),
    }
    return jvm.hive_program("HivePruning", job)


def _spark(spark: SparkSession, root: Path, days: _Days) -> Timing:
    """Counts tasks, as a task of Spark reads several files."""

    def plan() -> int:
        rows = spark.read.format("hudi").load(str(root)).where(f"day BETWEEN '{days[0]}' AND '{days[1]}'")
        plan: Any = rows._jdf.queryExecution()
        return int(plan.toRdd().getNumPartitions())

    return timed(plan, _PACE)
