"""Times a filter to its splits, on tables with very many partitions and files and a current index.

Only the timeline, the index and the one file that the filter keeps exist: planning reads nothing else.
"""

import json
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np

from pycompiler.index.manifest import SeenTimeline

from .. import jvm
from ..data import index_rows
from ..data.linked_table import begin
from ..data.table import INSTANT, BaseFiles, ColumnBounds, base_files
from ..environment import WORK
from ..results import Result, limited

_COMMIT: Final = f"{INSTANT}.commit"
_SCHEMA: Final = {
    "type": "record",
    "name": "t",
    "fields": [{"name": "id", "type": ["null", "long"], "default": None}],
}


def run(small: bool) -> list[Result]:
    """Plans a query for one value, which is in one file."""
    partitions, files = (1_000, 10_000) if small else (100_000, 1_000_000)
    flat = replace(base_files(files, 1), partitions=[""] * files)
    return [
        *_time(f"{partitions:,} partitions of a file", base_files(partitions, partitions), 500),
        *_time(f"{files:,} files without partitions", flat, 2_000),
    ]


def _time(name: str, files: BaseFiles, goal_ms: float) -> Iterator[Result]:
    root, wanted = WORK / f"large-{len(files)}", len(files) // 2
    _build(root, files, wanted)
    timing = jvm.planning_timings(root, {"one": {"id": wanted}})["one, planned"].checked(1, name)
    for metric, value in (("the first in a JVM", timing.first), ("the index in memory", timing.best)):
        yield limited(f"planning: {name}", f"from filter to splits, {metric}", value, "ms", goal_ms)


def _build(root: Path, files: BaseFiles, wanted: int) -> None:
    """Creates a table whose n-th file contains only the value n."""
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
