"""A setting of Hudi's by the name that a table has in Hive, where Hudi calls it something else."""

from collections.abc import Iterator

import pytest

from ..harness.engines import ENGINES
from ..harness.lake import Lake
from ..harness.session import QueryFailed, Session
from ..tables import CUSTOMERS, SALES

ROWS = len(SALES.rows())


@pytest.fixture(scope="module", autouse=True)
def registered(session: Session, lake: Lake) -> Iterator[None]:
    """Hive's `trade` is Hudi's `sales`; Hive's `other.client` is Hudi's `customers`."""
    session.rows("CREATE DATABASE other")
    session.create_table(lake.path(SALES.name), name="trade")
    session.create_table(lake.path(CUSTOMERS.name), name="other.client")
    yield
    session.rows("DROP TABLE trade")
    session.rows("DROP DATABASE other CASCADE")


@pytest.mark.selected(8)
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("setting", "query", "right"),
    [
        ("hoodie.trade.consume.mode=INCREMENTAL", "SELECT id FROM trade", "hoodie.sales.consume.mode"),
        ("hoodie.TRADE.consume.mode=INCREMENTAL", "SELECT * FROM Trade", "hoodie.sales.consume.mode"),
        ("hoodie.default.trade.consume.commit=1", "SELECT count(*) FROM trade", "sales.consume.commit=1"),
        ("hoodie.trade.consume.mode=SNAPSHOT", "SELECT id FROM trade t WHERE id > 3", "sales.consume.mode"),
        ("hoodie.client.consume.commit=1", "SELECT cust FROM other.client", "hoodie.customers.consume"),
        ("hoodie.other.client.consume.commit=1", "SELECT 1 FROM other.client", "hoodie.customers.consume"),
        (
            "hoodie.client.consume.commit=1",
            "SELECT a.id FROM sales a JOIN other.client b ON a.id = b.cust",
            "hoodie.customers.consume",
        ),
        # What Hudi calls `sales` has no other database in Hudi.
        ("hoodie.default.sales.consume.commit=1", "SELECT id FROM sales", "hoodie.sales.consume.commit=1"),
    ],
)
def test_a_setting_by_hives_name_alone_is_refused(
    session: Session, engine: str, setting: str, query: str, right: str
) -> None:
    name, _, value = setting.partition("=")
    with session.settings({**ENGINES[engine], name: value}):
        for statement in (query, f"EXPLAIN {query}"):
            with pytest.raises(QueryFailed) as refused:
                session.rows(statement)
            assert setting in str(refused.value) and f"SET {name}=" in str(refused.value)
            assert right in str(refused.value)


@pytest.mark.selected(1)
@pytest.mark.parametrize("engine", ENGINES)
def test_a_setting_of_another_table_is_let_pass(session: Session, engine: str) -> None:
    settings = {
        **ENGINES[engine],
        "hoodie.customers.consume.commit": "1",  # of a table that is not read
        "hoodie.client.consume.commit": "1",
        "hoodie.other.trade.consume.mode": "INCREMENTAL",  # of a database that has no such table
        "hoodie.trade.consume.mode": "",
    }
    with session.settings(settings):
        assert session.rows("SELECT count(*) FROM trade WHERE id >= 0") == [(ROWS,)]


def test_a_name_that_two_tables_share_is_refused_for_the_one_that_hudi_calls_otherwise(
    session: Session, lake: Lake
) -> None:
    # `customers` is Hive's name of Hudi's `sales` there.
    session.rows("CREATE DATABASE crossed")
    try:
        session.create_table(lake.path(SALES.name), name="crossed.customers")
        with session.settings({"hoodie.customers.consume.commit": "20200101000000"}):
            session.assert_refused("SELECT id FROM crossed.customers", "the Hive table crossed.customers")
            session.assert_refused("SELECT cust FROM customers", "20200101000000 is not a completed commit")
            assert session.rows("SELECT count(*) FROM trade") == [(ROWS,)]
    finally:
        session.rows("DROP DATABASE crossed CASCADE")
