"""Statements that would make a table of Hive's own over a Hudi table, or delete one with it, are refused."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from ..harness.check import Checker
from ..harness.lake import Lake
from ..harness.session import HANDLER, HUDIS_FORMAT, Session
from ..tables import CUSTOMERS

WITHOUT_GUARD = {"hive.semantic.analyzer.hook": ""}
PARQUET = "STORED AS PARQUET"


@pytest.fixture
def path(lake: Lake) -> Iterator[Path]:
    """A copy of a Hudi table, all of whose files must be there at the end."""
    path = lake.copy("customers")
    before = _files(path)
    yield path
    assert _files(path) == before, "the Hudi table is as it was"


def _files(path: Path) -> list[tuple[str, int]]:
    return sorted(
        (str(file.relative_to(path)), file.stat().st_size) for file in path.rglob("*") if file.is_file()
    )


@pytest.mark.selected(3)
@pytest.mark.parametrize("guard", [{}, WITHOUT_GUARD], ids=["guard", "no guard"])
@pytest.mark.parametrize("kind", ["EXTERNAL TABLE", "TABLE"])
@pytest.mark.parametrize("place", [" LOCATION 'file://{path}'", ""], ids=["location", "no location"])
def test_like_a_hudi_table_without_stored_by_is_refused_and_names_what_works(
    session: Session, path: Path, guard: dict[str, str], kind: str, place: str
) -> None:
    with session.settings(guard):
        session.assert_refused(
            f"CREATE {kind} likeness LIKE customers{place.format(path=path)}",
            rf"(?s)CREATE EXTERNAL TABLE default.likeness LIKE customers STORED BY '{HANDLER}' LOCATION",
        )
    assert "likeness" not in session.text("SHOW TABLES")


def test_like_with_stored_by_reads_and_drops_as_any_handler_table(check: Checker, path: Path) -> None:
    check.session.rows(
        f"CREATE EXTERNAL TABLE likeness LIKE customers STORED BY '{HANDLER}' LOCATION 'file://{path}'"
    )
    checked = check(
        "select cust, name from likeness where cust = 11",
        spark="select cust, name from customers where cust = 11",
    )
    checked.kept(1)
    check("select count(*), sum(cust) from likeness", spark="select count(*), sum(cust) from customers")
    check.session.rows("DROP TABLE likeness")


@pytest.mark.parametrize(
    ("table", "logs"), [("seg_ro", {"hoodie.query.as.ro.table": "true"}), ("seg", {})], ids=["ro", "plain"]
)
def test_like_a_partitioned_native_table_has_its_columns_and_reads_what_it_reads(
    session: Session, path: Path, table: str, logs: dict[str, str]
) -> None:
    serde = "".join(f" WITH SERDEPROPERTIES ('{name}'='{value}')" for name, value in logs.items())
    hudis_format = HUDIS_FORMAT.replace(" STORED AS", f"{serde} STORED AS")
    session.rows(
        f"CREATE EXTERNAL TABLE {table} (cust int, name string) PARTITIONED BY (segment string)"
        f" {hudis_format} LOCATION 'file://{path}'"
    )
    try:
        session.rows(
            f"CREATE EXTERNAL TABLE likeness LIKE {table} STORED BY '{HANDLER}' LOCATION 'file://{path}'"
        )
        columns = {row[0] for row in session.rows("DESCRIBE likeness")}
        assert columns == {"cust", "name", "segment"}, "partition columns are ordinary ones"
        properties = dict(session.rows("SHOW TBLPROPERTIES likeness"))
        assert properties.get("hoodie.query.as.ro.table") == logs.get("hoodie.query.as.ro.table")
        assert session.rows("SELECT count(*) FROM likeness WHERE segment IS NOT NULL") == session.rows(
            "SELECT count(*) FROM customers WHERE segment IS NOT NULL"
        )
    finally:
        session.rows("DROP TABLE IF EXISTS likeness")
        session.rows(f"DROP TABLE {table}")


@pytest.mark.parametrize("guard", [{}, WITHOUT_GUARD], ids=["guard", "no guard"])
def test_a_native_table_does_not_become_a_handler_table_by_alter(
    session: Session, path: Path, guard: dict[str, str]
) -> None:
    session.rows(f"CREATE EXTERNAL TABLE synced (cust int) {HUDIS_FORMAT} LOCATION 'file://{path}'")
    try:
        with session.settings(guard):
            session.assert_refused(
                f"ALTER TABLE synced SET TBLPROPERTIES ('storage_handler'='{HANDLER}')",
                "(?s)default.synced is a native table.*hudi-skip adopt .* default.synced.*CREATE EXTERNAL",
            )
        assert "storage_handler" not in session.text("SHOW TBLPROPERTIES synced")
    finally:
        session.rows("DROP TABLE synced")


@pytest.mark.parametrize("guard", [{}, WITHOUT_GUARD], ids=["guard", "no guard"])
def test_like_with_another_format_makes_an_empty_table_and_never_over_a_hudi_table(
    session: Session, path: Path, guard: dict[str, str]
) -> None:
    with session.settings(guard):
        session.rows("CREATE TABLE likeness LIKE customers STORED AS ORC")
        session.rows("INSERT INTO likeness SELECT * FROM customers WHERE cust = 11")
        assert session.rows("SELECT cust FROM likeness") == [(11,)]
        session.rows("DROP TABLE likeness")
        for kind, message in (("TABLE", "DROP TABLE would delete"), ("EXTERNAL TABLE", "only Hudi knows")):
            statement = f"CREATE {kind} likeness LIKE customers {PARQUET} LOCATION 'file://{path}'"
            session.assert_refused(statement, f"(?s){path}.*{message}.*STORED BY '{HANDLER}'")


@pytest.mark.selected(3)
@pytest.mark.parametrize(
    ("statement", "message"),
    [
        (f"CREATE TABLE taken (cust int) {PARQUET} LOCATION 'file://{{path}}'", "DROP TABLE would delete"),
        ("CREATE TABLE taken (line string) LOCATION 'file://{path}/deeper/'", "DROP TABLE would delete"),
        (
            f"CREATE EXTERNAL TABLE taken (cust int) {PARQUET} LOCATION 'file://{{path}}' "
            "TBLPROPERTIES ('external.table.purge' = 'true')",
            "DROP TABLE would delete",
        ),
        (
            f"CREATE TABLE taken (cust int) {HUDIS_FORMAT} LOCATION 'file://{{path}}'",
            "DROP TABLE would delete",
        ),
        (f"CREATE EXTERNAL TABLE taken (cust int) {PARQUET} LOCATION 'file://{{path}}'", "only Hudi knows"),
        ("CREATE EXTERNAL TABLE taken LIKE native LOCATION 'file://{path}'", "only Hudi knows"),
        ("CREATE TABLE taken LIKE native LOCATION 'file://{path}'", "DROP TABLE would delete"),
        ("ALTER TABLE native SET LOCATION 'file://{path}'", "DROP TABLE would delete"),
        ("ALTER TABLE apart SET LOCATION 'file://{path}'", "only Hudi knows"),
    ],
)
def test_a_table_of_hives_own_is_not_put_over_a_hudi_table(
    session: Session, path: Path, tmp_path: Path, statement: str, message: str
) -> None:
    session.rows("CREATE TABLE native (cust int)")
    session.rows(f"CREATE EXTERNAL TABLE apart (cust int) LOCATION 'file://{tmp_path}/apart'")
    try:
        session.assert_refused(statement.format(path=path), f"(?s){path}.*{message}.*STORED BY '{HANDLER}'")
        assert "taken" not in session.text("SHOW TABLES")
    finally:
        session.rows("DROP TABLE apart")
        session.rows("DROP TABLE native")


def test_a_table_that_reads_through_hudis_own_input_format_is_allowed(session: Session, path: Path) -> None:
    session.rows(f"CREATE EXTERNAL TABLE hudis_own (cust int) {HUDIS_FORMAT} LOCATION 'file://{path}'")
    session.rows("ALTER TABLE hudis_own SET TBLPROPERTIES ('comment' = 'as hive-sync makes it')")
    session.assert_refused(
        "ALTER TABLE hudis_own SET TBLPROPERTIES ('external.table.purge' = 'true')",
        "DROP TABLE would delete",
    )
    session.rows("DROP TABLE hudis_own")


def test_a_table_that_would_take_a_hudi_table_with_it_is_not_dropped(session: Session, path: Path) -> None:
    with session.settings(WITHOUT_GUARD):
        session.rows(f"CREATE TABLE owner (cust int) {PARQUET} LOCATION 'file://{path}'")
    session.assert_refused("DROP TABLE owner", f"(?s)would delete the Hudi table .*{path}.*SET TBLPROPERTIES")
    session.rows("ALTER TABLE owner SET TBLPROPERTIES ('EXTERNAL'='TRUE', 'external.table.purge'='false')")
    session.rows("DROP TABLE owner")


@pytest.mark.selected(3)
@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("TRUNCATE TABLE taker.owner", "TRUNCATE TABLE taker.owner would delete the Hudi table"),
        ("ALTER TABLE taker.owner DROP PARTITION (p = 1)", "DROP PARTITION of .*would delete the Hudi table"),
        ("ALTER TABLE taker.owner RENAME TO taker.other", "RENAME of .*would delete the Hudi table"),
        ("DROP DATABASE taker CASCADE", "DROP DATABASE with its table taker.owner would delete"),
        ("INSERT OVERWRITE TABLE taker.owner PARTITION (p = 1) SELECT 1", "is in the Hudi table"),
        ("INSERT INTO taker.owner PARTITION (p = 2) VALUES (1)", "is in the Hudi table"),
        ("INSERT OVERWRITE TABLE taker.synced SELECT 1", "is in the Hudi table"),
        ("LOAD DATA INPATH 'file:///nowhere' OVERWRITE INTO TABLE taker.synced", "is in the Hudi table"),
    ],
)
def test_no_statement_on_a_table_of_hives_own_takes_the_files_of_a_hudi_table(
    session: Session, path: Path, statement: str, message: str
) -> None:
    session.rows("CREATE DATABASE taker")
    session.rows(f"CREATE EXTERNAL TABLE taker.synced (cust int) {HUDIS_FORMAT} LOCATION 'file://{path}'")
    with session.settings(WITHOUT_GUARD):
        session.rows(
            f"CREATE TABLE taker.owner (cust int) PARTITIONED BY (p int) {PARQUET} LOCATION 'file://{path}'"
        )
        session.rows(f"ALTER TABLE taker.owner ADD PARTITION (p = 1) LOCATION 'file://{path}'")
    try:
        session.assert_refused(statement, f"(?s){message}.*{path}")
    finally:
        keeps = "SET TBLPROPERTIES ('EXTERNAL'='TRUE', 'external.table.purge'='false')"
        session.rows(f"ALTER TABLE taker.owner {keeps}")
        session.rows("DROP DATABASE taker CASCADE")


@pytest.mark.selected(1)
@pytest.mark.parametrize(
    ("place", "of_database"), [("", "{path}"), ("/deep/er", "{path}"), ("", "{path}/flights")]
)
def test_a_database_is_not_dropped_with_a_hudi_table_in_its_folder(
    session: Session, lake: Lake, place: str, of_database: str
) -> None:
    folder = lake.fresh("folder")
    path = Path(f"{folder}{place}/flights")
    shutil.copytree(lake.path("customers"), path)
    before = _files(path)
    session.rows(f"CREATE DATABASE lake_house LOCATION 'file://{of_database.format(path=folder)}'")
    session.rows(f"CREATE EXTERNAL TABLE lake_house.flights STORED BY '{HANDLER}' LOCATION 'file://{path}'")
    refusal = f"(?s)DROP DATABASE lake_house would delete the Hudi table .*{path}.*SET LOCATION"
    session.assert_refused("DROP DATABASE lake_house CASCADE", refusal)
    session.rows("DROP TABLE lake_house.flights")
    if not place:
        session.assert_refused("DROP DATABASE lake_house", refusal)
    session.rows(f"ALTER DATABASE lake_house SET LOCATION 'file://{lake.fresh('elsewhere')}'")
    session.rows("DROP DATABASE lake_house")
    assert _files(path) == before


def test_tables_that_have_nothing_to_do_with_hudi_are_left_alone(session: Session, tmp_path: Path) -> None:
    session.rows("CREATE TABLE unrelated (a int) STORED AS ORC")
    session.rows("INSERT INTO unrelated VALUES (1), (2)")
    session.rows(f"CREATE EXTERNAL TABLE unrelated_too LIKE unrelated LOCATION 'file://{tmp_path}/b'")
    session.rows("INSERT OVERWRITE TABLE unrelated_too SELECT a + 1 FROM unrelated")
    session.rows("ALTER TABLE unrelated SET TBLPROPERTIES ('external.table.purge' = 'true')")
    assert session.rows("SELECT sum(a) FROM unrelated_too") == [(5,)]
    session.rows("DROP TABLE unrelated_too")
    session.rows("ALTER TABLE unrelated RENAME TO unrelated_still")
    session.rows("TRUNCATE TABLE unrelated_still")
    session.rows("DROP TABLE unrelated_still")
    session.rows("CREATE DATABASE unrelated_all")
    session.rows("CREATE TABLE unrelated_all.t (a int)")
    session.rows("DROP DATABASE unrelated_all CASCADE")


@pytest.mark.parametrize(
    "change",
    ["SET TBLPROPERTIES ('storage_handler' = 'some.Other')", "UNSET TBLPROPERTIES ('storage_handler')"],
)
def test_a_hudi_table_is_not_taken_from_its_handler(session: Session, path: Path, change: str) -> None:
    session.rows(f"CREATE EXTERNAL TABLE keeps STORED BY '{HANDLER}' LOCATION 'file://{path}'")
    session.assert_refused(f"ALTER TABLE keeps {change}", "storage_handler cannot be changed")
    assert len(session.rows("SELECT cust FROM keeps")) == len(CUSTOMERS.rows())
    session.rows("DROP TABLE keeps")


@pytest.mark.selected(4)
@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO customers VALUES (1)",
        "INSERT INTO customers SELECT * FROM customers",
        "INSERT INTO customers SELECT cust FROM customers",
        "INSERT OVERWRITE TABLE customers SELECT * FROM customers",
        "INSERT OVERWRITE TABLE customers SELECT nosuch FROM customers",
        "INSERT INTO customers (cust, name, segment) VALUES (1, 'a', 'b')",
        "INSERT INTO customers (nosuch) VALUES (1)",
        "EXPLAIN INSERT INTO default.customers VALUES (1)",
        "WITH a AS (SELECT 1 AS x) INSERT INTO customers SELECT x FROM a",
        "FROM orders INSERT OVERWRITE DIRECTORY '/nowhere' SELECT ord INSERT INTO customers SELECT ord",
        "UPDATE customers SET name = 'a'",
        "DELETE FROM customers WHERE cust = 1",
        "LOAD DATA INPATH 'file:///nowhere' INTO TABLE customers",
        "MERGE INTO customers USING orders ON customers.cust = orders.cust WHEN MATCHED THEN DELETE",
    ],
)
def test_a_write_is_refused_for_being_one_whatever_else_is_wrong_with_it(
    session: Session, lake: Lake, statement: str
) -> None:
    before = _files(lake.path("customers"))
    session.assert_refused(statement, "(?s)Hudi tables are read-only in Hive.*Write the table with Spark")
    assert _files(lake.path("customers")) == before


def test_a_hudi_table_is_not_truncated(session: Session, lake: Lake) -> None:
    before = _files(lake.path("customers"))
    session.assert_refused("TRUNCATE TABLE customers", "(?i)read-only|truncate")
    assert _files(lake.path("customers")) == before
