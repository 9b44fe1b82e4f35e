"""What would delete data or be misread is refused, with a message that says what to do instead."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from ..harness.lake import Lake
from ..harness.session import HANDLER, QueryFailed, Session, create_statement
from ..tables import CUSTOMERS, SALES

REFUSED = "not supported on a Hudi table|ALTER TABLE can only be used for"
"""By the handler, or by Hive before it asks the handler."""

COMMAND = "hudi.skipping.compiler.command"


@pytest.fixture(scope="module")
def in_a_database(session: Session, lake: Lake) -> Iterator[Path]:
    """A Hudi table that has a database; the Hive table is `sales_of_lake`."""
    options = {"hoodie.database.name": "lake"}
    path = lake.write_unindexed(SALES, lake.fresh("in_a_database"), options)
    session.create_table(path, name="sales_of_lake")
    yield path
    session.rows("DROP TABLE sales_of_lake")


CREATED = "CREATE EXTERNAL TABLE refused"
PATH, EMPTY = "LOCATION '{path}'", "LOCATION '{empty}'"
PROPERTIES = "TBLPROPERTIES ('{}' = '{}')".format
PARTITIONED = "(cust int) PARTITIONED BY (segment string)"
CLUSTERED = "(cust int) CLUSTERED BY (cust) INTO 4 BUCKETS"


@pytest.mark.selected(6)
@pytest.mark.parametrize(
    ("start", "end", "message"),
    [
        ("CREATE TABLE refused", PATH, "(?s)EXTERNAL.*CREATE EXTERNAL TABLE"),
        ("CREATE TABLE refused (cust int)", PATH, "(?s)EXTERNAL.*CREATE EXTERNAL TABLE"),
        (CREATED, f"{PATH} {PROPERTIES('external.table.purge', 'true')}", "(?s)external.table.purge.*false"),
        (CREATED, "", "needs LOCATION"),
        (f"{CREATED} (cust int)", "", "needs LOCATION"),
        (CREATED, EMPTY, "(?s)not a Hudi table.*root directory"),
        (f"{CREATED} (cust int)", EMPTY, "not a Hudi table"),
        (CREATED, "LOCATION '{empty}/missing'", "not a Hudi table"),
        (f"{CREATED} {PARTITIONED}", PATH, "(?s)PARTITIONED BY.*Omit PARTITIONED BY"),
        (f"{CREATED} {CLUSTERED}", PATH, "(?s)CLUSTERED BY.*Omit CLUSTERED BY"),
        (f"{CREATED} (cust int, nosuch int)", PATH, "has no column nosuch"),
        (f"{CREATED} (cust bigint)", PATH, "(?s)cust is declared as bigint.*int"),
        (f"{CREATED} (cust string)", PATH, "cust is declared as string"),
        (f"{CREATED} (name int)", PATH, "name is declared as int"),
        (CREATED, f"{PATH} {PROPERTIES(COMMAND, 'touch /nowhere')}", "not a table property"),
    ],
)
def test_a_table_that_would_be_deleted_or_misread_is_not_created(
    session: Session, lake: Lake, tmp_path: Path, start: str, end: str, message: str
) -> None:
    path = lake.path("customers")
    statement = f"{start} STORED BY '{HANDLER}' {end}"
    session.assert_refused(statement.format(path=f"file://{path}", empty=f"file://{tmp_path}"), message)
    assert "refused" not in session.text("SHOW TABLES")
    assert len(list(path.glob("*.parquet"))) == len(CUSTOMERS.files), "the data is still there"


@pytest.mark.selected(4)
@pytest.mark.parametrize(
    ("alteration", "message"),
    [
        ("SET TBLPROPERTIES ('external.table.purge' = 'true')", "external.table.purge"),
        ("SET TBLPROPERTIES ('EXTERNAL' = 'FALSE')", "(?i)EXTERNAL"),
        ("SET TBLPROPERTIES ('hudi.skipping.compiler.command' = 'touch /nowhere')", "not a table property"),
        ("ADD COLUMNS (extra int)", "not supported on a Hudi table"),
        ("REPLACE COLUMNS (cust int)", REFUSED),
        ("CHANGE cust customer int", REFUSED),
        ("SET LOCATION 'file:///nowhere'", "not supported on a Hudi table"),
        ("RENAME TO renamed", "not supported on a Hudi table"),
        ("ADD PARTITION (segment = 'a')", REFUSED),
    ],
)
def test_an_alteration_that_endangers_the_data_is_refused(
    session: Session, lake: Lake, alteration: str, message: str
) -> None:
    path = lake.copy("customers")
    with session.table(path) as name:
        session.assert_refused(f"ALTER TABLE {name} {alteration}", message)
        assert len(session.rows(f"SELECT cust FROM {name}")) == len(CUSTOMERS.rows())
    assert len(list(path.glob("*.parquet"))) == len(CUSTOMERS.files), "DROP TABLE left the data alone"


def test_fields_that_differ_only_in_case_are_refused(session: Session, lake: Lake) -> None:
    path = lake.fresh("two_cases")
    lake.spark.conf.set("spark.sql.caseSensitive", "true")
    try:
        frame = lake.spark.createDataFrame([(1, 2, 3)], "cust int, value int, VALUE int")
        options = {**lake.options(CUSTOMERS), "hoodie.metadata.enable": "false"}
        frame.write.format("hudi").options(**options).mode("overwrite").save(str(path))
    finally:
        lake.spark.conf.set("spark.sql.caseSensitive", "false")
    session.assert_refused(create_statement("refused", path), "differ only in case")


STATES_THAT_ARE_NOT_THERE = [
    ({"consume.mode": "INCREMENTAL"}, "SET hoodie.{}.consume.start.timestamp"),
    ({"consume.mode": "INCREMENTAL", "consume.start.timestamp": "yesterday"}, "not a Hudi instant"),
    ({"consume.mode": "LATEST"}, "consume.mode=LATEST is unknown"),
    ({"consume.commit": "20200101000000"}, "20200101000000 is not a completed commit"),
    ({"consume.pending.commits": "true"}, "SET hoodie.{}.consume.pending.commits=false"),
]


@pytest.mark.selected(5)
@pytest.mark.parametrize("engine", ["more", "none"], ids=["fetch task", "tez"])
@pytest.mark.parametrize("table", ["sales", "lake.sales"])
@pytest.mark.parametrize(("settings", "refusal"), STATES_THAT_ARE_NOT_THERE)
def test_a_session_that_asks_for_a_state_that_is_not_there_is_told_what_to_do(
    session: Session, in_a_database: Path, engine: str, table: str, settings: dict[str, str], refusal: str
) -> None:
    query = "SELECT id FROM {} WHERE amount = 105"
    settings = {f"hoodie.{table}.{name}": value for name, value in settings.items()}
    hive_table = "sales_of_lake" if table == "lake.sales" else "sales"
    refused = pytest.raises(QueryFailed, match=f"(?is){refusal.format('(lake.)?sales')}")
    with session.settings({**settings, "hive.fetch.task.conversion": engine}), refused:
        session.rows(query.format(hive_table))
    # Taken back: an empty value is what `SET name=` leaves.
    assert session.text(f"SET {next(iter(settings))}").endswith("=")
    assert len(session.rows(query.format(hive_table))) == 4


@pytest.mark.selected(5)
@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("hoodie.sales.consume.mode", "SNAPSHOT"),
        ("hoodie.sales.consume.mode", ""),
        ("hoodie.sales.consume.commit", ""),
        ("hoodie.sales.consume.pending.commits", ""),
        ("hoodie.sales.consume.pending.commits", "false"),
        ("hoodie.sales.consume.start.timestamp", "20200101000000"),
        ("hoodie.sales.consume.max.commits", "-1"),
        ("hoodie.sales.ro.stop.at.compaction", "false"),
        ("hoodie.customers.consume.commit", "20200101000000"),
        ("hoodie.incremental.use.database", "true"),
    ],
)
@pytest.mark.parametrize("engine", ["more", "none"], ids=["fetch task", "tez"])
def test_a_setting_that_asks_for_no_other_state_changes_nothing(
    session: Session, setting: str, value: str, engine: str
) -> None:
    with session.settings({setting: value, "hive.fetch.task.conversion": engine}):
        assert len(session.rows("SELECT id FROM sales WHERE amount = 105")) == 4


def test_a_listing_without_the_metadata_table_still_finds_all_rows(session: Session) -> None:
    # Hudi itself answers with no rows for the root of a partitioned table then.
    with session.settings({"hoodie.metadata.enable": "false"}):
        assert len(session.rows("SELECT id FROM sales WHERE amount = 105")) == 4
    session.rows("SET hoodie.metadata.enable=true")
