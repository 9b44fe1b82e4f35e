"""Times planning a few of 10,000 partitions: by the index, by a listing, and by Hive for a native table.

The filter is on an ordinary column. In Hive's own table it is the partition column, and the metastore runs on
embedded Derby.
"""

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Final

import numpy as np

from pycompiler.index.manifest import SeenTimeline
from pycompiler.spark.index_creator import IndexCreator

from .. import jvm
from ..data import index_rows
from ..data.linked_table import Size, begin, create, write_partitions
from ..data.table import INSTANT, BaseFiles, ColumnBounds, base_files
from ..environment import WORK, spark_session
from ..results import Result, at_least, limited
from ..timing import Pace, Timing

_FIRST: Final = 42
_COUNTS: Final = {"1 partition": 1, "30 partitions": 30}
"""Number of partitions to select, starting with the first."""

_INDEX: Final = "by the index"
_HIVE: Final = "Hive's own partitions"
_BY_FILES: Final = {"hudi.skipping.listing": "files"}
_SLOW: Final = asdict(Pace(2.0, 5))
_WAYS: Final = {
    _INDEX: {},
    "Hudi's FileSystemView": {"settings": {**_BY_FILES, "hoodie.metadata.enable": "false"}, "pace": _SLOW},
    "Hudi's FileSystemView with its metadata table": {"settings": _BY_FILES, "pace": _SLOW},
}
_LISTING_GOAL: Final = 50.0
_HIVE_GOAL: Final = 5.0
_COMMIT: Final = f"{INSTANT}.commit"
_SCHEMA: Final = {
    "type": "record",
    "name": "t",
    "fields": [{"name": "id", "type": ["null", "long"], "default": None}],
}


def run(small: bool) -> list[Result]:
    """Times how the files of few partitions are found, and then larger tables by the index alone."""
    size = Size(1_000, 100) if small else Size(100_000, 10_000)
    root = WORK / "planned"
    with spark_session() as spark:
        create(root, size)
        write_partitions(spark, root, [0])
        IndexCreator(spark).build(root)
    found = _time(root, size)
    for (title, way), timing in found.items():
        timing.checked(_COUNTS[title] * size.files // size.partitions, f"{title}, {way}")
    partitions, files = (1_000, 10_000) if small else (100_000, 1_000_000)
    flat = replace(base_files(files, 1), partitions=[""] * files)
    return [
        *_results(size, found),
        *_time_large(f"{partitions:,} partitions of a file", base_files(partitions, partitions), 500),
        *_time_large(f"{files:,} files without partitions", flat, 2_000),
    ]


def _time(root: Path, size: Size) -> dict[tuple[str, str], Timing]:
    ranges = {title: (_FIRST, _FIRST + count - 1) for title, count in _COUNTS.items()}
    queries = {
        f"{way}, {title}": {"id": first, "last_id": last, **how}
        for way, how in _WAYS.items()
        for title, (first, last) in ranges.items()
    }
    timings = jvm.planning_timings(root, queries)
    job = {
        "table": str(root),
        "metastore": str(WORK / "metastore"),
        "partitions": size.partitions,
        "queries": {title: [f"{number:05d}" for number in ends] for title, ends in ranges.items()},
    }
    native = jvm.hive_program("HivePruning", job)
    return {
        **{(title, way): timings[f"{way}, {title}, planned"] for title in _COUNTS for way in _WAYS},
        **{(title, _HIVE): native[title] for title in _COUNTS},
    }


def _results(size: Size, found: Mapping[tuple[str, str], Timing]) -> Iterator[Result]:
    for title in _COUNTS:
        ours = found[title, _INDEX].best
        for way in (*_WAYS, _HIVE):
            taken, benchmark = found[title, way].best, f"planning: {size}, {title}"
            if way == _INDEX:
                yield Result(benchmark, way, taken, "ms")
            else:
                limit = _HIVE_GOAL if way == _HIVE else _LISTING_GOAL
                goal = at_least(limit, taken / ours, "times as long")
                yield Result(benchmark, way, taken, "ms", _INDEX, taken / ours, *goal)


def _time_large(name: str, files: BaseFiles, goal_ms: float) -> Iterator[Result]:
    root, wanted = WORK / f"large-{len(files)}", len(files) // 2
    _build_large(root, files, wanted)
    timing = jvm.planning_timings(root, {"one": {"id": wanted}})["one, planned"].checked(1, name)
    for metric, value in (("the first in a JVM", timing.first), ("the index in memory", timing.best)):
        yield limited(f"planning: {name}", f"from filter to splits, {metric}", value, "ms", goal_ms)


def _build_large(root: Path, files: BaseFiles, wanted: int) -> None:
    """Creates a table whose n-th file contains only the value n.

    Only the timeline, the index and the one file that the filter keeps exist: planning reads nothing else.
    """
    begin(root, "id")
    commit = {"partitionToWriteStats": {}, "extraMetadata": {"schema": json.dumps(_SCHEMA)}}
    (root / ".hoodie" / _COMMIT).write_text(json.dumps(commit))
    numbers = np.arange(len(files), dtype=np.int64)
    everywhere, nowhere = np.ones(len(files), np.bool_), np.zeros(len(files), np.int64)
    ids = ColumnBounds("id", "bigint", numbers, numbers, everywhere, nowhere)
    index_rows.publish(root, files, [ids], SeenTimeline(frozenset({_COMMIT})))
    kept = root / files.partitions[wanted] / files.names[wanted]
    kept.parent.mkdir(exist_ok=True)
    kept.touch()
    os.truncate(kept, int(files.sizes[wanted]))
