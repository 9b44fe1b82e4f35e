"""Measures index updates after commits of ten files, on small and large tables."""

import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final

import numpy as np
from pyspark.sql import SparkSession

from pycompiler.index.file_systems.local import LocalStorage
from pycompiler.spark.index_creator import IndexCreator

from ..spark.tables import update_by_listing
from ..stores.calls import counted_calls
from .data.linked_table import LinkedTable, Size, create
from .environment import WORK, spark_session
from .results import Result, grown
from .timing import in_turns, median_ratio, seconds

_COMMIT_FILES: Final = 10
_ROUNDS: Final = 9
_GROWTH_GOAL: Final = 1.5
_LISTED: Final = "an update that lists the table"
_SIZES: Final = (Size(1_000, 1), Size(10_000, 100), Size(100_000, 10_000))
_Updates = tuple[tuple[float, int], ...]
"""Seconds and file-system calls of each update."""


def run(small: bool) -> list[Result]:
    """Times updates after commits of ten new and of ten rewritten files, and counts file-system calls."""
    sizes = _SIZES[:2] if small else _SIZES
    with spark_session() as spark:
        creator = IndexCreator(spark)
        tables = [create(WORK / f"updates-{size.files}", size) for size in sizes]
        for table in tables:
            creator.build(table.root)
        listed = [_by_listing(spark, table) for table in tables]
        kinds: dict[str, Callable[[LinkedTable], Sequence[int]]] = {"new": _new, "rewritten": _rewritten}
        found = {
            f"{_COMMIT_FILES} {kind} files": in_turns(
                [partial(_update, creator, table, numbers) for table in tables], _ROUNDS
            )
            for kind, numbers in kinds.items()
        }
    return [*_each(sizes, listed, found), *_growth(sizes, found)]


def _each(
    sizes: Sequence[Size], listed: Sequence[float], found: Mapping[str, Sequence[_Updates]]
) -> Iterator[Result]:
    for at, size in enumerate(sizes):
        benchmark = f"updates: {size}"
        yield Result(benchmark, _LISTED, listed[at], "s")
        for files, updates in found.items():
            taken, calls = map(statistics.median, zip(*updates[at], strict=True))
            yield Result(benchmark, files, taken, "s", _LISTED, taken / listed[at])
            yield Result(benchmark, files, int(calls), "file-system calls")


def _growth(sizes: Sequence[Size], found: Mapping[str, Sequence[_Updates]]) -> Iterator[Result]:
    smallest, largest = sizes[0].files, sizes[-1].files
    metric, factor = f"from {smallest:,} to {largest:,} files", (largest // smallest, "files")
    for files, updates in found.items():
        (small_times, small_calls), (large_times, large_calls) = (
            zip(*updates[at], strict=True) for at in (0, -1)
        )
        for what, growth in (
            ("time", median_ratio(large_times, small_times)),
            ("file-system calls", statistics.median(large_calls) / statistics.median(small_calls)),
        ):
            yield grown(f"updates: {what}, {files}", metric, growth, "times", factor, _GROWTH_GOAL)


def _update(
    creator: IndexCreator, table: LinkedTable, numbers: Callable[[LinkedTable], Sequence[int]]
) -> tuple[float, int]:
    """Updates the index after a commit; returns the seconds and the file-system calls."""
    table.write(numbers(table))
    with counted_calls(LocalStorage) as counted:
        start = time.perf_counter()
        done = creator.update(table.root)
        taken = time.perf_counter() - start
    assert done.listed_because is None, done.listed_because
    assert done.files_added == _COMMIT_FILES
    return taken, counted.total()


def _by_listing(spark: SparkSession, table: LinkedTable) -> float:
    """Returns the faster of two updates that list the table instead of using the timeline."""
    times = []
    for _ in range(2):
        table.write(_new(table))
        times.append(seconds(partial(update_by_listing, spark, table.root)))
    return min(times)


def _new(table: LinkedTable) -> Sequence[int]:
    return range(len(table.groups), len(table.groups) + _COMMIT_FILES)


def _rewritten(table: LinkedTable) -> Sequence[int]:
    random = np.random.default_rng(table.instant)
    return sorted(random.choice(len(table.groups), _COMMIT_FILES, replace=False).tolist())
