"""A server in which a query may have 120 counters, which is Hive's default for Tez."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from pycompiler.hive.server import HiveServer

from ...jvm import JVM_OF_TESTS
from ..harness import engines
from ..harness.lake import Lake
from ..harness.servers import PATIENCE
from ..harness.session import QueryFailed, ServerSession, Session
from ..tables import CUSTOMERS

LIMIT: Final = "120"
MOST_BRANCHES: Final = 20
SETTINGS: Final = {
    **engines.TEZ,
    "hive.tez.exec.print.summary": "true",
    "hive.optimize.shared.work": "false",
}


@pytest.fixture(scope="module")
def limited(root: Path, lake: Lake, needs_server: None) -> Iterator[Session]:
    """A session with a table of the handler, and a native one with the same rows."""
    conf = {**PATIENCE, "tez.counters.max": LIMIT}
    options = ("-Duser.timezone=UTC", *JVM_OF_TESTS)
    with (
        HiveServer.start(
            root / "limited", jvm_options=options, heap="1g", daemon_heap="1g", extra_conf=conf
        ) as server,
        ServerSession("127.0.0.1", server.port) as session,
    ):
        session.create_table(lake.copy(CUSTOMERS.name), name="ours")
        session.rows("CREATE TABLE native STORED AS ORC AS SELECT cust, name, segment FROM ours")
        with session.settings(SETTINGS):
            yield session


def test_a_job_has_none_of_our_counters(limited: Session) -> None:
    log = "\n".join(limited.messages("SELECT count(*) FROM ours WHERE cust > 11"))
    assert re.search(r"RECORDS_IN_Map_1: \d+", log), f"control: Hive's own counters are printed: {log}"
    assert "scan.files" not in log


def test_a_query_has_an_answer_wherever_it_has_one_of_a_native_table(limited: Session) -> None:
    """Each branch has operators, with counters of Hive's own, and a filter has one more."""
    numbers = range(2, MOST_BRANCHES)
    too_many = next(n for n in numbers if _answer(limited, "native", n, filters=n) is None)
    sizes = [(too_many - 1, too_many - 1), *((too_many, filters) for filters in range(too_many))]
    for branches, filters in sizes:
        native = _answer(limited, "native", branches, filters)
        if native is None:
            return
        assert _answer(limited, "ours", branches, filters) == native, f"{branches}, {filters}"


def _answer(session: Session, table: str, branches: int, filters: int) -> list[tuple[object, ...]] | None:
    """None if Tez fails the query because of its counters."""
    plain = [f"SELECT cust + {branch} AS n FROM {table}" for branch in range(branches)]
    every = [
        f"{query} WHERE cust > {branch}" if branch < filters else query for branch, query in enumerate(plain)
    ]
    try:
        return session.rows(f"SELECT sum(n) FROM ({' UNION ALL '.join(every)}) u")
    except QueryFailed as error:
        assert "Too many counters" in str(error), error
        return None
