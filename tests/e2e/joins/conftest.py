"""Tables of the tests about joins, in the server of all tests."""

from collections.abc import Iterator

import pytest
from pyspark.sql import SparkSession

from ..harness.check import Checker
from ..harness.lake import Lake
from ..harness.random_statements import copied
from ..harness.session import Session
from .tables import PLACES, RARE, VISITS

NATIVE = (
    "create table orc_places stored as orc as select * from places",
    "create table few_keys stored as orc as select k from places where kind = 'rare' and k is not null",
    "analyze table few_keys compute statistics",
    "create table parts_of_visits (id int, k int, n int) partitioned by (day date, s string) "
    "stored as parquet",
    "insert into parts_of_visits partition (day, s) select id, k, n, day, s from visits",
    "create view recent_visits as select k, n, day from visits where n < 9",
    "create view rare_places as select k, day, n as m from places where kind = 'rare'",
)
COPIES_OF_KEYS = len(VISITS.rows()) * len(PLACES.rows())
"""How often each key is in `many_keys` for each time that it is in `visits`."""
PARTITIONS = {"hive.exec.dynamic.partition.mode": "nonstrict"}


@pytest.fixture(scope="session")
def joined(session: Session, lake: Lake, spark: SparkSession) -> Iterator[None]:
    """The tables exist, in Hive and as views in Spark."""
    for data in (VISITS, PLACES):
        path = lake.write(data)
        session.create_table(path, name=data.name)
        spark.read.format("hudi").load(str(path)).coalesce(2).cache().createOrReplaceTempView(data.name)
    with session.settings(PARTITIONS):
        for statement in NATIVE:
            session.rows(statement)
    spark.table("places").createOrReplaceTempView("orc_places")
    spark.table("places").where("kind = 'rare' and k is not null").createOrReplaceTempView("few_keys")
    for statement in NATIVE[-2:]:
        name, _, query = statement.removeprefix("create view ").partition(" as ")
        spark.sql(query).createOrReplaceTempView(name)
    yield
    for kind, name in (
        ("view", "rare_places"),
        ("view", "recent_visits"),
        ("table", "parts_of_visits"),
        ("table", "few_keys"),
        ("table", "orc_places"),
        ("table", "places"),
        ("table", "visits"),
    ):
        session.rows(f"drop {kind} {name}")


@pytest.fixture(scope="session")
def copies(session: Session, joined: None) -> Iterator[str]:
    """The name of a database with copies of the tables in Hive's own format."""
    del joined
    with copied(session, "copies", ("visits", "places", "orc_places", "few_keys")) as database:
        session.rows(
            f"create view {database}.rare_places as "
            f"select k, day, n as m from {database}.places where kind = 'rare'"
        )
        yield database
        session.rows(f"drop view {database}.rare_places")


@pytest.fixture(scope="session")
def many_keys(session: Session, joined: None) -> Iterator[None]:
    """A table with few keys, but more rows than `visits`, even filtered: they are not sent as a list."""
    del joined
    rare = ", ".join(map(str, RARE))
    session.rows(
        "create table many_keys stored as orc as select v.k, v.big, v.day as d, v.s "
        f"from visits v cross join visits w cross join places p where v.k in ({rare})"
    )
    session.rows("analyze table many_keys compute statistics")
    yield
    session.rows("drop table many_keys")


@pytest.fixture
def check_join(check: Checker, joined: None) -> Checker:
    """Compares answers about the joined tables."""
    del joined
    return check
