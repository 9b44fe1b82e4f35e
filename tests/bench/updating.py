"""What it takes to bring an index up to date after a commit of ten files, on small and large tables.

The tables are real for Hudi and were not written by it: base files are hard links of a few Parquet files, the
timeline is that of table version 6, whose commits are JSON. The index is made of the footers of all files.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final
from unittest import mock

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import SparkSession

from pycompiler.index.storage.local import LocalStorage
from pycompiler.spark import index_creator
from pycompiler.spark.index_creator import IndexCreator, IndexUpdate
from pycompiler.table.errors import UnknownChangesError

from ..stores.calls import counted_calls
from .results import Result, at_most
from .wide_case import WORK

_COMMIT_FILES: Final = 10
_ROUNDS: Final = 9
_ROWS: Final = 100
_COLUMNS: Final = 20
_LINKS: Final = 10_000
"""Of one file; file systems have a limit."""

_GROWTH_GOAL: Final = 1.5
_LISTED: Final = "an update that lists the table"
_FIRST: Final = 20260101000000000


@dataclass(frozen=True)
class Size:
    """How large a table is."""

    files: int
    partitions: int

    def __str__(self) -> str:
        return f"{self.files:,} files in {self.partitions:,} partition{'s' if self.partitions > 1 else ''}"


SIZES: Final = (Size(1_000, 1), Size(10_000, 100), Size(100_000, 10_000))


@dataclass
class _Table:
    """A table, and which instant wrote the latest file of each of its file groups."""

    root: Path
    partitions: int
    templates: Sequence[Path]
    groups: dict[int, int] = field(default_factory=dict)
    instant: int = _FIRST
    links: int = 0

    def write(self, numbers: Sequence[int]) -> None:
        """Commits a new file for each of some file groups."""
        self.instant += 1
        stats: dict[str, list[dict[str, Any]]] = {}
        for number in numbers:
            partition = f"day={number % self.partitions:05d}"
            file_id = f"{number:08x}-0000-4000-8000-000000000000-0"
            path = f"{partition}/{file_id}_0-1-0_{self.instant}.parquet"
            template = self.templates[self.links // _LINKS]
            os.link(template, self.root / path)
            self.links += 1
            stats.setdefault(partition, []).append(
                {
                    "fileId": file_id,
                    "path": path,
                    "prevCommit": str(self.groups.get(number, "null")),
                    "numWrites": _ROWS,
                    "fileSizeInBytes": template.stat().st_size,
                }
            )
            self.groups[number] = self.instant
        document = {"partitionToWriteStats": stats, "compacted": False, "extraMetadata": {}}
        (self.root / ".hoodie" / f"{self.instant}.commit").write_text(json.dumps(document))


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
    creator: IndexCreator, tables: Mapping[Size, tuple[_Table, Callable[[], Sequence[int]]]]
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


def _by_listing(creator: IndexCreator, table: _Table) -> float:
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


def _new(table: _Table) -> Callable[[], Sequence[int]]:
    return lambda: range(len(table.groups), len(table.groups) + _COMMIT_FILES)


def _rewritten(table: _Table) -> Callable[[], Sequence[int]]:
    random = np.random.default_rng(1)
    return lambda: sorted(random.choice(len(table.groups), _COMMIT_FILES, replace=False).tolist())


def _create(size: Size) -> _Table:
    root = WORK / f"updates-{size.files}"
    shutil.rmtree(root, ignore_errors=True)
    (root / ".hoodie").mkdir(parents=True)
    (root / ".hoodie" / "hoodie.properties").write_text(_PROPERTIES)
    for number in range(size.partitions):
        partition = root / f"day={number:05d}"
        partition.mkdir()
        # Without it, Hudi takes a folder for no partition.
        (partition / ".hoodie_partition_metadata").write_text(f"commitTime={_FIRST}\npartitionDepth=1\n")
    links = size.files + 100 * _COMMIT_FILES
    templates = [_template(root / ".hoodie" / f".template-{at}", at) for at in range(links // _LINKS + 1)]
    table = _Table(root, size.partitions, templates)
    # As many commits as an active timeline has.
    share = size.files // 20
    for start in range(0, size.files, share):
        table.write(range(start, start + share))
    return table


_PROPERTIES: Final = """\
hoodie.table.name=updates
hoodie.table.type=COPY_ON_WRITE
hoodie.table.version=6
hoodie.timeline.layout.version=1
hoodie.table.base.file.format=PARQUET
hoodie.table.partition.fields=day
hoodie.table.recordkey.fields=c00
hoodie.datasource.write.hive_style_partitioning=true
hoodie.datasource.write.drop.partition.columns=false
hoodie.archivelog.folder=archived
"""


def _template(path: Path, seed: int) -> Path:
    random = np.random.default_rng(seed)
    columns = {f"c{at:02d}": pa.array(random.integers(0, 1 << 40, _ROWS)) for at in range(_COLUMNS)}
    pq.write_table(pa.table(columns), path)
    return path
