"""Hudi's own data skipping in Spark loses rows; the same conditions in Hive, by our index, lose none."""

import pytest
from pyspark.sql import SparkSession

from pycompiler.demo.common.hive import HiveSession
from pycompiler.demo.spark_data_skipping import Counts, count, write_orders
from pycompiler.hive.server import HiveServer

ROWS = 1_000


@pytest.fixture(scope="module")
def counts(
    spark: SparkSession, server: HiveServer, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Counts]:
    path = tmp_path_factory.mktemp("spark_data_skipping") / "orders_by_day"
    write_orders(spark, path)
    return {found.condition.partition(" ")[0]: found for found in count(spark, HiveSession(server), path)}


@pytest.mark.selected(1)
@pytest.mark.parametrize("column", ["day", "CAST(day", "customer"])
def test_full_scans_and_our_index_find_every_row(counts: dict[str, Counts], column: str) -> None:
    found = counts[column]
    assert (found.spark_full, found.hive_skipping) == (ROWS, ROWS), f"{found} should find {ROWS} rows"


def test_data_skipping_of_hudi_in_spark_is_right_about_a_range(counts: dict[str, Counts]) -> None:
    assert counts["day"].spark_skipping == ROWS, (
        f"the table has column statistics that serve: {counts['day']}"
    )


@pytest.mark.parametrize("column", ["CAST(day", "customer"])
def test_data_skipping_of_hudi_in_spark_loses_rows_of_a_prefix(
    counts: dict[str, Counts], column: str
) -> None:
    found = counts[column]
    assert found.spark_skipping < ROWS, f"Hudi has mended it: take it out of docs/guides/query.md ({found})"
