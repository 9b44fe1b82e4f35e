"""The index of merge-on-read tables: what it says of log files, beside what Spark says of their rows."""

import logging
import shutil
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from pycompiler.compile.sql.from_sql import Dialect
from pycompiler.index.file_systems.location import Location
from pycompiler.index.index import StatisticsIndex
from pycompiler.index.options import IndexOptions
from pycompiler.indexing.verification import verify
from pycompiler.spark.hudi_table import HudiTable
from pycompiler.spark.index_creator import IndexCreator
from pycompiler.spark.writer import write_indexed
from pycompiler.table.index_status import status_by_timeline
from pycompiler.tools.explain.explanation import explain_filter
from tests.records import records_in_force

from .tables import (
    VALUES,
    check_statistics,
    compact_index,
    frame,
    options,
    sql_table,
    status,
    values_of,
    write,
)

pytestmark = pytest.mark.spark

MERGE_ON_READ = {
    "hoodie.datasource.write.table.type": "MERGE_ON_READ",
    "hoodie.compact.inline": "false",
    "hoodie.parquet.small.file.limit": "0",
}
WAYS = {
    "version 8": {"hoodie.write.table.version": "8"},
    "version 6": {"hoodie.write.table.version": "6", "hoodie.write.auto.upgrade": "false"},
    "Parquet blocks": {"hoodie.logfile.data.block.format": "parquet"},
}
COLUMNS = ["_hoodie_commit_time", "_hoodie_record_key", "_hoodie_file_name", *VALUES]
TRICKY = [0, 3, 4, 5, 7, 11, 101, 333, 700, 800, 900, 903]
"""NULL, NaN, long and odd texts, a day before the calendars agree, in three partitions."""


def settings(operation: str, **more: str) -> dict[str, str]:
    return options("t", operation, True, **MERGE_ON_READ, **more)


def log_files(path: Path) -> dict[str, int]:
    """The log files of a table, by their path in it, with their sizes."""
    found = (file for file in path.rglob(".*.log.*_*[0-9]") if ".hoodie" not in file.parts)
    return {str(file.relative_to(path)): file.stat().st_size for file in found}


def rows_by_log(spark: SparkSession, path: Path) -> dict[str, list[dict[str, Any]]]:
    """The rows that the last delta commit wrote, by their log files, as Spark reads them."""
    snapshot = HudiTable(spark, path).snapshot()
    written = (
        spark.read.format("hudi").load(str(path)).where(F.col("_hoodie_commit_time") == snapshot.instant)
    )
    rows = [row.asDict(recursive=True) for row in written.collect()]
    return {
        log.relative_path: [
            row
            for row in rows
            if row["_hoodie_partition_path"] == log.partition
            and row["_hoodie_file_name"].startswith(log.file_id)
        ]
        for log in snapshot.files
        if log.is_log
    }


@pytest.fixture(scope="module", params=[*WAYS.values()], ids=[*WAYS])
def table(
    request: pytest.FixtureRequest, spark: SparkSession, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """A table with base files and log files in three partitions, indexed as it was written."""
    path = tmp_path_factory.mktemp("logs") / "t"
    index = IndexOptions({"id": "bloom(fpp=0.01)", "s": "values(max=300)", "f": "values(max=300)"})
    write_indexed(frame(spark, range(1000)), path, settings("bulk_insert", **request.param), index)
    result = write_indexed(frame(spark, TRICKY), path, settings("upsert", **request.param))
    assert result.index is not None and result.index.listed_because is None
    assert (result.index.files_added, result.index.files_gone) == (len(log_files(path)), 0), (
        "it costs its own"
    )
    return path


@pytest.mark.selected(1)
def test_of_each_log_file_bounds_and_sets_hold_for_the_rows_that_spark_reads(
    spark: SparkSession, table: Path
) -> None:
    found = StatisticsIndex.open(table).statistics(COLUMNS)
    of_logs = rows_by_log(spark, table)
    sizes = log_files(table)
    assert of_logs.keys() == sizes.keys() and len(sizes) >= 3
    total = 0
    for log, rows in of_logs.items():
        total += len(rows)
        for column in COLUMNS:
            entry = found[column][log]
            assert entry.file_size == sizes[log]
            check_statistics(f"{column} in {log}", entry.statistics, values_of(rows, column))
            if column in ("id", "dec38", "ts", "_hoodie_record_key"):
                assert entry.statistics.lower is not None, "bounds are there, too"
            if column == "nothing":
                assert entry.statistics.null_count == entry.statistics.value_count
    assert total == len(TRICKY)


@pytest.mark.selected(1)
def test_status_and_explain_count_the_same_files(spark: SparkSession, table: Path) -> None:
    known, now = status(spark, table), datetime.now(timezone.utc)
    assert status_by_timeline(StatisticsIndex.open(table), Location.parse(str(table))) == known, (
        "without Spark"
    )
    explained = explain_filter(Location.parse(str(table)), "id >= 0", Dialect.HIVE, now)
    assert known.logs == len(log_files(table)) > 0
    assert (known.files, known.files_indexed, known.logs_indexed) == (
        len(explained.slices),
        len(explained.slices) - explained.slices_not_indexed,
        known.logs,
    )


@pytest.mark.full
@pytest.mark.parametrize("table", [WAYS["version 8"]], ids=["version 8"], indirect=True)
def test_the_tools_know_log_files(spark: SparkSession, table: Path) -> None:
    seen = status(spark, table)
    assert seen.up_to_date
    assert seen.files + seen.logs == len(HudiTable(spark, table).snapshot().files) > 3
    verified = verify(table)
    assert verified.sound and verified.records > 0
    assert (verified.files_missing, verified.files_resized) == (0, 0)
    compact_index(spark, table)
    assert status(spark, table).up_to_date
    assert not IndexCreator(spark).update(table).published


@pytest.mark.full
@pytest.mark.parametrize("table", [WAYS["version 8"]], ids=["version 8"], indirect=True)
def test_executors_say_of_log_files_what_the_driver_says(
    spark: SparkSession, table: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "t"
    shutil.copytree(table, copy)
    IndexCreator(spark, seconds_on_driver=0).build(copy)
    here, there = (
        {
            repr(record)
            for record in records_in_force(StatisticsIndex.open(path))
            if record.file_name.startswith(".")
        }
        for path in (table, copy)
    )
    assert here == there and here


@pytest.mark.full
def test_verification_finds_bounds_that_are_not_true_of_a_log_file(
    spark: SparkSession, tmp_path: Path
) -> None:
    path = tmp_path / "t"
    write_indexed(frame(spark, range(9)), path, settings("bulk_insert"))
    write_indexed(frame(spark, [3]), path, settings("upsert"))
    (log,) = log_files(path)
    # The same size, with another number: id 3 is the Avro number 06.
    content = (path / log).read_bytes()
    text = b"\x02\x06\x02\x04p0"
    assert content.count(text) == 1
    (path / log).write_bytes(content.replace(text, b"\x02\x6e\x02\x04p0"))
    verified = verify(path)
    assert [(item.column, item.path) for item in verified.findings] == [("id", log)]


@pytest.mark.default_hudi  # Hudi 1.1.1 fails to write the delete.
def test_a_log_of_deletes_is_left_out_by_every_filter_and_a_cut_one_by_none(
    spark: SparkSession, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "t"
    write_indexed(frame(spark, range(9)), path, settings("bulk_insert"))
    write_indexed(frame(spark, [3]), path, settings("delete"))
    (deletes,) = log_files(path)
    said = StatisticsIndex.open(path).statistics(["id", "s"])
    for column in ("id", "s"):
        statistics = said[column][deletes].statistics
        assert (statistics.value_count, statistics.null_count) == (0, 0)
    write(frame(spark, [1]), path, settings("upsert"))
    (log,) = log_files(path).keys() - {deletes}
    with (path / log).open("r+b") as file:
        file.truncate(file.seek(0, 2) - 20)
    with caplog.at_level(logging.WARNING, "pycompiler"):
        update = IndexCreator(spark).build(path)
    assert update.files_added == update.files > 2
    assert log not in StatisticsIndex.open(path).statistics(["id"])["id"]
    (message,) = [
        record.getMessage()
        for record in caplog.records
        if "some files have no statistics" in record.getMessage()
    ]
    assert log in message and "a block is longer than the file" in message


@pytest.mark.since_version_8
def test_partial_updates_have_no_statistics(
    spark: SparkSession, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "t"
    rows = spark.createDataFrame([(n, f"s{n}", n, n) for n in range(4)], "id long, s string, n long, at long")
    ordered = {"hoodie.datasource.write.precombine.field": "at"}
    unpartitioned = {**options("t", "bulk_insert", False), **MERGE_ON_READ, **ordered}
    write_indexed(rows, path, unpartitioned)
    with sql_table(spark, path) as name:
        # Hudi writes only the columns that the statement sets.
        spark.sql(
            f"merge into {name} t using (select 2L as id, 99L as n, 9L as at) s on t.id = s.id"
            " when matched then update set n = s.n, at = s.at"
        )
    with caplog.at_level(logging.WARNING, "pycompiler"):
        update = IndexCreator(spark).update(path)
    (log,) = log_files(path)
    assert update.files_added == 1
    assert log not in StatisticsIndex.open(path).statistics(["n"])["n"]
    assert "it holds partial updates" in caplog.text
    assert not IndexCreator(spark).update(path).published, "it is not tried again"
