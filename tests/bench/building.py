"""How fast footers become index rows, and what an index adds to a Hudi write."""

from __future__ import annotations

import shutil
import statistics
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from pycompiler.index.footer import read_records
from pycompiler.index.records import WriteStatus
from pycompiler.spark.index_creator import IndexCreator
from pycompiler.spark.tasks import STATUS_SCHEMA, status_row

from .results import Result, at_least, at_most
from .wide_case import WORK

_COLUMNS: Final = 100
_ROWS: Final = 1_000
_CORES: Final = (1, 2)
_BARE: Final = "bare pyarrow footer loop, one core"
_PER_CORE_GOAL: Final = 0.8
_RISE_GOAL: Final = 1.5
_WRITES: Final = 4
_WRITE_GOAL: Final = 0.05


def run(spark: SparkSession, files: int, rows_written: int) -> list[Result]:
    """Times both; the session has to have two cores.

    Args:
        spark: A session with Hudi.
        files: Base files whose footers are read.
        rows_written: Rows of each Hudi commit.
    """
    return [*_footers(spark, files), *_writes(spark, rows_written)]


def _footers(spark: SparkSession, count: int) -> Iterator[Result]:
    statuses = _base_files(count)
    bare = _files_per_second(count, lambda: sum(_bare(status.path) for status in statuses))
    yield Result("building: bare pyarrow footer loop", "one core", bare, "files/s")
    rows = _files_per_second(count, lambda: sum(len(read_records(status)) for status in statuses))
    yield Result("building: index rows without Spark", "one core", rows, "files/s", _BARE, rows / bare)
    creator = IndexCreator(spark)
    rates = []
    for cores in _CORES:
        # As many tasks as cores that may work.
        frame = spark.createDataFrame(
            spark.sparkContext.parallelize([status_row(status) for status in statuses], cores), STATUS_SCHEMA
        )
        rate = _files_per_second(count, lambda frame=frame: _all_rows(creator.collect_metadata(frame)))  # type: ignore[misc]
        rates.append(rate)
        ratio = rate / bare / cores
        goal, met = at_least(_PER_CORE_GOAL, ratio, "per core")
        metric = f"{cores} core{'s' if cores > 1 else ''}"
        yield Result("building: IndexCreator", metric, rate, "files/s", _BARE, ratio, goal, met)
    rise = rates[-1] / rates[0]
    goal, met = at_least(_RISE_GOAL, rise, "times one core")
    yield Result("building: IndexCreator", "rise with cores", rise, "times", "one core", rise, goal, met)


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


def _files_per_second(files: int, work: Callable[[], object]) -> float:
    work()
    times = []
    for _ in range(5):
        times.append(_seconds(work))
    return files / min(times)


def _base_files(count: int) -> list[WriteStatus]:
    folder = WORK / "footers"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    statuses = []
    for number in range(count):
        random = np.random.default_rng(number)
        integers = random.integers(0, 1 << 40, _ROWS)
        words = pa.array([f"value-{value:012x}" for value in integers.tolist()])
        kinds = (pa.array(integers), pa.array(random.random(_ROWS)), words, pa.array(integers // 1000))
        table = pa.table({f"column_{at:03d}": kinds[at % len(kinds)] for at in range(_COLUMNS)})
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
