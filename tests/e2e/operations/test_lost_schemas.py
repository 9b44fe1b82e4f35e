"""Tables whose last commit does not say what their columns are."""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

import fastavro
import pytest
from pyspark.sql import DataFrame

from pycompiler.index.file_systems.location import Location
from pycompiler.table.timeline import Timeline

from ..harness.check import Checker, assert_same_rows
from ..harness.engines import MODES, in_turn
from ..harness.hudi_writer import COLUMN_STATISTICS
from ..harness.lake import Lake
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


def _alter(table: OperatedTable, change: str) -> None:
    """A change of the schema with ids, as Spark's SQL makes it."""
    with _by_id(table):
        table.sql(f"alter table {{table}} {change}")


@contextmanager
def _by_id(table: OperatedTable) -> Iterator[None]:
    (name,) = BY_ID
    table.spark.sql(f"set {name}=true")
    try:
        yield
    finally:
        table.spark.sql(f"set {name}=false")


def test_a_column_that_was_renamed_is_refused_after_a_write_that_forgets_it(
    check: Checker, table: OperatedTable
) -> None:
    _write(table, SCHEMA, [(1, "", 1, 10)], BY_ID)
    with check.session.table(table.path) as existing:
        _alter(table, "rename column a to z")
        _write(table, SCHEMA.replace("a int", "z int"), [(2, "", 1, 20)])
        message = "column a was renamed to z of .* columns of old files cannot be found by name"
        for query in (f"select id from {existing}", f"select n from {existing} where n = 1"):
            with pytest.raises(QueryFailed, match=message):
                check.run(query, scans=0)
        with pytest.raises(QueryFailed, match=message), check.session.table(table.path):
            pass


def test_a_copy_as_the_message_advises_has_the_renamed_column(
    check: Checker, table: OperatedTable, lake: Lake
) -> None:
    _write(table, SCHEMA, [(number, "", 1, 10 * number) for number in range(5)], BY_ID)
    _alter(table, "rename column a to z")
    with pytest.raises(QueryFailed, match="by id, .* Copy the table"), check.session.table(table.path):
        pass
    renamed = SCHEMA.replace("a int", "z int")
    # An update and a delete rewrite the old file without the option: the other rows lose their values.
    updated = table.spark.createDataFrame([(2, "", 2, 21)], renamed)
    table.write(updated, "upsert", UNPARTITIONED)
    table.write(table.spark.createDataFrame([(4, "", 3, 0)], renamed), "delete", UNPARTITIONED)
    _write(table, renamed, [(9, "", 1, 90)])
    with pytest.raises(QueryFailed, match="Copy the table") as refusal, check.session.table(table.path):
        pass
    advice = re.search(r"_hoodie_commit_time is at most (\d+) from its state as of \1", str(refusal.value))
    assert advice, refusal.value
    copy = OperatedTable(table.spark, lake.fresh("copied"))
    copy.write(_copied(table, advice[1]), "insert", UNPARTITIONED)
    expected = {0: 0, 1: 10, 2: 21, 3: 30, 9: 90}
    with check.session.table(copy.path) as name:
        for indexed in (False, True):
            if indexed:
                copy.update_index()
            assert sorted(check.run(f"select id, z from {name}").rows) == sorted(expected.items())
            found = check.run(f"select id from {name} where z between 20 and 30")
            assert sorted(found.rows) == [(2,), (3,)]


def _copied(table: OperatedTable, instant: str) -> DataFrame:
    """The rows of a table, as docs/reference/statements.md copies them."""
    path = str(table.path)
    with _by_id(table):
        hudi = table.spark.read.format("hudi").option("hoodie.schema.on.read.enable", "true")
        now = hudi.load(path)
        then = hudi.option("as.of.instant", instant).load(path)
        is_old = now["_hoodie_commit_time"] <= instant
        left = now.where(is_old).select("_hoodie_partition_path", "_hoodie_record_key")
        old = then.join(left, left.columns, "left_semi")
        rows = old.unionByName(now.where(~is_old)).select("id", "grp", "n", "z").localCheckpoint()
    return rows.coalesce(1)


def test_a_history_without_a_rename_is_read(check: Checker, table: OperatedTable) -> None:
    _write(table, SCHEMA, [(1, "", 1, 10)], BY_ID)
    _alter(table, "add columns (b int)")
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
            for mode, where in in_turn(MODES.values(), ("true", "a = 7", "a > 2.4", "a is null", "a < 0")):
                live = table.spark.read.format("hudi").load(str(table.path)).where(where)
                rows = [tuple(row) for row in live.select("id", "a").collect()]
                found = check.run(f"select id, a from {name} where {where}", mode)
                assert_same_rows(found.rows, rows, f"{where}: {mode}", found.scans)


NESTED: Final = "id int, grp string, n bigint, a int, b bigint, s struct<x: int>"
NESTED_DECIMALS: Final = (
    "id int, grp string, n bigint, a decimal(12,2), b decimal(21,2), s struct<x: decimal(12,2)>"
)


@pytest.mark.parametrize("kind", ["COPY_ON_WRITE", "MERGE_ON_READ"])
def test_integers_become_decimals_in_structs_and_logs_and_beside_hudis_statistics(
    check: Checker, table: OperatedTable, kind: str
) -> None:
    options = {"hoodie.datasource.write.table.type": kind, **UNPARTITIONED, **COLUMN_STATISTICS, **DROPPING}

    def write(schema: str, rows: list[tuple[Any, ...]], operation: str) -> None:
        table.write(table.spark.createDataFrame(rows, schema).coalesce(1), operation, options)

    least, greatest = -(2**31), 2**63 - 1
    write(NESTED, [(number, "", 1, number, 10 * number, (number,)) for number in range(4)], "insert")
    write(NESTED, [(1, "", 2, least, greatest, (least,))], "upsert")
    half = Decimal("2.50")
    write(NESTED_DECIMALS, [(2, "", 3, half, half, (half,)), (9, "", 1, half, half, (half,))], "upsert")
    old = {0: (0, 0, 0), 1: (least, greatest, least), 3: (3, 30, 3)}
    truth = {key: tuple(map(Decimal, values)) for key, values in old.items()}
    truth |= dict.fromkeys((2, 9), (half, half, half))
    conditions: dict[str, Callable[[Any, Any, Any], bool]] = {
        "true": lambda a, b, x: True,
        "a = 3": lambda a, b, x: a == 3,
        "a > 2.4": lambda a, b, x: a > 2.4,
        "a < -1": lambda a, b, x: a < -1,
        "b > 9000000000000000000": lambda a, b, x: b > 9 * 10**18,
        "s.x = 2.5": lambda a, b, x: x == half,
        "s.x < 1": lambda a, b, x: x < 1,
        "s.x is null": lambda a, b, x: False,
    }
    with check.session.table(table.path) as name:
        for source in ("metadata-table", "parquet"):
            if source == "parquet":
                table.update_index()
            for mode, (where, matches) in in_turn(MODES.values(), conditions.items()):
                settings = {**mode, "hudi.skipping.index": source}
                found = check.run(f"select id, a, b, s.x from {name} where {where}", settings)
                chosen = [(key, *values) for key, values in truth.items() if matches(*values)]
                assert_same_rows(found.rows, chosen, f"{where}, {source}, {mode}", found.scans)


def test_an_integer_does_not_become_a_decimal_that_has_no_room_for_it(
    check: Checker, table: OperatedTable
) -> None:
    changes = {
        "a": ("int", "decimal(5,2)"),
        "b": ("int", "decimal(9,2)"),
        "c": ("bigint", "decimal(20,2)"),
    }
    before, after = (
        ", ".join(["id int, grp string, n bigint", *(f"{name} {pair[at]}" for name, pair in changes.items())])
        for at in range(2)
    )
    _write(table, before, [(1, "", 1, 7, 7, 7)])
    _write(table, after, [(2, "", 1, *[Decimal("2.50")] * 3)], DROPPING)
    with check.session.table(table.path) as name:
        assert sorted(check.run(f"select id from {name}").rows) == [(1,), (2,)]
        for column, (stored, now) in changes.items():
            message = re.escape(f"column {column} is {stored} in the file and {now}")
            with pytest.raises(QueryFailed, match=message):
                check.run(f"select {column} from {name}", scans=0)
