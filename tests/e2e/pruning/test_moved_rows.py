"""Rows that a global index left in their old partition: their partition's path has the column's value.

Spark and Hive's own tables show this value; so do we, whether files are skipped or not.
"""

from collections.abc import Mapping
from itertools import cycle

import pytest
from pyspark.sql import SparkSession

from ..harness.check import WITHOUT_SKIPPING, Checker, assert_same_rows
from ..harness.command import hudi_skip
from ..harness.engines import ENGINES, TEZ
from ..harness.hudi_writer import COLUMN_STATISTICS
from ..harness.lake import Lake
from ..harness.operated_table import OperatedTable

_DAYS = ("2026-01-01", "2026-01-02", "2026-01-03")
_LEFT_BEHIND = {
    "hoodie.index.type": "GLOBAL_SIMPLE",
    "hoodie.simple.index.update.partition.path": "false",
    "hoodie.datasource.write.hive_style_partitioning": "true",
    "hoodie.datasource.write.partitionpath.field": "day,hour",
}
QUERIES = [
    "select id, n, day, hour from {} where day = date '2026-01-01'",
    "select id, n, day, hour from {} where day = date '2026-01-03'",
    "select id, n, day, hour from {} where day > date '2026-01-01' and hour = 1",
    "select id, n, day, hour from {} where hour = 1 and n = 100",
    "select id, n, day, hour from {} where hour = 7 or n = 100",
    "select id, n, day, hour from {} where month(day) = 1 and hour in (0, 7)",
    "select day, hour, count(*), sum(n) from {} group by day, hour",
    "select count(*) from {} where hour = 7",
    "select min(hour), max(hour), max(day) from {}",
    "select day, hour, n from {} order by day desc, hour desc, n desc limit 2",
    "select a.id, b.id from {} a join {} b on a.day = b.day and a.hour = b.hour where b.n = 100",
]
"""The moved rows have n = 100; 7 is an hour that no partition has."""


def _rows(n: int, moved: bool) -> list[tuple[int, int, str, int, str]]:
    return [
        (10 * day + hour, n + (0 if moved else day), _DAYS[day], 7 if moved else hour, "east")
        for day in range(3)
        for hour in (0, 1)
        if not moved or hour == 1
    ]


def _write(
    table: OperatedTable, rows: list[tuple[int, int, str, int, str]], options: Mapping[str, str]
) -> None:
    frame = table.spark.createDataFrame(rows, "id int, n int, day string, hour int, grp string")
    frame = frame.selectExpr("id", "n", "cast(day as date) day", "hour", "grp").coalesce(1)
    table.write(frame, "upsert", {**_LEFT_BEHIND, **options})


def _expected() -> list[tuple[int, int, str, int]]:
    """By arithmetic on what was written: merge-on-read snapshots of Spark differ between releases of Hudi."""
    return sorted(
        (10 * day + hour, 100 if hour == 1 else day, _DAYS[day], hour) for day in range(3) for hour in (0, 1)
    )


@pytest.mark.parametrize("kind", ["COPY_ON_WRITE", "MERGE_ON_READ"])
def test_the_path_has_the_value(check: Checker, spark: SparkSession, lake: Lake, kind: str) -> None:
    options = {"hoodie.datasource.write.table.type": kind, **COLUMN_STATISTICS}
    table = OperatedTable(spark, lake.fresh("moved"))
    _write(table, _rows(0, moved=False), options)
    _write(table, _rows(100, moved=True), options)
    stored = spark.read.format("hudi").load(str(table.path)).count()
    assert stored == 6, "the rows should have been updated in place"
    with check.session.table(table.path) as name:
        queries = [query.format(name, name) for query in QUERIES]
        answers = [check.run(query, {**TEZ, **WITHOUT_SKIPPING}, scans=0).rows for query in queries]
        engines = cycle(ENGINES.items())
        for source in ("none", "metadata-table", "parquet"):
            if source == "parquet":
                hudi_skip("index", "build", str(table.path))
            asked = {
                "hudi.skipping.index": "parquet" if source == "none" else source,
                "hudi.skipping.topk": "on",
                "hudi.skipping.counts": "on",
            }
            engine, settings = next(engines)
            found = check.run(f"select id, n, day, hour from {name}", {**settings, **asked}).rows
            rows = sorted((number, n, str(day), hour) for number, n, day, hour in found)
            assert rows == _expected(), f"{source}, {engine}"
            for query, wanted in zip(queries, answers, strict=True):
                engine, settings = next(engines)
                answer = check.run(query, {**settings, **asked}, scans=0)
                assert_same_rows(answer.rows, wanted, f"{source}, {engine}: {query}", answer.scans)
