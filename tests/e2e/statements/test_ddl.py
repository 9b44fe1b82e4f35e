"""CREATE, DESCRIBE, DROP, and what Hive stores about a table."""

import re

from ..harness.check import Checker
from ..harness.lake import Lake
from ..harness.session import HANDLER, Session, create_statement
from ..tables import CUSTOMERS, EVERY_TYPE, SALES

HUDI_COLUMNS = [
    ("_hoodie_commit_time", "string"),
    ("_hoodie_commit_seqno", "string"),
    ("_hoodie_record_key", "string"),
    ("_hoodie_partition_path", "string"),
    ("_hoodie_file_name", "string"),
]


def _described(session: Session, name: str) -> list[tuple[str, str]]:
    return [(row[0].strip(), row[1].strip()) for row in session.rows(f"DESCRIBE {name}") if row[0]]


def test_columns_come_from_the_hudi_table_when_none_are_named(session: Session) -> None:
    # Avro, in which Hudi keeps its schema, has no integers below 32 bits.
    widened = {"tinyint": "int", "smallint": "int"}
    own = [tuple(column.split(" ", 1)) for column in EVERY_TYPE.schema.split(", ")]
    expected = HUDI_COLUMNS + [(name, widened.get(kind, kind)) for name, kind in own]
    assert _described(session, "every_type") == expected


def test_show_create_table_names_handler_and_columns_and_no_setting_of_the_compiler(session: Session) -> None:
    text = session.text("SHOW CREATE TABLE every_type")
    assert "CREATE EXTERNAL TABLE" in text and HANDLER in text and "every_type" in text
    assert re.search(r"`i` int", text), text
    assert "hudi.skipping.compiler" not in text, text


def test_the_statement_that_show_create_table_prints_creates_the_table(
    check: Checker,
) -> None:
    text = check.session.text("SHOW CREATE TABLE customers").replace("customers`", "customers_again`", 1)
    check.session.rows(text)
    try:
        check(
            "select cust from customers_again where cust = 11",
            spark="select cust from customers where cust = 11",
        ).kept(1)
    finally:
        check.session.rows("DROP TABLE customers_again")


def test_a_column_list_may_leave_columns_out_and_reorder_them(check: Checker, lake: Lake) -> None:
    with check.session.table(lake.path("customers"), columns="segment string, cust int") as name:
        assert _described(check.session, name) == [("segment", "string"), ("cust", "int")]
        checked = check(
            f"select * from {name} where cust = 11",
            spark="select segment, cust from customers where cust = 11",
        )
        checked.kept(1)


def test_drop_table_leaves_the_data(check: Checker, lake: Lake) -> None:
    path = lake.copy("customers")
    before = sorted(file.relative_to(path) for file in path.rglob("*"))
    for statement in ("DROP TABLE {}", "DROP TABLE {} PURGE"):
        check.session.rows(statement.format(check.session.create_table(path)))
        assert sorted(file.relative_to(path) for file in path.rglob("*")) == before, statement
    with check.session.table(path) as again:
        assert len(check.run(f"select * from {again}").rows) == len(CUSTOMERS.rows())


def test_drop_database_cascade_leaves_the_data(session: Session, lake: Lake) -> None:
    path = lake.copy("customers")
    session.rows("CREATE DATABASE shortlived")
    session.rows(create_statement("shortlived.customers", path))
    session.rows("DROP DATABASE shortlived CASCADE")
    assert len(list(path.glob("*.parquet"))) == len(CUSTOMERS.files)


def test_hive_knows_size_and_rows_without_walking_the_folder(session: Session, lake: Lake) -> None:
    # A walk would have counted what lies under .hoodie, which is more than the data.
    path = lake.path("every_type")
    plan = session.text("EXPLAIN SELECT id FROM every_type")
    data = sum(file.stat().st_size for file in path.glob("*.parquet"))
    everything = sum(file.stat().st_size for file in path.rglob("*") if file.is_file())
    assert everything > data, "control: a walk finds more bytes than the table has"
    explained = session.text("EXPLAIN SELECT id, count(*) FROM every_type GROUP BY id")
    rows = {int(number) for number in re.findall(r"TableScan .*rows=(\d+)", explained)}
    assert len(EVERY_TYPE.rows()) in rows, (
        f"{len(EVERY_TYPE.rows())} rows, as the index says: {explained}\n{plan}"
    )


def test_statistics_of_an_index_are_of_the_live_files_of_all_partitions(session: Session) -> None:
    explained = session.text("EXPLAIN SELECT id, count(*) FROM sales GROUP BY id")
    assert f"rows={len(SALES.rows())} " in explained, explained


def test_compilation_does_not_look_at_the_data_files(session: Session, lake: Lake) -> None:
    path = lake.copy("customers")
    name = session.create_table(path)
    moved = [(file, file.with_suffix(".away")) for file in path.glob("*.parquet")]
    for file, away in moved:
        file.rename(away)
    try:
        session.rows(f"EXPLAIN SELECT name, count(*) FROM {name} WHERE cust = 11 GROUP BY name")
        explained = session.text(f"EXPLAIN SELECT name, count(*) FROM {name} GROUP BY name")
        assert f"rows={len(CUSTOMERS.rows())} " in explained, explained
    finally:
        for file, away in moved:
            away.rename(file)
        session.rows(f"DROP TABLE {name}")
