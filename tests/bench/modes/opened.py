"""Which slices a selective filter opens where some have logs, beside those that have a matching row."""

from __future__ import annotations

import shutil
from typing import Final

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from pycompiler.spark.writer import write_indexed

from .. import jvm
from ..results import Result
from ..stopwatch import Pace
from ..wide_case import WORK

_WITH_LOGS: Final = 20
"""One slice of so many has a log."""

_PER_SLICE: Final = 500
_FILTERS: Final = 40
_GOAL: Final = 1.2
_ONCE: Final = Pace(0.0, 1)
_OPTIONS: Final = {
    "hoodie.table.name": "opened",
    "hoodie.datasource.write.table.type": "MERGE_ON_READ",
    "hoodie.datasource.write.recordkey.field": "k",
    "hoodie.datasource.write.precombine.field": "n",
    "hoodie.datasource.write.partitionpath.field": "",
    "hoodie.bulkinsert.sort.mode": "NONE",
    "hoodie.compact.inline": "false",
    "hoodie.upsert.shuffle.parallelism": "1",
    "hoodie.metadata.index.column.stats.enable": "false",
    "hoodie.metadata.index.partition.stats.enable": "false",
}


def run(spark: SparkSession, slices: int) -> list[Result]:
    """Writes a table and asks it for single values of the column that it is laid out by.

    Args:
        spark: A session with Hudi.
        slices: How many the table has.
    """
    path = WORK / "opened"
    shutil.rmtree(path, ignore_errors=True)
    write = {"hoodie.datasource.write.operation": "bulk_insert"}
    write_indexed(_rows(spark, slices, 1), str(path), {**_OPTIONS, **write}, mode="append")
    updated = _rows(spark, slices, 2).where(f"id div {_PER_SLICE} % {_WITH_LOGS} = 3 and id % 7 = 0")
    write = {"hoodie.datasource.write.operation": "upsert"}
    write_indexed(updated, str(path), {**_OPTIONS, **write}, mode="append")

    values = [number * slices * _PER_SLICE // _FILTERS + 7 for number in range(_FILTERS)]
    rows = spark.read.format("hudi").load(str(path)).where(F.col("id").isin(values))
    group = F.split("_hoodie_file_name", "_")[0]
    matching = rows.select("id", group.alias("slice")).distinct().count()
    queries = {
        str(value): {"table": str(path), "settings": {}, "id": value, "pace": _ONCE.job()} for value in values
    }
    timings = jvm.handler_program("PlanningTimings", {"queries": queries})
    opened = sum(timings[f"{value}, planned"].count for value in values)
    shutil.rmtree(path)
    benchmark = f"opened: {slices:,} slices, {slices // _WITH_LOGS:,} with logs"
    return [
        Result(benchmark, f"{_FILTERS} filters, slices with a match", matching, "slices"),
        Result(
            benchmark,
            f"{_FILTERS} filters, slices opened",
            opened,
            "slices",
            "slices with a match",
            opened / matching,
            f"≤ {_GOAL:g} times",
            opened <= _GOAL * matching,
        ),
    ]


def _rows(spark: SparkSession, slices: int, version: int) -> DataFrame:
    rows = spark.range(0, slices * _PER_SLICE, 1, slices)
    return rows.selectExpr(
        "concat('key-', id) as k", "id", f"{version} as n", "concat('city ', id % 97) as city"
    )
