"""Queries of two users on HiveServer2s with Kerberos, one of whom may not read a table."""

from typing import Any

import psutil
import pytest

from ..clusters.tables import EVENTS_PER_FILE
from ..e2e.harness.check import Checker
from ..e2e.harness.session import QueryFailed
from .hive import SecureHive
from .jdbc import JdbcSession
from .write_tables import FILES, PRIVATE, PUBLIC

_DENIED = "Permission denied: user=bob"
_ON_TEZ = {"hive.fetch.task.conversion": "none"}


def _query(table: str) -> str:
    return f"select count(*), sum(amount) from {table} where id < {2 * EVENTS_PER_FILE}"


_TWO_FILES = (2 * EVENTS_PER_FILE, sum(id * id for id in range(2 * EVENTS_PER_FILE)))


def test_a_fetch_skips_files_and_reads_them_as_the_user(alice: Checker, bob: Checker) -> None:
    for user, table in ((alice, PRIVATE), (alice, PUBLIC), (bob, PUBLIC)):
        checked = user.run(f"select id, amount from {table} where id = 60").kept(1)
        assert (checked.rows, checked.scan.files) == (((60, 3600),), FILES)
        assert (checked.scan.source, checked.scan.listing) == ("pushed", "index"), checked.scan.line


def test_an_application_master_lists_with_delegation_tokens_and_skips_files(
    alice: Checker, bob: Checker, hive: SecureHive
) -> None:
    for user, table in ((alice, PRIVATE), (bob, PUBLIC)):
        checked = user.run(_query(table), _ON_TEZ).kept(2)
        assert (checked.rows, checked.scan.files) == ((_TWO_FILES,), FILES)
        assert (checked.scan.source, checked.scan.listing) == ("pushed", "index"), checked.scan.line
        # The thread of the application master, which has the tokens of the job and no tickets.
        (line,) = (line for line in hive.log.read_text().splitlines() if checked.scan.line in line)
        assert "InputInitializer" in line, line


@pytest.mark.parametrize(
    "statement",
    [
        f"select id from {PRIVATE} where id = 60",
        f"select count(*) from {PRIVATE}",
        _query(PRIVATE),
        f"create table copied as select * from {PRIVATE} where id = 60",
        f"analyze table {PRIVATE} compute statistics",
    ],
)
def test_a_user_who_may_not_read_a_table_gets_the_error_of_hdfs(
    statement: str, alice: Checker, bob: Checker
) -> None:
    _warm(alice)
    bob.session.assert_refused(statement, _DENIED)


@pytest.mark.parametrize(
    "query", [f"select id from {PRIVATE} where id = 60", f"select count(*) from {PRIVATE}", _query(PRIVATE)]
)
@pytest.mark.parametrize("form", ["explain", "explain extended", "explain formatted"])
def test_a_plan_tells_nothing_about_a_table_that_its_user_may_not_read(
    query: str, form: str, alice: Checker, bob: Checker
) -> None:
    _warm(alice)
    statement = f"{form} {query}"
    known = alice.session.text(statement)
    if "where" in query:
        assert f"of {FILES}" in known, known
    try:
        told = bob.session.text(statement)
    except QueryFailed as failure:
        told = str(failure)
    # The size that the metastore took when the table was made is Hive's own, and everyone may know it.
    # Formats of plans differ in blanks.
    plain = told.replace(" ", "")
    rows = FILES * EVENTS_PER_FILE
    totals = (f"Numrows:{rows}", f'"rowCount":{rows}.0', f"of{FILES}")
    for total in ("hudi-skipfiles", "hudi-skipbytes", *totals):
        assert total not in plain, told


def test_a_user_who_may_not_read_a_table_gets_no_message_about_it(
    alice: Checker, bob: Checker, hive: SecureHive
) -> None:
    _warm(alice)
    told = alice.session.messages(f"select id from {PRIVATE} where id = 60")
    assert any(f"1 of {FILES} files" in line for line in told), told
    start = hive.scans.position()
    bob.session.assert_refused(f"select id from {PRIVATE} where id = 60", _DENIED)
    # The operation log, which a session's messages go to, has the same lines as the server's.
    assert "files (" not in hive.scans.since(start)


def test_the_compiler_gets_no_credentials_of_the_server(alice: Checker, hive: SecureHive) -> None:
    _warm(alice)
    server = psutil.Process(hive.process.pid)
    assert "KRB5CCNAME" in server.environ()
    (compiler,) = (child for child in server.children() if "compiler.pyz" in " ".join(child.cmdline()))
    assert "PATH" in compiler.environ()
    assert not {name for name in compiler.environ() if name.startswith(("KRB5", "HADOOP", "JAVA_"))}


def test_a_server_that_does_not_impersonate_reads_as_its_own_user(
    plain_hive: SecureHive, drivers: dict[str, Any], alice: Checker
) -> None:
    del alice  # only wanted because it has made the tables
    with JdbcSession(drivers["bob"], plain_hive.url) as session:
        check = Checker(session, plain_hive.scans, None)
        fetched = check.run(f"select id, amount from {PRIVATE} where id = 60").kept(1)
        assert fetched.rows == ((60, 3600),)
        counted = check.run(_query(PRIVATE), _ON_TEZ).kept(2)
        assert (counted.rows, counted.scan.files) == ((_TWO_FILES,), FILES)


def _warm(alice: Checker) -> None:
    """Fills every cache with what alice may know."""
    alice.run(f"select id from {PRIVATE} where id = 60").kept(1)
    alice.session.text(f"explain {_query(PRIVATE)}")
