"""How long it takes to plan an incremental query, on tables with few and with many other partitions.

The last commit of each table is Spark's, and so is the metadata table that the listing uses. It wrote into a
hundred partitions: 1 % of the largest table's.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from pyspark.sql import SparkSession

from .. import jvm
from ..data.linked_table import Size, create
from ..data.spark_commit import write_partitions
from ..jvm import Timing
from ..results import Result, at_least, at_most
from ..stopwatch import QUICK
from ..wide_case import WORK

PARTITIONS: Final = (100, 1_000, 10_000)
SMALL_PARTITIONS: Final = (20, 200)

_PART: Final = 100
"""The last commit writes a partition of so many of the largest table."""

_LISTING: Final = "the whole table"
_PULL: Final = "what the last commit wrote"
_PLANNING_GOAL: Final = 20.0
_GROWTH_GOAL: Final = 1.5


def run(spark: SparkSession, partitions: Sequence[int]) -> list[Result]:
    """Times both on tables of several numbers of partitions, from the smallest to the largest."""
    written = partitions[-1] // _PART
    results: list[Result] = []
    pulls = []
    for count in partitions:
        root = WORK / f"pulls-{count}"
        start = _build(spark, root, count, written)
        timings = _ask(root, start)
        shutil.rmtree(root)
        _check(timings, count, written)
        results += _results(count, timings, is_largest=count == partitions[-1])
        pulls.append(timings[f"{_PULL}, listed"].best)
    goal, met = at_most(_GROWTH_GOAL, pulls[-1] / pulls[0], "times")
    times = partitions[-1] // partitions[0]
    growth = Result(
        f"incremental: {_PULL}",
        f"from {partitions[0]:,} to {partitions[-1]:,} partitions",
        pulls[-1] / pulls[0],
        "times",
        f"{times:,} times the partitions",
        pulls[-1] / pulls[0] / times,
        goal,
        met,
    )
    return [*results, growth]


def _build(spark: SparkSession, root: Path, partitions: int, written: int) -> str:
    """Makes a table; returns the instant before the last commit."""
    table = create(root, Size(max(partitions, 200), partitions))
    write_partitions(spark, root, range(0, partitions, partitions // written))
    return str(table.instant)


def _ask(root: Path, start: str) -> dict[str, Timing]:
    consume = f"hoodie.{root.name}.consume"
    pull = {f"{consume}.mode": "INCREMENTAL", f"{consume}.start.timestamp": start}
    queries = {
        name: {"table": str(root), "settings": settings, "pace": QUICK.job()}
        for name, settings in ((_LISTING, {}), (_PULL, pull))
    }
    return jvm.handler_program("PlanningTimings", {"queries": queries})


def _check(timings: dict[str, Timing], partitions: int, written: int) -> None:
    expected = {_LISTING: max(partitions, 200) + written, _PULL: written}
    found = {name: timings[f"{name}, listed"].count for name in expected}
    if found != expected:
        raise AssertionError(f"{partitions} partitions: file groups found {found}, expected {expected}")


def _results(partitions: int, timings: dict[str, Timing], is_largest: bool) -> Iterator[Result]:
    benchmark = f"incremental: {partitions:,} partitions"
    for step in ("listed", "planned"):
        listing, pull = timings[f"{_LISTING}, {step}"].best, timings[f"{_PULL}, {step}"].best
        yield Result(benchmark, f"{_LISTING}, {step}", listing, "ms")
        ratio = listing / pull
        goal, met = at_least(_PLANNING_GOAL, ratio, "times as fast") if is_largest else (None, None)
        yield Result(
            benchmark, f"{_PULL}, {step}", pull, "ms", f"{_LISTING}, {step}: so many times", ratio, goal, met
        )
