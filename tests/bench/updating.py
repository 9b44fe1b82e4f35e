"""What it takes to bring an index up to date after a commit of ten files, on small and large tables.

The index is made of the footers of all files.
"""

from __future__ import annotations

import shutil
import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
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


@dataclass
class _Updates:
    """What the updates of a table took: seconds and file-system calls of each."""

    times: list[float] = field(default_factory=list)
    calls_of_each: list[int] = field(default_factory=list)

    def add(self, seconds: float, calls: int) -> None:
        self.times.append(seconds)
        self.calls_of_each.append(calls)

    @property
    def seconds(self) -> float:
        return statistics.median(self.times)

    @property
    def calls(self) -> int:
        return int(statistics.median(self.calls_of_each))


_Found = Mapping[Size, _Updates]


def run(spark: SparkSession, sizes: Sequence[Size]) -> list[Result]:
    """Times updates after commits of ten new and of ten rewritten files, and counts file-system calls."""
    creator = IndexCreator(spark)
    tables = {size: _create(size) for size in sizes}
    for table in tables.values():
        creator.build(table.root)
    listed = {size: _by_listing(creator, table) for size, table in tables.items()}
    found = {
        kind: _measure(creator, {size: (table, numbers(table)) for size, table in tables.items()})
        for kind, numbers in (("new", _new), ("rewritten", _rewritten))
    }
    for table in tables.values():
        shutil.rmtree(table.root)
    return [*_each(found, listed), *_growth(found, sizes[0], sizes[-1])]


def _each(found: Mapping[str, _Found], listed: Mapping[Size, float]) -> Iterator[Result]:
    for size, seconds in listed.items():
        benchmark = f"updates: {size}"
        yield Result(benchmark, _LISTED, seconds, "s")
        for kind, measured in found.items():
            files = f"{_COMMIT_FILES} {kind} files"
            time_taken, calls = measured[size].seconds, measured[size].calls
            yield Result(benchmark, files, time_taken, "s", _LISTED, time_taken / seconds)
            yield Result(benchmark, files, calls, "file-system calls")


def _growth(found: Mapping[str, _Found], smallest: Size, largest: Size) -> Iterator[Result]:
    more = largest.files // smallest.files
    for kind, measured in found.items():
        small, large = measured[smallest], measured[largest]
        growth = {
            # Of the same round each: what else the machine does then is the same for both.
            "time": statistics.median(b / a for a, b in zip(small.times, large.times, strict=True)),
            "file-system calls": large.calls / small.calls,
        }
        for what, times in growth.items():
            goal, met = at_most(_GROWTH_GOAL, times, "times")
            yield Result(
                f"updates: {what}, {_COMMIT_FILES} {kind} files",
                f"from {smallest.files:,} to {largest.files:,} files",
                times,
                "times",
                f"{more} times the files",
                times / more,
                goal,
                met,
            )


def _measure(
    creator: IndexCreator, tables: Mapping[Size, tuple[LinkedTable, Callable[[], Sequence[int]]]]
) -> _Found:
    """Updates tables after several commits each, in turn; the first round warms up."""
    found = {size: _Updates() for size in tables}
    for number in range(_ROUNDS + 1):
        for size, (table, numbers) in tables.items():
            table.write(numbers())
            with counted_calls(LocalStorage) as counts:
                update, taken = _timed(partial(creator.update, table.root))
            assert update.listed_because is None, update.listed_because
            assert update.files_added == _COMMIT_FILES
            if number > 0:
                found[size].add(taken, counts.total())
    return found


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
