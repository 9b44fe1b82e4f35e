"""Measures how fast footers become index rows, and what an index adds to a Hudi write."""

import statistics
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from pycompiler.index.collect.table_columns import UNKNOWN_TABLE
from pycompiler.index.options import IndexOptions
from pycompiler.index.records import WriteStatus
from pycompiler.spark.index_creator import IndexCreator
from pycompiler.spark.tasks import STATUS_SCHEMA, footer_reader, status_row

from .environment import WORK, spark_session
from .results import Result, at_least, at_most
from .timing import in_turns, median_ratio, seconds

_ROWS: Final = 100
_CORES: Final = (1, 2)
_ROUNDS: Final = 9
_BARE: Final = "bare pyarrow footer loop, one core"
_IN_SPARK: Final = "building: IndexCreator, all of Spark"
_PER_CORE_GOAL: Final = 0.8
_RISE_GOAL: Final = 1.5
_WRITES: Final = 3
_WRITE_GOAL: Final = 0.05
_STATUS_COLUMNS: Final = ["partition", "file_id", "path", "size", "commit_time"]


def run(small: bool) -> list[Result]:
    """Times both, in a session with two cores."""
    footers = ((100, 50), (10, 500)) if small else ((4_000, 50), (200, 2_000))
    with spark_session() as spark:
        read = [result for files, columns in footers for result in _footers(spark, files, columns)]
        return [*read, *_writes(spark, 20_000 if small else 1_000_000)]


def _footers(spark: SparkSession, files: int, columns: int) -> Iterator[Result]:
    case = f"{files:,} files × {columns:,} columns"
    statuses = _base_files(files, columns)
    works: list[Callable[[], object]] = [
        lambda: [_look_at_statistics(status.path) for status in statuses],
        lambda: _executors_work(statuses),
        *(_in_spark(spark, statuses, cores) for cores in _CORES),
    ]
    bare, executor, *sparks = in_turns([partial(seconds, work) for work in works], _ROUNDS)
    yield Result("building: bare pyarrow footer loop", f"{case}, one core", files / min(bare), "files/s")
    rate, ratio = files / min(executor), median_ratio(bare, executor)
    goal = at_least(_PER_CORE_GOAL, ratio, "per core")
    yield Result("building: executor's work", f"{case}, one core", rate, "files/s", _BARE, ratio, *goal)
    for cores, times in zip(_CORES, sparks, strict=True):
        metric = f"{case}, {cores} task{'s' if cores > 1 else ''}"
        yield Result(_IN_SPARK, metric, files / min(times), "files/s", _BARE, median_ratio(bare, times))
    rise = median_ratio(sparks[0], sparks[-1])
    goal = at_least(_RISE_GOAL, rise, "times one task")
    yield Result(_IN_SPARK, f"{case}, rise with cores", rise, "times", "one task", rise, *goal)


def _look_at_statistics(path: str) -> int:
    """Does the minimum that any program must do: opens the footer and reads each column's statistics."""
    metadata: Any = pq.read_metadata(path)
    seen = 0
    for number in range(metadata.num_row_groups):
        group = metadata.row_group(number)
        for column in range(group.num_columns):
            found = group.column(column).statistics
            seen += found is not None and found.min is not None and found.max is not None
    return seen


def _executors_work(statuses: Sequence[WriteStatus]) -> int:
    """Does a task's work between the batch that it gets from Spark and those that it returns."""
    columns = zip(*map(status_row, statuses), strict=True)
    batch = pa.RecordBatch.from_arrays([pa.array(column) for column in columns], _STATUS_COLUMNS)
    reader = footer_reader(IndexOptions(), UNKNOWN_TABLE, lambda _: None)
    return sum(rows.num_rows for rows in reader([batch]))


def _in_spark(spark: SparkSession, statuses: Sequence[WriteStatus], cores: int) -> Callable[[], object]:
    """Runs as many tasks as cores. As in a commit, the file statuses are in the JVM."""
    frame = spark.createDataFrame([status_row(status) for status in statuses], STATUS_SCHEMA)
    frame = frame.repartition(cores).cache()
    creator = IndexCreator(spark)
    return lambda: creator.collect_metadata(frame).write.format("noop").mode("overwrite").save()


def _base_files(files: int, columns: int) -> list[WriteStatus]:
    folder = WORK / f"footers-{columns}"
    folder.mkdir(parents=True)
    statuses = []
    for number in range(files):
        random = np.random.default_rng(number)
        integers = random.integers(0, 1 << 40, _ROWS)
        words = pa.array([f"value-{value:012x}" for value in integers.tolist()])
        days = pa.array((integers % 20_000).astype(np.int32)).cast(pa.date32())
        kinds = (pa.array(integers), pa.array(random.random(_ROWS)), words, pa.array(integers // 1000), days)
        table = pa.table({f"column_{at:04d}": kinds[at % len(kinds)] for at in range(columns)})
        path = folder / f"{number:08d}-0_0-1-1_20210301000000000.parquet"
        pq.write_table(table, path)
        statuses.append(
            WriteStatus("", f"{number:08d}-0", str(path), path.stat().st_size, "20210301000000000")
        )
    return statuses


def _writes(spark: SparkSession, rows: int) -> Iterator[Result]:
    """Writes commits, and updates the index after each."""
    table = WORK / "writes"
    creator = IndexCreator(spark)
    writing, indexing = [], []
    for number in range(_WRITES + 1):
        writing.append(seconds(partial(_commit, spark, table, number, rows)))
        indexing.append(seconds(partial(creator.update, str(table))))
    # The first of each starts workers and loads classes.
    write, index = statistics.median(writing[1:]), statistics.median(indexing[1:])
    benchmark, metric = "building: index of a Hudi write", f"{rows:,} rows"
    goal = at_most(_WRITE_GOAL, index / write, "of the write")
    yield Result("building: a Hudi write", metric, write, "s")
    yield Result(benchmark, metric, index, "s", "the write", index / write, *goal)


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
