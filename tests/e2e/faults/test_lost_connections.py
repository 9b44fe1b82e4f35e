"""Commands whose connection to HiveServer2 breaks while a statement runs, and what they leave."""

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from pycompiler.hive.server import HiveServer

from ...jvm import JVM_OF_TESTS
from ..harness.broken_connections import breaking
from ..harness.check import Checker
from ..harness.lake import Lake
from ..harness.servers import PATIENCE
from ..harness.session import HUDIS_FORMAT, ServerSession, Session
from ..tables import CUSTOMERS

_COLUMNS = "cust int, name string, segment string"


def _as_hive_sync(name: str, path: Path) -> str:
    return f"CREATE EXTERNAL TABLE {name} ({_COLUMNS}) {HUDIS_FORMAT} LOCATION '{path}'"


def _run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = (sys.executable, "-m", "pycompiler", *arguments)
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)


def _refused(*arguments: str) -> str:
    done = _run(*arguments)
    assert done.returncode == 1, f"{arguments}: {done.stdout}\n{done.stderr}"
    (line,) = done.stderr.splitlines()
    assert line.startswith("error: ") and "unexpected" not in line, line
    return line


@pytest.fixture
def native(check: Checker, lake: Lake) -> Iterator[str]:
    """A table as hive-sync registers it."""
    path = lake.copy(CUSTOMERS.name)
    check.session.rows(_as_hive_sync(path.name, path))
    yield path.name
    for name in (path.name, f"{path.name}_native", f"{path.name}_skip"):
        check.session.rows(f"DROP TABLE IF EXISTS {name}")


def _tables(session: Session, prefix: str) -> list[str]:
    return sorted(name for (name,) in session.rows("SHOW TABLES") if name.startswith(prefix))


@pytest.mark.parametrize(
    ("options", "lost", "left"),
    [
        ((), "CREATE EXTERNAL TABLE", ["", "_skip"]),
        ((), "SELECT count(*)", ["", "_skip"]),
        (("--in-place", "--no-compare"), "RENAME TO", ["_native"]),
    ],
)
def test_an_adoption_whose_connection_breaks_says_how_to_undo_it(
    server: HiveServer, check: Checker, native: str, options: tuple[str, ...], lost: str, left: list[str]
) -> None:
    with breaking(server.port, lost) as port:
        line = _refused("adopt", "--hive", f"127.0.0.1:{port}", f"default.{native}", *options)
    assert f"the connection to the HiveServer2 at 127.0.0.1:{port} broke" in line, line
    undo = f"hudi-skip adopt --undo default.{native}"
    assert line.endswith(f"when the server answers again, undo what was begun, if anything was: {undo}"), line
    assert _tables(check.session, native) == [f"{native}{suffix}" for suffix in left]
    done = _run(*undo.split()[1:], "--hive", server.address)
    assert done.returncode == 0, done.stderr
    assert _tables(check.session, native) == [native]


def test_of_several_adoptions_the_first_whose_connection_breaks_is_the_last(
    server: HiveServer, check: Checker, lake: Lake
) -> None:
    check.session.rows("CREATE DATABASE broken")
    try:
        for name in ("a", "b"):
            path = lake.copy(CUSTOMERS.name)
            check.session.rows(_as_hive_sync(f"broken.{name}", path))
        with breaking(server.port, "CREATE EXTERNAL TABLE") as port:
            line = _refused("adopt", "--hive", f"127.0.0.1:{port}", "--all", "broken")
        assert "hudi-skip adopt --undo broken.a" in line, line
    finally:
        check.session.rows("DROP DATABASE broken CASCADE")


@pytest.mark.parametrize(
    ("lost", "subject", "remedy"),
    [
        ("SELECT hudi_skip_status", "HiveServer2", "see its log"),
        ("CREATE EXTERNAL TABLE", "skipping, in Hive", "DROP TABLE IF EXISTS hudi_skip_doctor_"),
        ("SELECT count(*)", "skipping, in Hive", "DROP TABLE IF EXISTS hudi_skip_doctor_"),
    ],
)
def test_doctor_reports_a_connection_that_breaks_beside_its_other_checks(
    server: HiveServer, check: Checker, lake: Lake, lost: str, subject: str, remedy: str
) -> None:
    table = str(lake.path(CUSTOMERS.name))
    with breaking(server.port, lost) as port:
        done = _run("doctor", "--hive", f"127.0.0.1:{port}", "--table", table, "--json")
    assert done.returncode == 1 and not done.stderr, done.stderr
    checks = {each["subject"]: each for each in json.loads(done.stdout)["checks"]}
    assert checks["index"]["state"] == "ok", done.stdout
    found = checks[subject]
    assert found["state"] == "problem" and f"127.0.0.1:{port} broke" in found["found"], found
    assert remedy in found["remedy"], found
    for name in _tables(check.session, "hudi_skip_doctor_"):
        check.session.rows(f"DROP TABLE {name}")


def test_a_pull_whose_connection_breaks_says_to_pull_again(
    server: HiveServer, check: Checker, tmp_path: Path
) -> None:
    sql = tmp_path / "query.sql"
    sql.write_text("SELECT cust, name FROM default.customers", encoding="utf-8")
    names = ("--source", "default.customers", "--target", "default.lost_pull", "--sql", str(sql))
    try:
        with breaking(server.port, "INSERT OVERWRITE") as port:
            line = _refused("pull", "--hive", f"127.0.0.1:{port}", *names, "--from", "0")
        assert "pull again" in line, line
        # The server has completed what it was told.
        again = _run("pull", "--hive", server.address, *names)
        assert "nothing to pull" in again.stdout, again.stdout + again.stderr
        rows = sum(map(len, CUSTOMERS.files))
        assert check.session.rows("SELECT count(*) FROM lost_pull") == [(rows,)]
    finally:
        check.session.rows("DROP TABLE IF EXISTS lost_pull")


def test_a_server_that_is_killed_during_an_adoption_finds_after_its_restart_what_undo_removes(
    root: Path, lake: Lake, needs_server: None
) -> None:
    home, path = root / "killed", lake.copy(CUSTOMERS.name)
    options = ("-Duser.timezone=UTC", *JVM_OF_TESTS)

    def started() -> HiveServer:
        return HiveServer.start(home, jvm_options=options, heap="1g", daemon_heap="1g", extra_conf=PATIENCE)

    with started() as server:
        with ServerSession("127.0.0.1", server.port) as session:
            session.rows(_as_hive_sync("synced", path))

        def kill() -> None:
            process = psutil.Process(server.server.pid)
            process.send_signal(signal.SIGKILL)
            process.wait()

        with breaking(server.port, "CREATE EXTERNAL TABLE", kill) as port:
            line = _refused("adopt", "--hive", f"127.0.0.1:{port}", "default.synced")
    assert line.endswith("hudi-skip adopt --undo default.synced"), line
    with started() as server, ServerSession("127.0.0.1", server.port) as session:
        assert _tables(session, "synced") == ["synced", "synced_skip"]
        done = _run("adopt", "--hive", server.address, "--undo", "default.synced")
        assert done.returncode == 0, done.stderr
        assert _tables(session, "synced") == ["synced"]
