"""Measures index updates after commits of ten files, on small and large tables."""

import shutil
import statistics
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final

import numpy as np
from pyspark.sql import SparkSession

from pycompiler.index.file_systems.local import LocalStorage
from pycompiler.spark.index_creator import IndexCreator, IndexUpdate

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
_Numbers = Callable[[LinkedTable], Callable[[], Sequence[int]]]
_Measured = tuple[tuple[float, ...], list[int]]
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
        kinds: dict[str, _Numbers] = {"new": _new, "rewritten": _rewritten}
        found = {
            f"{_COMMIT_FILES} {kind} files": _measure(creator, tables, numbers)
            for kind, numbers in kinds.items()
        }
    for table in tables:
        shutil.rmtree(table.root)
    return [*_each(sizes, listed, found), *_growth(sizes, found)]


def _each(
    sizes: Sequence[Size], listed: Sequence[float], found: dict[str, list[_Measured]]
) -> Iterator[Result]:
    for at, size in enumerate(sizes):
        benchmark = f"updates: {size}"
        yield Result(benchmark, _LISTED, listed[at], "s")
        for files, measured in found.items():
            taken, calls = map(statistics.median, measured[at])
            yield Result(benchmark, files, taken, "s", _LISTED, taken / listed[at])
            yield Result(benchmark, files, int(calls), "file-system calls")


def _growth(sizes: Sequence[Size], found: dict[str, list[_Measured]]) -> Iterator[Result]:
    smallest, largest = sizes[0].files, sizes[-1].files
    for files, measured in found.items():
        (small_times, small_calls), (large_times, large_calls) = measured[0], measured[-1]
        growth = {
            "time": median_ratio(large_times, small_times),
            "file-system calls": statistics.median(large_calls) / statistics.median(small_calls),
        }
        for what, times in growth.items():
            yield grown(
                f"updates: {what}, {files}",
                f"from {smallest:,} to {largest:,} files",
                times,
                "times",
                (largest // smallest, "files"),
                _GROWTH_GOAL,
            )


def _measure(creator: IndexCreator, tables: Sequence[LinkedTable], numbers: _Numbers) -> list[_Measured]:
    """Updates the tables in turns, after a commit to each."""
    calls: list[list[int]] = [[] for _ in tables]

    def update(table: LinkedTable, commit: Callable[[], Sequence[int]], counts: list[int]) -> float:
        table.write(commit())
        with counted_calls(LocalStorage) as counted:
            taken = seconds(lambda: done.append(creator.update(table.root)))
        assert done[-1].listed_because is None, done[-1].listed_because
        assert done[-1].files_added == _COMMIT_FILES
        counts.append(counted.total())
        return taken

    done: list[IndexUpdate] = []
    works: list[Callable[[], float]] = [
        partial(update, table, numbers(table), counts) for table, counts in zip(tables, calls, strict=True)
    ]
    return list(zip(in_turns(works, _ROUNDS), (counts[1:] for counts in calls), strict=True))


def _by_listing(spark: SparkSession, table: LinkedTable) -> float:
    """Returns the faster of two updates that list the table instead of using the timeline."""
    times = []
    numbers = _new(table)
    for _ in range(2):
        table.write(numbers())
        times.append(seconds(partial(update_by_listing, spark, table.root)))
    return min(times)


def _new(table: LinkedTable) -> Callable[[], Sequence[int]]:
    return lambda: range(len(table.groups), len(table.groups) + _COMMIT_FILES)


def _rewritten(table: LinkedTable) -> Callable[[], Sequence[int]]:
    random = np.random.default_rng(1)
    return lambda: sorted(random.choice(len(table.groups), _COMMIT_FILES, replace=False).tolist())
