"""Times the planning of an incremental query, on tables with few and with many other partitions.

Spark writes the last commit of each table, and the metadata table that the listing uses. The commit touches
the same number of partitions in each: 1 % of the largest table's.
"""

from collections.abc import Iterator
from typing import Final

from pyspark.sql import SparkSession

from .. import jvm
from ..data.linked_table import Size, create, write_partitions
from ..environment import WORK, spark_session
from ..results import Result, at_least, grown
from ..timing import Timing

_PART: Final = 100
"""The last commit writes to one in so many partitions of the largest table."""

_LISTING: Final = "the whole table"
_PULL: Final = "what the last commit wrote"
_PLANNING_GOAL: Final = 20.0
_GROWTH_GOAL: Final = 1.5


def run(small: bool) -> list[Result]:
    """Times both on tables of increasing size."""
    partitions = (20, 200) if small else (100, 1_000, 10_000)
    smallest, largest = partitions[0], partitions[-1]
    with spark_session() as spark:
        found = {count: _time(spark, count, largest // _PART) for count in partitions}
    pulls = [timings[f"{_PULL}, listed"].best for timings in found.values()]
    return [
        *(
            result
            for count, timings in found.items()
            for result in _results(count, timings, _PLANNING_GOAL if count == largest else None)
        ),
        grown(
            f"incremental: {_PULL}",
            f"from {smallest:,} to {largest:,} partitions",
            pulls[-1] / pulls[0],
            "times",
            (largest // smallest, "partitions"),
            _GROWTH_GOAL,
        ),
    ]


def _time(spark: SparkSession, partitions: int, written: int) -> dict[str, Timing]:
    root = WORK / f"pulls-{partitions}"
    files = max(partitions, 200)
    table = create(root, Size(files, partitions))
    write_partitions(spark, root, range(0, partitions, partitions // written))
    consume = f"hoodie.{root.name}.consume"
    pull = {f"{consume}.mode": "INCREMENTAL", f"{consume}.start.timestamp": str(table.instant)}
    timings = jvm.planning_timings(root, {_LISTING: {}, _PULL: {"settings": pull}})
    timings[f"{_LISTING}, listed"].checked(files + written, _LISTING)
    timings[f"{_PULL}, listed"].checked(written, _PULL)
    return timings


def _results(partitions: int, timings: dict[str, Timing], limit: float | None) -> Iterator[Result]:
    benchmark = f"incremental: {partitions:,} partitions"
    for step in ("listed", "planned"):
        listing, pull = (timings[f"{what}, {step}"].best for what in (_LISTING, _PULL))
        yield Result(benchmark, f"{_LISTING}, {step}", listing, "ms")
        peer, goal = f"{_LISTING}, {step}: so many times", at_least(limit, listing / pull, "times as fast")
        yield Result(benchmark, f"{_PULL}, {step}", pull, "ms", peer, listing / pull, *goal)
