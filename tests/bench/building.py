"""How fast footers become index rows, and what an index adds to a Hudi write."""

from __future__ import annotations

import shutil
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from pycompiler.index.options import IndexOptions
from pycompiler.index.records import WriteStatus
from pycompiler.spark.index_creator import IndexCreator
from pycompiler.spark.tasks import STATUS_SCHEMA, footer_reader, status_row
from pycompiler.statistics.table_columns import UNKNOWN_TABLE

from .results import Result, at_least, at_most
from .wide_case import WORK

_ROWS: Final = 100
_CORES: Final = (1, 2)
_ROUNDS: Final = 9
_BARE: Final = "bare pyarrow footer loop, one core"
_PER_CORE_GOAL: Final = 0.8
_RISE_GOAL: Final = 1.5
_WRITES: Final = 3
_WRITE_GOAL: Final = 0.05
_STATUS_COLUMNS: Final = ["partition", "file_id", "path", "size", "commit_time"]


@dataclass(frozen=True)
class Footers:
    """Base files whose footers are read."""

    files: int
    columns: int

    def __str__(self) -> str:
        return f"{self.files:,} files × {self.columns:,} columns"


def run(spark: SparkSession, footers: Sequence[Footers], rows_written: int) -> list[Result]:
    """Times both; the session has to have two cores.

    Args:
        spark: A session with Hudi.
        footers: Sets of base files.
        rows_written: Rows of each Hudi commit.
    """
    read = [result for case in footers for result in _footers(spark, case)]
    return [*read, *_writes(spark, rows_written)]


def _footers(spark: SparkSession, case: Footers) -> Iterator[Result]:
    statuses = _base_files(case)
    creator = IndexCreator(spark)

    def in_spark(cores: int) -> Callable[[], object]:
        # As many tasks as cores that may work. The statuses of a commit are in the JVM as well.
        frame = spark.createDataFrame([status_row(status) for status in statuses], STATUS_SCHEMA)
        frame = frame.repartition(cores).cache()
        return lambda: _all_rows(creator.collect_metadata(frame))

    bare, executor, *sparks = _in_turns(
        [
            lambda: sum(_bare(status.path) for status in statuses),
            lambda: _executors_work(statuses),
            *map(in_spark, _CORES),
        ]
    )
    yield Result("building: bare pyarrow footer loop", f"{case}, one core", case.files / min(bare), "files/s")
    rate, ratio = case.files / min(executor), _times_as_fast(executor, bare)
    goal, met = at_least(_PER_CORE_GOAL, ratio, "per core")
    yield Result("building: executor's work", f"{case}, one core", rate, "files/s", _BARE, ratio, goal, met)
    for cores, spark_times in zip(_CORES, sparks, strict=True):
        metric = f"{case}, {cores} task{'s' if cores > 1 else ''}"
        rate, ratio = case.files / min(spark_times), _times_as_fast(spark_times, bare)
        yield Result("building: IndexCreator, all of Spark", metric, rate, "files/s", _BARE, ratio)
    rise = _times_as_fast(sparks[-1], sparks[0])
    goal, met = at_least(_RISE_GOAL, rise, "times one task")
    yield Result(
        "building: IndexCreator, all of Spark",
        f"{case}, rise with cores",
        rise,
        "times",
        "one task",
        rise,
        goal,
        met,
    )


def _executors_work(statuses: Sequence[WriteStatus]) -> int:
    """What a task does between the batch that it gets from Spark and those that it gives back."""
    columns = zip(*map(status_row, statuses), strict=True)
    batch = pa.RecordBatch.from_arrays([pa.array(column) for column in columns], _STATUS_COLUMNS)
    return sum(rows.num_rows for rows in footer_reader(IndexOptions(), UNKNOWN_TABLE, _uncounted)([batch]))


def _uncounted(files: int) -> None:
    """Counts nothing."""


def _all_rows(records: DataFrame) -> int:
    records.write.format("noop").mode("overwrite").save()
    return 0


def _bare(path: str) -> int:
    """What any program has to do: open the footer and look at each column's statistics."""
    metadata: Any = pq.read_metadata(path)
    seen = 0
    for number in range(metadata.num_row_groups):
        group = metadata.row_group(number)
        for column in range(group.num_columns):
            found = group.column(column).statistics
            seen += found is not None and found.min is not None and found.max is not None
    return seen


def _in_turns(works: Sequence[Callable[[], object]]) -> list[tuple[float, ...]]:
    """The seconds that each takes in several rounds, in each of which all take their turn."""
    for work in works:
        work()
    rounds = [[_seconds(work) for work in works] for _ in range(_ROUNDS)]
    return list(zip(*rounds, strict=True))


def _times_as_fast(times: Sequence[float], peers: Sequence[float]) -> float:
    """The median of the rounds: what slows the machine down for some seconds slows both of a round down."""
    return statistics.median(peer / own for own, peer in zip(times, peers, strict=True))


def _base_files(case: Footers) -> list[WriteStatus]:
    folder = WORK / "footers"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    statuses = []
    for number in range(case.files):
        random = np.random.default_rng(number)
        integers = random.integers(0, 1 << 40, _ROWS)
        words = pa.array([f"value-{value:012x}" for value in integers.tolist()])
        days = pa.array((integers % 20_000).astype(np.int32)).cast(pa.date32())
        kinds = (pa.array(integers), pa.array(random.random(_ROWS)), words, pa.array(integers // 1000), days)
        table = pa.table({f"column_{at:04d}": kinds[at % len(kinds)] for at in range(case.columns)})
        path = folder / f"{number:08d}-0_0-1-1_20210301000000000.parquet"
        pq.write_table(table, path)
        statuses.append(
            WriteStatus("", f"{number:08d}-0", str(path), path.stat().st_size, "20210301000000000")
        )
    return statuses


def _writes(spark: SparkSession, rows: int) -> Iterator[Result]:
    """Writes commits one after the other, and brings the index up to date after each."""
    table = WORK / "writes"
    shutil.rmtree(table, ignore_errors=True)
    creator = IndexCreator(spark)
    writing, indexing = [], []
    for number in range(_WRITES + 1):
        writing.append(_seconds(lambda number=number: _commit(spark, table, number, rows)))  # type: ignore[misc]
        indexing.append(_seconds(lambda: creator.update(str(table))))
    # The first of each starts workers and loads classes.
    write, index = statistics.median(writing[1:]), statistics.median(indexing[1:])
    yield Result("building: a Hudi write", f"{rows:,} rows", write, "s")
    ratio = index / write
    goal, met = at_most(_WRITE_GOAL, ratio, "of the write")
    yield Result(
        "building: index of a Hudi write", f"{rows:,} rows", index, "s", "the write", ratio, goal, met
    )


def _commit(spark: SparkSession, table: Path, number: int, rows: int) -> None:
    key = F.col("id") + number * rows
    frame = spark.range(rows).select(
        F.format_string("trip-%012d", key).alias("record_key"),
        F.date_add(F.lit("2021-02-03").cast("date"), (F.col("id") % 8).cast("int")).alias("datestr"),
        *(F.rand(seed).alias(f"fare_{seed:02d}") for seed in range(6)),
        *(((key * 7919 * seed) % 1_000_003).alias(f"rider_{seed:02d}") for seed in range(1, 9)),
        *(F.sha1((key % (seed * 1000)).cast("string")).alias(f"session_{seed:02d}") for seed in range(1, 5)),
    )
    options = {
        "hoodie.table.name": "trips",
        "hoodie.datasource.write.recordkey.field": "record_key",
        "hoodie.datasource.write.partitionpath.field": "datestr",
        "hoodie.datasource.write.hive_style_partitioning": "true",
        "hoodie.datasource.write.operation": "insert",
    }
    frame.write.format("hudi").options(**options).mode("append").save(str(table))


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start
