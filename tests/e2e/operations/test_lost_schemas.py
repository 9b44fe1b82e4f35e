"""Tables whose last commit does not say what their columns are."""

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import fastavro
import pytest

from pycompiler.index.file_systems.location import Location
from pycompiler.table.timeline import Timeline

from ..harness.check import Checker, assert_same_rows
from ..harness.engines import MODES
from ..harness.operated_table import OperatedTable
from ..harness.session import QueryFailed

UNPARTITIONED = {"hoodie.datasource.write.partitionpath.field": "", "hoodie.parquet.small.file.limit": "0"}
DROPPING = {"hoodie.datasource.write.schema.allow.auto.evolution.column.drop": "true"}
BY_ID = {"hoodie.schema.on.read.enable": "true"}
SCHEMA = "id int, grp string, n bigint, a int"


def _write(
    table: OperatedTable, schema: str, rows: list[tuple[Any, ...]], extra: dict[str, str] | None = None
) -> None:
    """One new base file."""
    frame = table.spark.createDataFrame(rows, schema).coalesce(1)
    table.write(frame, "insert", {**UNPARTITIONED, **(extra or {})})


def _last_commit(table: OperatedTable) -> Path:
    entry = Timeline.of(Location.parse(str(table.path))).newest_first[0]
    return next(table.path.rglob(entry.name))


def _set_schema(commit: Path, schema: str) -> None:
    """Replaces the schema in a commit's metadata, as old streamers wrote it."""
    commit.with_name(f".{commit.name}.crc").unlink(missing_ok=True)
    content = commit.read_bytes()
    if not content.startswith(b"Obj"):
        document = json.loads(content)
        document["extraMetadata"]["schema"] = schema
        commit.write_text(json.dumps(document))
        return
    with commit.open("rb") as source:
        reader = fastavro.reader(source)
        (record,) = reader
        written: Any = reader.writer_schema
    assert isinstance(record, dict)
    record["extraMetadata"]["schema"] = schema
    with commit.open("wb") as target:
        fastavro.writer(target, written, [record])


@pytest.mark.parametrize("schema", ["null", ""])
def test_a_commit_without_a_schema_leaves_the_one_before(
    check: Checker, table: OperatedTable, schema: str
) -> None:
    _write(table, SCHEMA, [(1, "", 1, 10)])
    _write(table, SCHEMA, [(2, "", 1, 20)])
    _set_schema(_last_commit(table), schema)
    table.index_command("update")
    with check.session.table(table.path) as name:
        found = check.run(f"select id, a from {name} where a > 15")
    assert found.rows == ((2, 20),)
    found.kept(1)
    assert Timeline.of(Location.parse(str(table.path))).schema().startswith("{")


def test_a_column_that_was_renamed_is_refused_after_a_write_that_forgets_it(
    check: Checker, table: OperatedTable
) -> None:
    _write(table, SCHEMA, [(1, "", 1, 10)], BY_ID)
    with check.session.table(table.path) as existing:
        table.spark.sql("set hoodie.schema.on.read.enable=true")
        try:
            table.sql("alter table {table} rename column a to z")
        finally:
            table.spark.sql("set hoodie.schema.on.read.enable=false")
        _write(table, SCHEMA.replace("a int", "z int"), [(2, "", 1, 20)])
        message = "column a was renamed to z of .* columns of old files cannot be found by name"
        for query in (f"select id from {existing}", f"select n from {existing} where n = 1"):
            with pytest.raises(QueryFailed, match=message):
                check.run(query, scans=0)
        with pytest.raises(QueryFailed, match=message), check.session.table(table.path):
            pass


def test_a_history_without_a_rename_is_read(check: Checker, table: OperatedTable) -> None:
    _write(table, SCHEMA, [(1, "", 1, 10)], BY_ID)
    table.spark.sql("set hoodie.schema.on.read.enable=true")
    try:
        table.sql("alter table {table} add columns (b int)")
    finally:
        table.spark.sql("set hoodie.schema.on.read.enable=false")
    _write(table, f"{SCHEMA}, b int", [(2, "", 1, 20, 200)])
    with check.session.table(table.path) as name:
        assert sorted(check.run(f"select id, a, b from {name}").rows) == [(1, 10, None), (2, 20, 200)]


def test_an_integer_becomes_a_decimal_that_has_room_for_it(check: Checker, table: OperatedTable) -> None:
    numbers = (7, -1, 2**31 - 1, -(2**31), 0, None)
    old = [(number, "", 1, value) for number, value in enumerate(numbers)]
    _write(table, SCHEMA, old)
    table.update_index()
    _write(table, SCHEMA.replace("a int", "a decimal(12,2)"), [(9, "", 1, Decimal("2.50"))], DROPPING)
    truth = [
        tuple(row)
        for row in table.spark.read.format("hudi").load(str(table.path)).select("id", "a").collect()
    ]
    assert (2, Decimal("2147483647.00")) in truth
    with check.session.table(table.path) as name:
        for updated in (False, True):
            if updated:
                table.update_index()
            for mode in MODES.values():
                found = check.run(f"select id, a from {name}", mode)
                assert_same_rows(found.rows, truth, f"{mode}", found.scans)
                for where in ("a = 7", "a > 2.4", "a is null", "a < 0"):
                    chosen = f"select id, a from {name} where {where}"
                    rows = [
                        tuple(row)
                        for row in table.spark.read.format("hudi")
                        .load(str(table.path))
                        .where(where)
                        .select("id", "a")
                        .collect()
                    ]
                    found = check.run(chosen, mode)
                    assert_same_rows(found.rows, rows, f"{where}: {mode}", found.scans)


def test_an_integer_does_not_become_a_decimal_that_has_no_room_for_it(
    check: Checker, table: OperatedTable
) -> None:
    _write(table, SCHEMA, [(1, "", 1, 7)])
    _write(table, SCHEMA.replace("a int", "a decimal(5,2)"), [(2, "", 1, Decimal("2.50"))], DROPPING)
    with check.session.table(table.path) as name:
        assert sorted(check.run(f"select id from {name}").rows) == [(1,), (2,)]
        with pytest.raises(QueryFailed, match=r"column a is int in the file and decimal\(5,2\)"):
            check.run(f"select a from {name}", scans=0)
