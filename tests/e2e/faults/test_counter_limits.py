"""A server in which a query may have 120 counters, which is Hive's default for Tez."""

import re
from bisect import bisect_left
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from ..harness import engines
from ..harness.lake import Lake
from ..harness.servers import PATIENCE, ServedHive, running_server
from ..harness.session import QueryFailed, Session
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
    with running_server(root / "limited", conf) as server, ServedHive(server).connect() as session:
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
    too_many = bisect_left(range(MOST_BRANCHES), True, key=lambda n: _fails(limited, n, filters=n))
    assert too_many < MOST_BRANCHES, "control: Hive's own counters are too many"
    filters = bisect_left(range(too_many), True, key=lambda n: _fails(limited, too_many, n))
    for branches, filtered in ((too_many - 1, too_many - 1), (too_many, filters - 1)):
        if filtered >= 0:
            native = _answer(limited, "native", branches, filtered)
            assert _answer(limited, "ours", branches, filtered) == native, f"{branches}, {filtered}"


def _fails(session: Session, branches: int, filters: int) -> bool:
    return branches > 1 and _answer(session, "native", branches, filters) is None


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
