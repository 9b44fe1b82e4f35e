"""Compares the slices that a selective filter opens with those that contain a matching row."""

from typing import Final

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from pycompiler.spark.writer import write_indexed

from ...e2e.harness.hudi_writer import HudiWriter
from .. import jvm
from ..environment import WORK, spark_session
from ..results import Result, at_most
from ..timing import Pace

_WITH_LOGS: Final = 20
"""One slice in so many has a log."""

_PER_SLICE: Final = 500
_FILTERS: Final = 40
_GOAL: Final = 1.2
_OPTIONS: Final = {
    "hoodie.datasource.write.table.type": "MERGE_ON_READ",
    "hoodie.datasource.write.partitionpath.field": "",
}


def run(small: bool) -> list[Result]:
    """Writes a table and queries single values of the column by which it is laid out."""
    slices = 20 if small else 200
    path = WORK / "opened"
    values = [number * slices * _PER_SLICE // _FILTERS + 7 for number in range(_FILTERS)]
    with spark_session() as spark:
        updated = _rows(spark, slices, 2).where(f"id div {_PER_SLICE} % {_WITH_LOGS} = 3 and id % 7 = 0")
        for operation, rows in (("bulk_insert", _rows(spark, slices, 1)), ("upsert", updated)):
            options = HudiWriter(spark, path, _OPTIONS).write_options(operation)
            write_indexed(rows, str(path), options, mode="append")
        rows = spark.read.format("hudi").load(str(path)).where(F.col("id").isin(values))
        group = F.split("_hoodie_file_name", "_")[0]
        matching = rows.select("id", group.alias("slice")).distinct().count()
    timings = jvm.planning_timings(path, {str(value): {"id": value} for value in values}, Pace(0.0, 1))
    opened = sum(timings[f"{value}, planned"].count for value in values)
    benchmark = f"opened: {slices:,} slices, {slices // _WITH_LOGS:,} with logs"
    metric, match, ratio = f"{_FILTERS} filters, slices", "slices with a match", opened / matching
    return [
        Result(benchmark, f"{metric} with a match", matching, "slices"),
        Result(
            benchmark, f"{metric} opened", opened, "slices", match, ratio, *at_most(_GOAL, ratio, "times")
        ),
    ]


def _rows(spark: SparkSession, slices: int, version: int) -> DataFrame:
    rows = spark.range(0, slices * _PER_SLICE, 1, slices)
    return rows.selectExpr("id", f"{version} as n", "concat('city ', id % 97) as city")
