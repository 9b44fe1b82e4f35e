"""The ways to lay a table out that docs/guides/layout.md names: after each, a day is in few files."""

from pathlib import Path

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from pycompiler.spark.writer import write_indexed

pytestmark = pytest.mark.spark

DAYS = 400
FILES = 10
OPTIONS = {
    "hoodie.table.name": "orders",
    "hoodie.datasource.write.recordkey.field": "id",
    "hoodie.datasource.write.precombine.field": "id",
    "hoodie.datasource.write.keygenerator.class": "org.apache.hudi.keygen.NonpartitionedKeyGenerator",
    "hoodie.datasource.write.operation": "bulk_insert",
}
AS_SPARK_HAS_CUT_THEM = {"hoodie.bulkinsert.sort.mode": "NONE"}
BY_DAY = {
    "hoodie.bulkinsert.user.defined.partitioner.class": (
        "org.apache.hudi.execution.bulkinsert.RowCustomColumnsSortPartitioner"
    ),
    "hoodie.bulkinsert.user.defined.partitioner.sort.columns": "day",
    "hoodie.bulkinsert.shuffle.parallelism": str(FILES),
}
SMALL_FILES = {"hoodie.clustering.plan.strategy.target.file.max.bytes": "100000"}
CLUSTERING = {
    **SMALL_FILES,
    "hoodie.clustering.inline": "true",
    "hoodie.clustering.inline.max.commits": "1",
}


def orders(spark: SparkSession) -> DataFrame:
    """40,000 orders as they arrive: the days come all through one another."""
    day = F.expr(f"date_add(DATE '2024-01-01', CAST(pmod(hash(id), {DAYS}) AS INT))")
    rows = spark.range(40_000, numPartitions=FILES).withColumn("day", day)
    return rows.withColumn("customer", F.expr("pmod(hash(id, 7), 1000)"))


def write(rows: DataFrame, path: Path, options: dict[str, str]) -> DataFrame:
    result = write_indexed(rows, str(path), OPTIONS | options, mode="overwrite")
    assert result.index is not None, result.index_failure
    return rows.sparkSession.read.format("hudi").load(str(path))


def files_with(table: DataFrame, column: str, value: str) -> tuple[int, int]:
    """How many files have a value between their least and greatest, and how many there are."""
    files = table.groupBy("_hoodie_file_name").agg(F.min(column).alias("low"), F.max(column).alias("high"))
    return files.where(f"low <= {value} and high >= {value}").count(), files.count()


def opened(table: DataFrame) -> tuple[int, int]:
    return files_with(table, "day", "DATE '2024-06-01'")


def check_few_are_opened(table: DataFrame) -> None:
    kept, files = opened(table)
    assert files >= 5, f"{files} files are too few to show anything"
    assert kept <= 2, f"{kept} of {files} files"


@pytest.mark.full
def test_rows_sorted_by_spark(spark: SparkSession, tmp_path: Path) -> None:
    rows = orders(spark).repartitionByRange(FILES, "day").sortWithinPartitions("day")
    assert opened(write(rows, tmp_path / "t", AS_SPARK_HAS_CUT_THEM)) == (1, FILES)


def test_rows_sorted_by_the_bulk_insert(spark: SparkSession, tmp_path: Path) -> None:
    session = spark.newSession()
    # A sort makes as many partitions as the session says, however small they are.
    session.conf.set("spark.sql.shuffle.partitions", FILES)
    session.conf.set("spark.sql.adaptive.coalescePartitions.enabled", False)
    table = write(orders(session), tmp_path / "t", BY_DAY)
    check_few_are_opened(table)
    assert opened(table)[1] == FILES


@pytest.mark.full
def test_clustering_with_each_write(spark: SparkSession, tmp_path: Path) -> None:
    options = {**AS_SPARK_HAS_CUT_THEM, **CLUSTERING, "hoodie.clustering.plan.strategy.sort.columns": "day"}
    check_few_are_opened(write(orders(spark), tmp_path / "t", options))


@pytest.mark.full
def test_clustering_of_a_table_that_is_there(spark: SparkSession, tmp_path: Path) -> None:
    path = tmp_path / "t"
    as_they_arrive = write(orders(spark), path, AS_SPARK_HAS_CUT_THEM)
    assert opened(as_they_arrive) == (FILES, FILES), "every file has every day"
    settings = ",".join(f"{name}={value}" for name, value in SMALL_FILES.items())
    spark.sql(f"CALL run_clustering(path => '{path}', order => 'day', options => '{settings}')").collect()
    check_few_are_opened(spark.read.format("hudi").load(str(path)))


@pytest.mark.full
def test_a_curve_through_two_columns_serves_both(spark: SparkSession, tmp_path: Path) -> None:
    curve = {
        "hoodie.layout.optimize.strategy": "z-order",
        # The default builds it of the bits of the values, in which a day outweighs a small number.
        "hoodie.layout.optimize.curve.build.method": "sample",
        "hoodie.clustering.plan.strategy.sort.columns": "day,customer",
    }
    table = write(orders(spark), tmp_path / "t", {**AS_SPARK_HAS_CUT_THEM, **CLUSTERING, **curve})
    days, files = opened(table)
    customers, _ = files_with(table, "customer", "500")
    assert max(days, customers) <= 0.6 * files, f"{days} and {customers} of {files} files"
