"""A table on a real HDFS: Spark writes it, every command keeps its index there, and Hive skips its files."""

import pytest
from pyspark.sql import DataFrame, SparkSession

from pycompiler.index.file_systems.factory import open_storage
from pycompiler.spark.writer import write_indexed

from ..harness.check import Checker
from ..harness.command import hudi_skip
from ..harness.hudi_writer import COLUMN_STATISTICS
from ..harness.session import HANDLER

_FILES, _ROWS = 6, 10
_OPTIONS = {
    "hoodie.table.name": "on_hdfs",
    "hoodie.datasource.write.recordkey.field": "id",
    "hoodie.datasource.write.precombine.field": "id",
    "hoodie.datasource.write.operation": "bulk_insert",
    "hoodie.bulkinsert.sort.mode": "NONE",
    # What makes small commits slow and is not looked at here.
    "hoodie.metadata.enable": "false",
    # A folder's name then has a percent sign, which is none of a URL.
    "hoodie.datasource.write.partitionpath.field": "hour",
    "hoodie.datasource.write.hive_style_partitioning": "true",
    "hoodie.datasource.write.partitionpath.urlencode": "true",
}


def _frame(spark: SparkSession, files: range) -> DataFrame:
    """Ten ids for each file."""
    numbers = range(files.start * _ROWS, files.stop * _ROWS)
    rows = [(number, f"name-{number:03}", f"0{number % 2}:00") for number in numbers if number % 2 == 0]
    frame = spark.createDataFrame(rows, "id int, name string, hour string")
    return frame.repartitionByRange(len(files), "id")


@pytest.mark.full
def test_a_table_on_hdfs_is_written_indexed_checked_compacted_and_queried_with_skipping(
    hdfs: str, spark: SparkSession, check: Checker
) -> None:
    table = f"{hdfs}/lake/on_hdfs"
    written = write_indexed(_frame(spark, range(_FILES)), table, _OPTIONS, mode="overwrite")
    assert written.index is not None, written.index_failure
    assert (written.index.generation, written.index.files) == (1, _FILES)

    _frame(spark, range(_FILES, _FILES + 2)).write.format("hudi").options(**_OPTIONS).mode("append").save(
        table
    )
    check.session.rows(f"CREATE EXTERNAL TABLE on_hdfs STORED BY '{HANDLER}' LOCATION '{table}'")
    spark.read.format("hudi").load(table).createOrReplaceTempView("on_hdfs")
    query = "SELECT id, name, hour FROM on_hdfs WHERE id BETWEEN 24 AND 32"
    # Two in the range, and two without statistics.
    assert check.run(query).kept(2 + 2).scan.files == _FILES + 2

    assert hudi_skip("index", "update", table)["files_added"] == 2
    status = hudi_skip("index", "status", table)
    assert (status["files"], status["files_indexed"], status["data_files"]) == (_FILES + 2, _FILES + 2, 2)
    answer = check(query).kept(2)
    assert sorted(answer.column()) == [24, 26, 28, 30, 32]
    explained = hudi_skip("explain", table, "--where", "id BETWEEN 24 AND 32")
    assert (explained["files_total"], explained["files_kept"]) == (_FILES + 2, 2)

    verified = hudi_skip("index", "verify", table)
    assert verified["sound"] and verified["records"] > 0, verified
    compacted = hudi_skip("index", "compact", table, "--grace", "0")
    assert (compacted["generation"], compacted["data_files"]) == (3, 1)
    assert sorted(check.run(query).kept(2).rows) == sorted(answer.rows)
    built = hudi_skip("index", "build", table)
    assert (built["generation"], built["files_added"]) == (4, _FILES + 2)
    temporary = [name for name in open_storage(table).names() if name.startswith(".tmp-")]
    assert temporary == [], "publishing leaves nothing behind"


@pytest.mark.full
def test_explain_without_an_index_on_hdfs_says_what_hive_then_reads(
    hdfs: str, spark: SparkSession, check: Checker
) -> None:
    table = f"{hdfs}/lake/unindexed"
    options = {**_OPTIONS, **COLUMN_STATISTICS}
    _frame(spark, range(_FILES)).write.format("hudi").options(**options).mode("overwrite").save(table)
    check.session.rows(f"CREATE EXTERNAL TABLE unindexed STORED BY '{HANDLER}' LOCATION '{table}'")
    where = "id BETWEEN 24 AND 32"
    scan = check.run(f"SELECT id FROM unindexed WHERE {where}").scan
    explained = hudi_skip("explain", table, "--where", where)
    assert explained["source"].startswith("Hudi's metadata table: ")
    told = (explained["files_kept"], explained["files_total"], explained["bytes_kept"])
    assert told == (scan.kept, scan.files, scan.kept_size) and scan.kept == 2, scan.line
    check.session.rows("DROP TABLE unindexed")
