"""Tables whose schema changes while Hive has them: Hive follows, and has Spark's values in old files."""

import datetime as dt
import shutil
import struct
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

import pytest

from ..harness.check import SHADOW, Checker, assert_no_violations
from ..harness.engines import MODES
from ..harness.hudi_writer import COLUMN_STATISTICS
from ..harness.operated_table import OperatedTable
from ..harness.session import QueryFailed, Session

OPTIONS: Final = {"hoodie.datasource.write.partitionpath.field": "", "hoodie.parquet.small.file.limit": "0"}
"""Each write makes one new file."""
DROPPING: Final = {"hoodie.datasource.write.schema.allow.auto.evolution.column.drop": "true"}

_FLOATS: Final = (1.1, -0.1, 1e10, 1e-5, float("nan"), float("inf"), -0.0, None, 3.4028234663852886e38, 2.0)
_INTS: Final = (7, -1, 2**31 - 1, -(2**31), 0, None, 16777217, 100, 5, 42)
_LONGS: Final = (7, -1, 2**63 - 1, -(2**63), 0, None, 2**53 + 1, 100, 5, 42)


@dataclass(frozen=True, slots=True)
class Widening:
    """A change of type that Hudi allows, values from before and after, and a filter for some of them."""

    before: str
    after: str
    old: Sequence[Any]
    new: Any
    where: str

    @property
    def column(self) -> str:
        """Name of the column."""
        return f"{self.before}_{self.after}"


WIDENINGS: Final = (
    Widening("int", "bigint", _INTS, 2**40, "{} > 42"),
    Widening("int", "float", _INTS, 0.5, "{} between 0.25 and 7"),
    Widening("int", "double", _INTS, 1.1, "{} = 1.1 or {} = 7"),
    Widening("int", "string", _INTS, "7x", "{} like '7%'"),
    Widening("bigint", "float", _LONGS, 0.5, "{} between 0.25 and 7"),
    Widening("bigint", "double", _LONGS, 1.1, "{} > 9e15"),
    Widening("bigint", "string", _LONGS, "x", "{} in ('9007199254740993', 'x')"),
    # A reader that widens bits finds 1.10000002384185791015625 in the old file.
    Widening("float", "double", _FLOATS, 1.1, "{} = 1.1"),
    Widening("float", "string", _FLOATS, "x", "{} in ('1.1', '1.0E10', 'x')"),
    Widening("double", "string", _FLOATS, "x", "{} in ('1.1', 'NaN', 'x')"),
)
"""Every pair of Hudi 1.0.2 whose old files Spark reads, but for numbers that become times and the reverse."""

NESTED_BEFORE: Final = (
    "s struct<a: int, b: float, gone: string, deep: struct<x: int>>, l array<int>, "
    "ls array<struct<x: int, y: string>>, m map<string, int>, ms map<string, struct<x: float>>"
)
NESTED_AFTER: Final = (
    "s struct<a: bigint, b: double, gone: string, deep: struct<x: bigint, y: string>, extra: int>, "
    "l array<bigint>, ls array<struct<x: bigint, y: string, z: int>>, m map<string, double>, "
    "ms map<string, struct<x: double, y: int>>"
)
NESTED: Final = (
    "select id, s.a, cast(cast(s.b as float) as string), s.gone, s.deep.x, s.deep.y, s.extra, size(l), l[0], "
    "l[1], size(ls), ls[0].x, ls[0].y, ls[0].z, ls[1].x, m['k'], cast(cast(ms['k'].x as float) as string), "
    "ms['k'].y from {}"
)
NESTED_FILTERS: Final = ("s.a > 100", "s.b > 1", "s.extra is null", "s.deep.x = 3", "s.deep.y = 'y'")


def _write(
    table: OperatedTable, schema: str, rows: Sequence[tuple[Any, ...]], extra: Mapping[str, str] | None = None
) -> None:
    frame = table.spark.createDataFrame(list(rows), schema).coalesce(1)
    table.write(frame, "insert", {**OPTIONS, **(extra or {})})


def _as_spark(table: OperatedTable, name: str) -> None:
    """Spark has the table as it is now, under the name that it has in Hive."""
    table.spark.read.format("hudi").load(str(table.path)).createOrReplaceTempView(name)


@contextmanager
def _view(session: Session, table: OperatedTable, name: str, query: str) -> Iterator[str]:
    """A view in Hive, whose name Spark has for the table."""
    session.rows(f"create view {name} as {query}")
    try:
        _as_spark(table, name)
        yield name
    finally:
        session.rows(f"drop view {name}")


def test_every_widening_is_read_as_spark_reads_it(check: Checker, table: OperatedTable) -> None:
    columns = [item.column for item in WIDENINGS]
    # Hive prints a float by its own digits, Python by those of a double.
    exact = ", ".join(_exact(item.column, item.before) for item in WIDENINGS)
    widened = ", ".join(_exact(item.column, item.after) for item in WIDENINGS)
    before = ", ".join(f"{item.column} {item.before}" for item in WIDENINGS)
    after = ", ".join(f"{item.column} {item.after}" for item in WIDENINGS)
    old = [(number, number, *(item.old[number] for item in WIDENINGS)) for number in range(10)]
    _write(table, f"id int, n bigint, {before}", old)
    table.update_index()
    with (
        check.session.table(table.path) as name,
        check.session.table(table.path, columns=f"id int, {before}") as declared,
    ):
        on_view = f"select id, {', '.join(columns)} from {name} where id >= 0"
        same = "a.int_bigint = b.bigint_double"
        join = f"select a.id, b.id from {name} a join {name} b on {same} where a.id < 9"
        with _view(check.session, table, f"{name}_view", on_view) as view:
            _as_spark(table, name)
            check(f"select id, {exact} from {name}")
            check(join, scans=2)

            _write(table, f"id int, n bigint, {after}", [(20, 20, *(item.new for item in WIDENINGS))])
            for each in (name, declared, view):
                _as_spark(table, each)
                found = check(f"select id, {widened} from {each}", MODES["fetch task"])
                assert len(found.rows) == 11
            counted = ", ".join(
                f"count({item.column}), min({_exact(item.column, item.after)})" for item in WIDENINGS
            )
            for mode in ("vectorised", "rows"):
                check(f"select id, {widened} from {name}", MODES[mode])
                check(f"select {counted}, sum(int_bigint), sum(int_double) from {name}", MODES[mode])
            check(join, scans=2)
        described = {row[0]: row[1] for row in check.session.rows(f"describe {name}")}
        assert [described[item.column] for item in WIDENINGS] == [item.after for item in WIDENINGS]
        _widened_columns_are_filtered(check, name)
        table.update_index()
        _widened_columns_are_filtered(check, name)
        big = f"select id from {name} where int_bigint = {2**40}"
        check(big, MODES["vectorised"]).kept(1)
        check(f"select id from {name} where bigint_string = 'none'", MODES["fetch task"]).kept(1)
    assert table.index_command("verify")["sound"]


def _exact(column: str, type_name: str) -> str:
    return f"cast({column} as double)" if type_name == "float" else column


def _widened_columns_are_filtered(check: Checker, name: str) -> None:
    for item in WIDENINGS:
        query = f"select id from {name} where {item.where.replace('{}', item.column)}"
        found = check(query, MODES["fetch task"])
        assert found.rows, f"{query} finds something"
        assert_no_violations(query, check.run(query, {**MODES["fetch task"], **SHADOW}), found)


@pytest.mark.full
def test_nested_fields_are_added_and_widened(check: Checker, table: OperatedTable) -> None:
    old = [
        (1, 1, (1, 1.1, "g", (3,)), [1, 2], [(1, "a"), (2, None)], {"k": 1}, {"k": (1.1,)}),
        (2, 2, (None, None, None, None), [], [], {}, {}),
        (3, 3, None, None, None, None, None),
        (4, 4, (4, 0.5, None, (None,)), [3], [(None, None)], {"k": None}, {"k": None}),
    ]
    _write(table, f"id int, n bigint, {NESTED_BEFORE}", old)
    table.update_index()
    new = [
        (5, 5, (2**40, 1.1, "g", (3, "y"), 9), [2**40], [(2**40, "b", 7)], {"k": 2.5}, {"k": (1.1, 8)}),
    ]
    # Spark's vectorised reader refuses such files, and says so.
    table.spark.conf.set("spark.sql.parquet.enableVectorizedReader", "false")
    try:
        _nested_fields_are_read(check, table, new)
    finally:
        table.spark.conf.unset("spark.sql.parquet.enableVectorizedReader")


def _nested_fields_are_read(check: Checker, table: OperatedTable, new: Sequence[tuple[Any, ...]]) -> None:
    with check.session.table(table.path) as name:
        _write(table, f"id int, n bigint, {NESTED_AFTER}", new)
        _as_spark(table, name)
        for _ in range(2):
            for mode in MODES.values():
                check(NESTED.format(name), mode)
                check(f"select id, s.extra from {name}", mode)
                _nested_floats_are_widened_bit_by_bit(check.session, name, mode)
            for where in NESTED_FILTERS:
                assert check(f"select id from {name} where {where}", MODES["fetch task"]).rows, where
            table.update_index()


def _nested_floats_are_widened_bit_by_bit(session: Session, name: str, mode: Mapping[str, str]) -> None:
    """As Spark does before Hudi 1.2, and not by their text, as it does from 1.2 on."""
    (bits,) = struct.unpack("f", struct.pack("f", 1.1))
    with session.settings(mode):
        found = session.rows(f"select id, s.b, ms['k'].x from {name}")
        above = session.rows(f"select id from {name} where s.b > 1.1")
    assert sorted(found) == [(1, bits, bits), (2, None, None), (3, None, None), (4, 0.5, None), (5, 1.1, 1.1)]
    assert above == [(1,)], "no file is skipped by the text of its bounds"


def test_columns_are_added_dropped_and_reordered_in_a_session(check: Checker, table: OperatedTable) -> None:
    _write(table, "id int, n bigint, a int, b string, c string", [(1, 1, 10, "b1", "c1")])
    table.update_index()
    with (
        check.session.table(table.path) as name,
        check.session.table(table.path, columns="c varchar(9), b string, id int") as some,
    ):
        _as_spark(table, name)
        check(f"select * from {name}")

        added = "x struct<p: int, q: array<string>>, y array<struct<p: int>>, z map<string, int>"
        new = (2, 2, 20, "b2", "c2", (1, ["q"]), [(3,)], {"k": 4})
        _write(table, f"id int, n bigint, a int, b string, c string, {added}", [new])
        _as_spark(table, name)
        for mode in MODES.values():
            check(f"select id, a, b, c, x.p, x.q[0], y[0].p, z['k'], x is null from {name}", mode)
        assert _columns(check.session, name)[-6:] == ["a", "b", "c", "x", "y", "z"]

        _write(table, "id int, n bigint, c string, a int", [(3, 3, "c3", 30)], DROPPING)
        _as_spark(table, name)
        for mode in MODES.values():
            check(f"select * from {name}", mode)
            check(f"select a, c from {name} where a >= 10 and c is not null", mode)
        assert _columns(check.session, name)[-4:] == list(table.spark.table(name).columns)[-4:]
        for query in (f"select b from {name}", f"select b from {some}"):
            check.session.assert_refused(query, "Invalid table alias or column reference 'b'")
        assert _columns(check.session, some) == ["c", "id"], "what CREATE TABLE named, as long as it is there"
        assert sorted(check.session.rows(f"select * from {some}")) == [("c1", 1), ("c2", 2), ("c3", 3)]


DECIMALS_BEFORE: Final = "a decimal(10, 2), b decimal(10, 3), c decimal(10, 2), s struct<d: decimal(10, 2)>"
DECIMALS_AFTER: Final = "a decimal(11, 2), b decimal(10, 2), c decimal(10, 3), s struct<d: decimal(11, 2)>"
"""Decimals of as many bytes, which are one type for Avro and so for Hudi."""


@pytest.mark.full
@pytest.mark.default_hudi  # From 1.2 on, Hudi refuses the write.
def test_decimals_of_other_digits_are_read_as_spark_reads_them(check: Checker, table: OperatedTable) -> None:
    old = [
        (1, 1, Decimal("1.25"), Decimal("1.255"), Decimal("-1.25"), (Decimal("7.5"),)),
        (2, 2, *[None] * 4),
    ]
    _write(table, f"id int, n bigint, {DECIMALS_BEFORE}", old)
    table.update_index()
    new = [(3, 3, Decimal("123456789.25"), Decimal("1.25"), Decimal("1.125"), (Decimal("1.25"),))]
    _write(table, f"id int, n bigint, {DECIMALS_AFTER}", new)
    with check.session.table(table.path) as name:
        _as_spark(table, name)
        for mode in MODES.values():
            check(f"select id, a, b, c from {name}", mode)
            with check.session.settings(mode):
                nested = sorted(check.session.rows(f"select id, s.d from {name} where id <> 2"))
            assert nested == [(1, Decimal("7.50")), (3, Decimal("1.25"))]
        for where in ("a = 1.25", "a > 2", "b = 1.26", "c < 0", "c is null"):
            assert check(f"select id from {name} where {where}", MODES["fetch task"]).rows, where


@pytest.mark.default_hudi
def test_a_decimal_that_the_type_of_the_table_does_not_hold_is_an_error(
    session: Session, table: OperatedTable
) -> None:
    _write(table, "id int, n bigint, c decimal(10, 2)", [(1, 1, Decimal("12345678.25"))])
    _write(table, "id int, n bigint, c decimal(10, 3)", [(2, 2, Decimal("1.125"))])
    with session.table(table.path) as name:
        for mode in ("vectorised", "fetch task"):
            with (
                session.settings(MODES[mode]),
                pytest.raises(QueryFailed, match=r"12345678\.25, which does not fit decimal\(10,3\)"),
            ):
                session.rows(f"select c from {name}")


def _columns(session: Session, name: str) -> list[str]:
    return [row[0] for row in session.rows(f"describe {name}")]


REFUSED: Final = (
    ("int", 7, "date", dt.date(2020, 1, 2)),
    ("bigint", 7, "timestamp", dt.datetime(2020, 1, 2)),
    ("date", dt.date(2020, 1, 2), "int", 7),
    ("timestamp", dt.datetime(2020, 1, 2), "bigint", 7),
    ("timestamp", dt.datetime(2020, 1, 2), "string", "x"),
)
"""Changes that Hudi takes, and that are no widenings: types and values before and after."""


@pytest.mark.default_hudi
def test_a_number_that_becomes_a_time_is_refused_where_it_is_read(
    session: Session, table: OperatedTable
) -> None:
    before = ", ".join(f"c{at} {item[0]}" for at, item in enumerate(REFUSED))
    after = ", ".join(f"c{at} {item[2]}" for at, item in enumerate(REFUSED))
    _write(table, f"id int, n bigint, {before}", [(1, 1, *(item[1] for item in REFUSED))])
    _write(table, f"id int, n bigint, {after}", [(2, 2, *(item[3] for item in REFUSED))])
    with session.table(table.path) as name, session.settings(MODES["fetch task"]):
        for at, (stored, _, now, _) in enumerate(REFUSED):
            for mode in ("on", "off", "shadow"):
                types = f"is .*(?i:{stored}).* in the file and {now} in the table"
                message = f"column c{at} {types}.*rewrite the old files"
                with (
                    session.settings({"hudi.skipping.mode": mode}),
                    pytest.raises(QueryFailed, match=message),
                ):
                    session.rows(f"select c{at} from {name}")
        assert sorted(session.rows(f"select id from {name}")) == [(1,), (2,)], "other columns are read"


def test_the_metastore_stores_the_columns_that_the_table_has_now(
    session: Session, table: OperatedTable
) -> None:
    _write(table, "id int, n bigint, a int", [(1, 1, 10)])
    with session.table(table.path) as name:
        _write(table, "id int, n bigint, a bigint, b string", [(2, 2, 2**40, "b")])
        session.rows(f"alter table {name} update columns")
        assert _columns(session, name)[-2:] == ["a", "b"]
        session.rows(f"alter table {name} set tblproperties ('note' = 'x')")
        session.assert_refused(
            f"alter table {name} set tblproperties ('hudi.skipping.columns' = 'some')",
            "hudi.skipping.columns is 'some'",
        )
        assert "'hudi.skipping.columns'='table'" in session.text(f"show create table {name}")


def test_properties_are_altered_whatever_columns_hudi_has_dropped_or_reordered(
    check: Checker, table: OperatedTable
) -> None:
    _write(table, "id int, n bigint, a int, b string, c double", [(1, 1, 10, "b", 0.5)])
    table.update_index()
    with check.session.table(table.path) as name:
        _write(table, "id int, n bigint, c double, a int", [(2, 2, 1.5, 20)], DROPPING)
        _as_spark(table, name)
        check.session.rows(f"alter table {name} set tblproperties ('hudi.skipping.mode' = 'off')")
        assert "off" in check.session.text(f"show tblproperties {name}('hudi.skipping.mode')")
        check.session.rows(f"alter table {name} unset tblproperties ('hudi.skipping.mode')")
        check(f"select * from {name} where a > 15", MODES["fetch task"])


def test_a_table_whose_data_is_gone_can_be_dropped(session: Session, table: OperatedTable) -> None:
    _write(table, "id int, n bigint, a int", [(1, 1, 10)])
    with session.table(table.path) as name:
        shutil.rmtree(table.path)
        with session.settings(MODES["fetch task"]):
            session.assert_refused(f"select a from {name}", "not a Hudi table")
    assert name not in session.text("show tables")


@pytest.mark.full
@pytest.mark.since_hudi_1  # 0.15 cannot cluster widened fields.
def test_clustering_rewrites_old_files_in_the_types_of_the_table(
    check: Checker, table: OperatedTable
) -> None:
    _write(table, "id int, n bigint, a int, f float, s struct<x: int>", [(1, 1, 10, 1.1, (5,))])
    table.update_index()
    with check.session.table(table.path) as name:
        _write(
            table, "id int, n bigint, a string, f double, s struct<x: bigint>", [(2, 2, "x", 2.5, (2**40,))]
        )
        table.call("run_clustering", op="scheduleAndExecute")
        table.update_index()
        _as_spark(table, name)
        for mode in MODES.values():
            rows = check(f"select id, a, f, s.x from {name} where f = 1.1 and a = '10'", mode).rows
            assert rows == ((1, "10", 1.1, 5),)


def test_the_column_statistics_of_the_metadata_table_lose_no_row_of_a_widened_column(
    check: Checker, table: OperatedTable
) -> None:
    _write(table, "id int, n bigint, a int, b int, c int", [(1, 1, 7, 7, 7)], COLUMN_STATISTICS)
    _write(
        table, "id int, n bigint, a bigint, b double, c string", [(2, 2, 2**40, 0.5, "x")], COLUMN_STATISTICS
    )
    settings = {**MODES["fetch task"], "hudi.skipping.index": "metadata-table"}
    with check.session.table(table.path) as name:
        _as_spark(table, name)
        for where in ("a = 7", "a > 100", "b = 7", "b < 1", "c = '7'", "c > '8'"):
            assert check(f"select id, a, b, c from {name} where {where}", settings).rows, where
