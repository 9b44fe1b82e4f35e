"""Columns that are added, widened and dropped between commits, and renamed ones, which Hive is refused."""

from collections.abc import Mapping
from typing import Any

import pytest

from ..harness.check import WITHOUT_SKIPPING, Checker, assert_same_rows
from ..harness.operated_table import OperatedTable
from ..harness.session import QueryFailed

UNPARTITIONED = {"hoodie.datasource.write.partitionpath.field": "", "hoodie.parquet.small.file.limit": "0"}
DROPPING = {"hoodie.datasource.write.schema.allow.auto.evolution.column.drop": "true"}
BY_ID = {"hoodie.schema.on.read.enable": "true"}


def _write(
    table: OperatedTable, schema: str, rows: list[tuple[Any, ...]], extra: Mapping[str, str] | None = None
) -> None:
    """One new base file."""
    frame = table.spark.createDataFrame(rows, schema).coalesce(1)
    table.write(frame, "insert", {**UNPARTITIONED, **(extra or {})})


def _right(check: Checker, table: OperatedTable, name: str, where: str, kept: int, state: str) -> None:
    live = table.spark.read.format("hudi").load(str(table.path))
    truth = [tuple(found) for found in live.where(where).select("id", "a").collect()]
    query = f"select id, a from {name} where {where}"
    for settings in ({}, WITHOUT_SKIPPING):
        checked = check.run(query, settings)
        assert_same_rows(checked.rows, truth, f"{state}: {where} with {settings}", checked.scans)
        if not settings:
            checked.kept(kept)


@pytest.mark.full
def test_columns_added_widened_and_dropped(check: Checker, table: OperatedTable) -> None:
    _write(table, "id int, grp string, n bigint, a int, b string", [(1, "", 1, 1, "b1"), (2, "", 1, 2, "b2")])
    _write(table, "id int, grp string, n bigint, a int, b string", [(3, "", 1, 30, "b3")])
    table.update_index()
    with check.session.table(table.path) as name:
        _right(check, table, name, "a = 30", 1, "before")

    _write(table, "id int, grp string, n bigint, a int, b string, c int", [(4, "", 1, 40, "b4", 400)])
    with check.session.table(table.path) as name:
        _right(check, table, name, "c = 400", 3, "added; files without the column say nothing about it")
        _right(check, table, name, "c is null", 3, "added")
        table.update_index()
        _right(check, table, name, "c = 401", 2, "added and indexed")
        _right(check, table, name, "c is null", 2, "added and indexed: older files hold NULL")
        _right(check, table, name, "c is not null", 3, "added and indexed")
        _right(check, table, name, "coalesce(c, 0) + 1 = 401", 3, "added and indexed")
        _right(check, table, name, "c > 400 and a < 10", 1, "added and indexed")
        _right(check, table, name, "a = 40", 1, "added and indexed")

    big = 2**40
    _write(table, "id int, grp string, n bigint, a bigint, b string, c int", [(5, "", 1, big, "b5", 500)])
    with check.session.table(table.path) as name:
        _right(check, table, name, f"a = {big}", 1, "widened; only the new file can hold it")
        _right(check, table, name, "a < 10", 2, "widened, the new file not indexed")
        table.update_index()
        _right(check, table, name, "a < 10", 1, "widened and indexed")
        _right(check, table, name, "a * 2 between 60 and 80", 2, "widened and indexed")
        _right(check, table, name, "not (a > 30)", 2, "widened and indexed")
        _right(check, table, name, f"a = {big}", 1, "widened and indexed")

    _write(table, "id int, grp string, n bigint, a bigint, c int", [(6, "", 1, 60, 600)], DROPPING)
    with check.session.table(table.path) as name:
        _right(check, table, name, "a between 50 and 70", 1, "dropped")
        table.update_index()
        _right(check, table, name, "a between 30 and 60", 3, "dropped and indexed")
        with pytest.raises(QueryFailed, match="b"):
            check.run(f"select id from {name} where b = 'b1'", scans=0)
    assert table.index_command("verify")["sound"]


@pytest.mark.default_hudi
def test_a_renamed_column_is_refused_in_hive_and_the_index_of_the_table_stays_true(
    check: Checker, table: OperatedTable
) -> None:
    _write(table, "id int, grp string, n bigint, a int", [(1, "", 1, 1)], BY_ID)
    table.update_index()
    table.spark.sql("set hoodie.schema.on.read.enable=true")
    try:
        table.sql("alter table {table} rename column a to z")
    finally:
        table.spark.sql("set hoodie.schema.on.read.enable=false")
    _write(table, "id int, grp string, n bigint, z int", [(2, "", 1, 2)], BY_ID)
    table.update_index()
    assert table.index_command("verify")["sound"]
    with pytest.raises(QueryFailed, match="renamed"), check.session.table(table.path) as name:
        check.run(f"select id from {name} where z = 1", scans=0)
