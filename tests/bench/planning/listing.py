"""Planning few of 10,000 partitions: by the index, by a listing, and as Hive does for a table of its own.

The filter is on a column that is no partition column for us; Hive's own table has it as its partition column,
in the metastore on embedded Derby.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from pyspark.sql import SparkSession

from pycompiler.spark.index_creator import IndexCreator

from .. import jvm
from ..data.linked_table import Size, create
from ..data.spark_commit import write_partitions
from ..jvm import Timing
from ..results import Result, at_least
from ..stopwatch import QUICK, Pace
from ..wide_case import WORK

SIZE: Final = Size(100_000, 10_000)
SMALL_SIZE: Final = Size(1_000, 100)

_FIRST: Final = 42
_QUERIES: Final = {"1 partition": 1, "30 partitions": 30}
"""How many are asked for, from the first one on."""

_INDEX: Final = "by the index"
_FILES: Final = "Hudi's FileSystemView"
_METADATA: Final = "Hudi's FileSystemView with its metadata table"
_HIVE: Final = "Hive's own partitions"
_LISTING_GOAL: Final = 50.0
_HIVE_GOAL: Final = 5.0
_SLOW: Final = Pace(2.0, 5)
_BY_FILES: Final = {"hudi.skipping.listing": "files"}
_WAYS: Final = {
    _INDEX: ({}, QUICK),
    _FILES: ({**_BY_FILES, "hoodie.metadata.enable": "false"}, _SLOW),
    _METADATA: (_BY_FILES, _SLOW),
}


def run(spark: SparkSession, size: Size) -> list[Result]:
    """Makes the tables and times how the files of few partitions are found."""
    root = WORK / "planned"
    create(root, size, is_laid_out=True)
    write_partitions(spark, root, [0])
    IndexCreator(spark).build(root)
    timings = jvm.handler_program("PlanningTimings", {"queries": _asked(root)})
    native = {
        "table": str(root),
        "metastore": str(WORK / "metastore"),
        "partitions": size.partitions,
        "queries": {
            title: [f"{_FIRST:05d}", f"{_FIRST + count - 1:05d}"] for title, count in _QUERIES.items()
        },
        "pace": QUICK.job(),
    }
    timings |= {
        f"{_HIVE}, {name}": timing for name, timing in jvm.hive_program("HivePruning", native).items()
    }
    _check(size, timings)
    shutil.rmtree(root)
    return list(_results(size, timings))


def _asked(root: Path) -> dict[str, Any]:
    return {
        f"{way}, {title}": {
            "table": str(root),
            "settings": settings,
            "id": _FIRST,
            "last_id": _FIRST + count - 1,
            "pace": pace.job(),
        }
        for way, (settings, pace) in _WAYS.items()
        for title, count in _QUERIES.items()
    }


def _check(size: Size, timings: Mapping[str, Timing]) -> None:
    for title, count in _QUERIES.items():
        found = {way: timings[f"{way}, {title}, planned"].count for way in _WAYS}
        found[_HIVE] = timings[f"{_HIVE}, {title}"].count
        expected = count * size.files // size.partitions
        if set(found.values()) != {expected}:
            raise AssertionError(f"files of {title}: {found}, expected {expected}")


def _results(size: Size, timings: Mapping[str, Timing]) -> Iterator[Result]:
    for title in _QUERIES:
        benchmark = f"planning: {size}, {title}"
        ours = timings[f"{_INDEX}, {title}, planned"].best
        yield Result(benchmark, _INDEX, ours, "ms")
        for way in (_FILES, _METADATA):
            taken = timings[f"{way}, {title}, planned"].best
            goal, met = at_least(_LISTING_GOAL, taken / ours, "times as long")
            yield Result(benchmark, way, taken, "ms", _INDEX, taken / ours, goal, met)
        taken = timings[f"{_HIVE}, {title}"].best
        goal, met = at_least(_HIVE_GOAL, taken / ours, "times as long")
        yield Result(benchmark, _HIVE, taken, "ms", _INDEX, taken / ours, goal, met)
