"""Hudi's own data skipping in Spark loses rows of LIKE 'prefix%'; in Hive, our index loses none.

Hudi 1.0.2 and 1.2.0 keep the files with minimum <= prefix <= maximum. If all values of a file begin with
the prefix, its minimum is greater than the prefix, and its rows are lost; only the file where such values
start is read.
"""

from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from pycompiler.spark.writer import write_indexed

from ..harness.servers import Hive

ROWS = 1_000
"""For which each condition is TRUE."""
RANGE = "day BETWEEN DATE '1996-02-10' AND DATE '1996-02-19'"
PREFIXES = ["CAST(day AS STRING) LIKE '1996-02-1%'", "customer LIKE 'c-04%'"]


@pytest.fixture(scope="module")
def orders(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """9,000 orders of 90 days, 100 a day, in files of three days each, with an index."""
    path = tmp_path_factory.mktemp("spark_data_skipping") / "orders_by_day"
    rows = spark.range(9_000).selectExpr(
        "id",
        "date_add(DATE '1996-01-01', CAST(id DIV 100 AS INT)) AS day",
        "format_string('c-%05d', id) AS customer",
    )
    options = {
        "hoodie.table.name": path.name,
        "hoodie.datasource.write.recordkey.field": "id",
        "hoodie.datasource.write.precombine.field": "id",
        "hoodie.datasource.write.operation": "bulk_insert",
        # Keep the rows in order, in the files that Spark made.
        "hoodie.bulkinsert.sort.mode": "NONE",
        # Hudi's default; its data skipping reads the column statistics of the metadata table.
        "hoodie.metadata.enable": "true",
        "hoodie.datasource.write.keygenerator.class": "org.apache.hudi.keygen.NonpartitionedKeyGenerator",
    }
    ordered = rows.repartitionByRange(30, "id").sortWithinPartitions("id")
    assert write_indexed(ordered, str(path), options, mode="overwrite").index
    return path


def count_in_spark(spark: SparkSession, orders: Path, condition: str, *, skipping: bool) -> int:
    reader = spark.read.format("hudi").option("hoodie.enable.data.skipping", str(skipping).lower())
    reader = reader.option("hoodie.metadata.enable", "true")  # Hudi's default for readers, too
    return reader.load(str(orders)).where(condition).count()


@pytest.mark.selected(1)
@pytest.mark.parametrize("condition", [RANGE, *PREFIXES])
def test_full_scans_and_our_index_find_every_row(
    spark: SparkSession, hive: Hive, orders: Path, condition: str
) -> None:
    assert count_in_spark(spark, orders, condition, skipping=False) == ROWS
    with hive.connect() as session, session.table(orders) as table:
        assert session.rows(f"SELECT count(*) FROM {table} WHERE {condition}") == [(ROWS,)]


def test_data_skipping_of_hudi_in_spark_is_right_about_a_range(spark: SparkSession, orders: Path) -> None:
    assert count_in_spark(spark, orders, RANGE, skipping=True) == ROWS, (
        "the table has column statistics that serve"
    )


@pytest.mark.parametrize("condition", PREFIXES)
def test_data_skipping_of_hudi_in_spark_loses_rows_of_a_prefix(
    spark: SparkSession, orders: Path, condition: str
) -> None:
    found = count_in_spark(spark, orders, condition, skipping=True)
    assert found < ROWS, f"Hudi has mended it: take it out of docs/guides/query.md ({found} rows)"
