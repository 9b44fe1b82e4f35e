"""Rows of a range that are made of several records, or lost to others: whole slices are merged."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from pycompiler.spark.errors import IncrementalReadError
from pycompiler.spark.incremental.reader import read_incremental
from pycompiler.spark.index_creator import IndexCreator

from ..hudi_releases import accepted
from .tables import sql_table, times_of
from .test_incremental_read import KEPT, PAYLOAD

pytestmark = pytest.mark.spark

COLUMNS = "id int, i int, s string, ord bigint"


def short_history(
    spark: SparkSession,
    path: Path,
    options: Mapping[str, str],
    *writes: Sequence[tuple[int, int | None, str, int]],
    order: str = "bigint",
) -> list[str]:
    """Writes rows of `COLUMNS` into one file group, ordered by a field of a type; returns the times."""
    for number, rows in enumerate(writes):
        given = {
            "hoodie.table.name": path.name,
            "hoodie.datasource.write.table.type": "MERGE_ON_READ",
            "hoodie.datasource.write.recordkey.field": "id",
            "hoodie.datasource.write.precombine.field": "ord",
            "hoodie.datasource.write.operation": "upsert" if number else "bulk_insert",
            "hoodie.write.auto.upgrade": "false",
            **KEPT,
            **options,
        }
        frame = spark.createDataFrame(rows, COLUMNS).coalesce(1)
        frame = frame.withColumn("ord", frame["ord"].cast(order))
        frame.write.format("hudi").options(**accepted(spark, given)).mode("append").save(str(path))
    return times_of(path)


def last_alone(spark: SparkSession, path: Path, times: list[str], version: int) -> list[tuple[object, ...]]:
    """The rows of the last commit."""
    start = times[-1] if version == 8 else times[-2]
    return sorted(
        tuple(row) for row in read_incremental(spark, path, start).select("id", "i", "s", "ord").collect()
    )


EIGHT = [(number, number * 10, f"s{number}", 100) for number in range(1, 9)]


@pytest.mark.selected(1)
@pytest.mark.parametrize("version", [8, 6])
def test_an_update_that_loses_is_not_among_the_rows_of_its_commit(
    spark: SparkSession, tmp_path: Path, version: int
) -> None:
    written = {"hoodie.write.table.version": str(version)}
    times = short_history(
        spark, tmp_path / "t", written, EIGHT, [(2, 222, "older", 50), (3, 333, "newer", 200)]
    )
    assert last_alone(spark, tmp_path / "t", times, version) == [(3, 333, "newer", 200)]


@pytest.mark.selected(1)
@pytest.mark.parametrize("version", [8, 6])
def test_values_that_a_payload_keeps_are_those_of_the_base_file(
    spark: SparkSession, tmp_path: Path, version: int
) -> None:
    written = {"hoodie.write.table.version": str(version), **PAYLOAD}
    times = short_history(spark, tmp_path / "t", written, EIGHT, [(1, None, "only s", 200)])
    assert last_alone(spark, tmp_path / "t", times, version) == [(1, 10, "only s", 200)]


def merged_in_part(spark: SparkSession, path: Path, order: str) -> None:
    """Updates two columns of one row, which Hudi writes as a partial update."""
    with sql_table(spark, path) as name:
        spark.sql(
            f"merge into {name} t using (select 4 as id, 444 as i, {order} as ord) u on t.id = u.id"
            " when matched then update set t.i = u.i, t.ord = u.ord"
        ).collect()


@pytest.mark.since_version_8
def test_columns_that_a_merge_into_leaves_are_those_of_the_base_file(
    spark: SparkSession, tmp_path: Path
) -> None:
    # Hudi writes no partial updates before table version 8.
    path = tmp_path / "t"
    short_history(spark, path, {"hoodie.write.table.version": "8"}, EIGHT)
    merged_in_part(spark, path, "cast(300 as bigint)")
    assert list(path.glob(".*.log.*")), "it should be in a log"
    times = times_of(path)
    assert last_alone(spark, path, times, 8) == [(4, 444, "s4", 300)]
    IndexCreator(spark).build(path)
    for where, found in (("id = 4", 1), ("i = 444 and s = 's4'", 1), ("s is null", 0), ("i = 40", 0)):
        assert read_incremental(spark, path, times[-1], None, where).count() == found, where


PARQUET_LOGS = {"hoodie.logfile.data.block.format": "parquet"}


@pytest.mark.parametrize("version", [8, 6])
def test_parquet_logs_ordered_by_text_are_merged_by_hudis_older_reader(
    spark: SparkSession, tmp_path: Path, version: int
) -> None:
    written = {"hoodie.write.table.version": str(version), **PARQUET_LOGS}
    updates = [(number, number * 100, "first", 200 + number) for number in range(1, 9)]
    mixed = [(number, -number, "second", 300 if number % 2 else 150) for number in range(1, 9)]
    times = short_history(spark, tmp_path / "t", written, EIGHT, updates, mixed, order="string")
    expected = [(number, -number, "second", "300") for number in range(1, 9, 2)]
    assert last_alone(spark, tmp_path / "t", times, version) == expected, "those with even numbers lost"


@pytest.mark.default_hudi
@pytest.mark.since_version_8
def test_parquet_logs_ordered_by_text_that_neither_reader_merges_are_refused(
    spark: SparkSession, tmp_path: Path
) -> None:
    update = [(4, 400, "update", 200)]
    whole = tmp_path / "whole"
    short_history(spark, whole, {**PAYLOAD, **PARQUET_LOGS}, EIGHT, update, order="string")
    with pytest.raises(
        IncrementalReadError, match="Parquet log blocks .* and hoodie.record.merge.mode=CUSTOM: compact"
    ):
        read_incremental(spark, whole, "0")
    in_part = tmp_path / "in_part"
    short_history(spark, in_part, PARQUET_LOGS, EIGHT, update, order="string")
    merged_in_part(spark, in_part, "'300'")
    with pytest.raises(IncrementalReadError, match="a string ordering field and partial updates"):
        read_incremental(spark, in_part, "0")


def test_tables_without_commit_times_are_refused(spark: SparkSession, tmp_path: Path) -> None:
    short_history(spark, tmp_path / "t", {"hoodie.populate.meta.fields": "false"}, EIGHT)
    with pytest.raises(IncrementalReadError, match="hoodie.populate.meta.fields=false"):
        read_incremental(spark, tmp_path / "t", "0")


@pytest.mark.selected(1)
@pytest.mark.parametrize("version", [6, 8])
def test_an_end_to_the_second_has_all_of_that_second(
    spark: SparkSession, tmp_path: Path, version: int
) -> None:
    path = tmp_path / "seconds"
    options = {"hoodie.write.table.version": str(version)}
    first, second = [(1, 10, "a", 1), (2, 20, "b", 1)], [(1, 11, "c", 2)]
    times = short_history(spark, path, options, first, second)
    found = read_incremental(spark, path, start="0", end=times[-1][:14]).select("id", "i").collect()
    assert sorted(map(tuple, found)) == [(1, 11), (2, 20)], "the rows of both commits, as of the last"
