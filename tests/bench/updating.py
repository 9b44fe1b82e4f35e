"""What it takes to bring an index up to date after a commit of ten files, on small and large tables.

The index is made of the footers of all files.
"""

from __future__ import annotations

import shutil
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Final
from unittest import mock

import numpy as np
from pyspark.sql import SparkSession

from pycompiler.index.storage.local import LocalStorage
from pycompiler.spark import index_creator
from pycompiler.spark.index_creator import IndexCreator, IndexUpdate
from pycompiler.table.errors import UnknownChangesError

from ..stores.calls import counted_calls
from .data.linked_table import LinkedTable, Size, create
from .results import Result, at_most
from .wide_case import WORK

_COMMIT_FILES: Final = 10
_ROUNDS: Final = 9
_GROWTH_GOAL: Final = 1.5
_LISTED: Final = "an update that lists the table"

SIZES: Final = (Size(1_000, 1), Size(10_000, 100), Size(100_000, 10_000))


def run(spark: SparkSession, sizes: Sequence[Size]) -> list[Result]:
    """Times updates after commits of ten new and of ten rewritten files, and counts file-system calls."""
    results: list[Result] = []
    found: dict[tuple[str, Size], tuple[float, int]] = {}
    for size in sizes:
        table = _create(size)
        creator = IndexCreator(spark)
        creator.build(table.root)
        listed = _by_listing(creator, table)
        results.append(Result(f"updates: {size}", _LISTED, listed, "s"))
        for kind, numbers in (("new", _new(table)), ("rewritten", _rewritten(table))):
            seconds, calls = _measure(creator, table, numbers)
            found[kind, size] = seconds, calls
            benchmark = f"updates: {size}"
            of_listing = seconds / listed
            results.append(
                Result(benchmark, f"{_COMMIT_FILES} {kind} files", seconds, "s", _LISTED, of_listing)
            )
            results.append(Result(benchmark, f"{_COMMIT_FILES} {kind} files", calls, "file-system calls"))
        shutil.rmtree(table.root)
    return [*results, *_growth(found, sizes)]


def _growth(found: dict[tuple[str, Size], tuple[float, int]], sizes: Sequence[Size]) -> Iterator[Result]:
    smallest, largest = sizes[0], sizes[-1]
    for kind in dict.fromkeys(kind for kind, _ in found):
        for what, small, large in zip(
            ("time", "file-system calls"), found[kind, smallest], found[kind, largest], strict=True
        ):
            goal, met = at_most(_GROWTH_GOAL, large / small, "times")
            yield Result(
                f"updates: {what}, {_COMMIT_FILES} {kind} files",
                f"from {smallest.files:,} to {largest.files:,} files",
                large / small,
                "times",
                f"{largest.files // smallest.files} times the files",
                large / small / (largest.files / smallest.files),
                goal,
                met,
            )


def _measure(
    creator: IndexCreator, table: LinkedTable, numbers: Callable[[], Sequence[int]]
) -> tuple[float, int]:
    """Median seconds and calls of the updates after several commits; the first warms up."""
    seconds, calls = [], []
    for _ in range(_ROUNDS + 1):
        table.write(numbers())
        with counted_calls(LocalStorage) as counts:
            update, taken = _timed(lambda: creator.update(table.root))
        assert update.listed_because is None, update.listed_because
        assert update.files_added == _COMMIT_FILES
        seconds.append(taken)
        calls.append(counts.total())
    return statistics.median(seconds[1:]), int(statistics.median(calls[1:]))


def _by_listing(creator: IndexCreator, table: LinkedTable) -> float:
    """Seconds of the least of two updates that do what all did before."""
    times = []
    numbers = _new(table)
    for _ in range(2):
        table.write(numbers())
        with mock.patch.object(index_creator, "by_timeline", side_effect=UnknownChangesError("to compare")):
            times.append(_timed(lambda: creator.update(table.root))[1])
    return min(times)


def _timed(work: Callable[[], IndexUpdate]) -> tuple[IndexUpdate, float]:
    start = time.perf_counter()
    done = work()
    return done, time.perf_counter() - start


def _new(table: LinkedTable) -> Callable[[], Sequence[int]]:
    return lambda: range(len(table.groups), len(table.groups) + _COMMIT_FILES)


def _rewritten(table: LinkedTable) -> Callable[[], Sequence[int]]:
    random = np.random.default_rng(1)
    return lambda: sorted(random.choice(len(table.groups), _COMMIT_FILES, replace=False).tolist())


def _create(size: Size) -> LinkedTable:
    return create(WORK / f"updates-{size.files}", size, more=100 * _COMMIT_FILES)
