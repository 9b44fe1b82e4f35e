"""Times planning queries of a partition column without an index: from the filter to the splits.

The peer is a table of Hive's own over the same folders, with the metastore on embedded Derby.
"""

import shutil
from collections.abc import Iterator
from typing import Any, Final

from .. import jvm
from ..data.linked_table import Size, create, write_partitions
from ..environment import WORK, spark_session
from ..results import Result, at_most

_FILES: Final = 10
"""In each partition."""
_HIVE: Final = "Hive's own partitions"
_WAYS: Final[dict[str, dict[str, str]]] = {
    "names from Hudi's metadata table": {},
    "directories": {"hoodie.metadata.enable": "false"},
}
_GOAL: Final = 1.0


def run(small: bool) -> Iterator[Result]:
    """Times queries of one partition, of 30, and of all."""
    for partitions in (100, 300) if small else (100, 1_000, 10_000):
        yield from _time(Size(_FILES * partitions, partitions))


def _time(size: Size) -> Iterator[Result]:
    root = WORK / f"partitions-{size.partitions}"
    create(root, size)
    with spark_session() as spark:
        write_partitions(spark, root, [0])
    last = size.partitions - 1
    days = {
        title: [f"{number:05d}" for number in ends]
        for title, ends in {"1": (42, 42), "30": (42, 71), "all": (0, last)}.items()
    }
    queries = {
        f"{way}, {title}": {"days": ends, "settings": settings}
        for way, settings in _WAYS.items()
        for title, ends in days.items()
    }
    found = jvm.planning_timings(root, queries)
    job: dict[str, Any] = {
        "table": str(root),
        "metastore": str(WORK / f"metastore-{size.partitions}"),
        "partitions": size.partitions,
        "queries": days,
    }
    native = jvm.hive_program("HivePruning", job)
    for title in days:
        hive = native[title].best
        benchmark = f"partitions: {title} of {size.partitions:,}"
        yield Result(benchmark, _HIVE, hive, "ms")
        for way in _WAYS:
            ours = found[f"{way}, {title}, planned"]
            goal = at_most(_GOAL, ours.best / hive, "times as long")
            yield Result(benchmark, way, ours.best, "ms", _HIVE, ours.best / hive, *goal)
    shutil.rmtree(root)
