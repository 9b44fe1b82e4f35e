"""Hudi operations after which the index is out of date: files that went and files that came."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from .harness.check import Checker, assert_same_rows
from .harness.lake import HiveTables, Lake
from .tables import CUSTOMERS

FILTERS = (
    "segment = 'segment4'",
    "segment = 'moved'",
    "cust >= 70 or segment in ('segment0', 'moved')",
    "cust < 0",
)
_OPERATION = "hoodie.datasource.write.operation"
OPERATIONS = {
    "upsert": {_OPERATION: "upsert"},
    "delete": {_OPERATION: "delete"},
    "insert_overwrite": {_OPERATION: "insert_overwrite"},
    "insert_overwrite_table": {_OPERATION: "insert_overwrite_table"},
    "clustering": {
        _OPERATION: "upsert",
        "hoodie.clustering.inline": "true",
        "hoodie.clustering.inline.max.commits": "1",
        "hoodie.clustering.plan.strategy.sort.columns": "segment",
    },
}


@pytest.fixture
def path(lake: Lake) -> Iterator[Path]:
    yield lake.copy("customers")


@pytest.mark.parametrize("operation", OPERATIONS)
def test_an_index_of_before_an_operation_loses_no_row_and_an_update_heals_it(
    check: Checker, hive: HiveTables, lake: Lake, spark: SparkSession, path: Path, operation: str
) -> None:
    moved = spark.createDataFrame([(cust, f"name-{cust}", "moved") for cust in (3, 44, 75)], CUSTOMERS.schema)
    options = {**lake.options(CUSTOMERS), **OPERATIONS[operation]}
    moved.coalesce(1).write.format("hudi").options(**options).mode("append").save(str(path))
    live = spark.read.format("hudi").load(str(path))
    with hive.table(path) as name:

        def kept_of(condition: str) -> tuple[int, int]:
            checked = check(f"select cust from {name} where {condition}", spark=False)
            truth = tuple((row.cust,) for row in live.where(condition).select("cust").collect())
            assert_same_rows(
                checked.rows, truth, f"Hive and Spark after {operation}: {condition}", checked.scans
            )
            return checked.scan.kept, checked.scan.files

        stale = {condition: kept_of(condition) for condition in FILTERS}
        lake.update_index(path)
        fresh = {condition: kept_of(condition) for condition in FILTERS}
    for condition, (kept, _) in fresh.items():
        assert kept <= stale[condition][0], f"{condition}: an index that knows more keeps no more files"
    assert fresh["cust < 0"][0] == 0, "every file is in the index again"
