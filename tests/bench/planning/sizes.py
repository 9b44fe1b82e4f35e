"""From a filter to splits on tables of very many partitions and files, of which the index is current.

Only the timeline, the index and the one file that the filter keeps are there: planning
looks at nothing else.
"""

from __future__ import annotations

import json
import os
import shutil
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
from ..jvm import Timing
from ..results import Result, at_most
from ..stopwatch import QUICK
from ..wide_case import WORK

PARTITIONS: Final = 100_000
SMALL_PARTITIONS: Final = 1_000
FILES: Final = 1_000_000
SMALL_FILES: Final = 10_000

_PARTITIONS_GOAL_MS: Final = 500
_FILES_GOAL_MS: Final = 2_000
_COMMIT: Final = f"{INSTANT}.commit"
_SCHEMA: Final = {
    "type": "record",
    "name": "t",
    "fields": [{"name": "id", "type": ["null", "long"], "default": None}],
}


def run(partitions: int, files: int) -> list[Result]:
    """Plans a look-up of one value, of which one file has any, on both tables."""
    of_partitions = _time(WORK / f"partitions-{partitions}", base_files(partitions, partitions))
    unpartitioned = base_files(files, 1)
    flat = replace(unpartitioned, partitions=[""] * files)
    of_files = _time(WORK / f"files-{files}", flat)
    return [
        *_results(f"planning: {partitions:,} partitions of a file", of_partitions, _PARTITIONS_GOAL_MS),
        *_results(f"planning: {files:,} files without partitions", of_files, _FILES_GOAL_MS),
    ]


def _results(benchmark: str, timing: Timing, goal_ms: float) -> Iterator[Result]:
    if timing.count != 1:
        raise AssertionError(f"{benchmark}: {timing.count} files kept, expected 1")
    assert timing.first is not None
    for metric, value in (("the first in a JVM", timing.first), ("the index in memory", timing.best)):
        goal, met = at_most(goal_ms, value, "ms")
        yield Result(benchmark, f"from filter to splits, {metric}", value, "ms", goal=goal, met=met)


def _time(root: Path, files: BaseFiles) -> Timing:
    wanted = len(files) // 2
    _build(root, files, wanted)
    query = {"table": str(root), "settings": {}, "id": wanted, "pace": QUICK.job()}
    timings = jvm.handler_program("PlanningTimings", {"queries": {"one": query}})
    shutil.rmtree(root)
    return timings["one, planned"]


def _build(root: Path, files: BaseFiles, wanted: int) -> None:
    """Makes a table with the value n, and no other, in the n-th file."""
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
