"""`hudi-skip status`: the index of every handler table of a server."""

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pycompiler.hive.server import HiveServer

from ..harness.lake import UPSERT, Lake
from ..harness.session import HUDIS_FORMAT, Session, create_statement
from ..tables import CUSTOMERS


@pytest.fixture
def fleet(session: Session, lake: Lake) -> Iterator[dict[str, Path]]:
    """A database with a table in each state, and other tables; the roots of the handler tables by name."""
    paths = {name: lake.copy("customers") for name in ("current", "behind", "damaged")}
    lake.append(CUSTOMERS, paths["behind"], (CUSTOMERS.files[1][:1],), UPSERT)
    (data, *_) = sorted((paths["damaged"] / ".hoodie").rglob("data-*.parquet"))
    data.unlink()
    paths["missing"] = lake.write_unindexed(CUSTOMERS, lake.fresh("unindexed"))
    paths["unreadable"] = lake.copy("customers")
    session.rows("create database fleet")
    for name, path in paths.items():
        session.rows(create_statement(f"fleet.is_{name}", path))
    shutil.rmtree(paths["unreadable"])
    session.rows(
        f"create external table fleet.native (cust int) {HUDIS_FORMAT} location '{paths['current']}'"
    )
    session.rows("create view fleet.seen as select cust from fleet.is_current")
    yield paths
    session.rows("drop database fleet cascade")


def _status(server: HiveServer, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs the command where there is no Java."""
    return subprocess.run(
        [sys.executable, "-m", "pycompiler", "status", "--hive", server.address, *arguments],
        env={"PATH": "", "HOME": "/nowhere", "USER": "e2e"},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def test_the_index_of_every_handler_table_has_a_state(
    server: HiveServer, session: Session, fleet: dict[str, Path]
) -> None:
    done = _status(server, "fleet", "--json")
    assert done.returncode == 1, done
    tables = json.loads(done.stdout)["tables"]
    assert {each["table"]: each["state"] for each in tables} == {f"fleet.is_{name}": name for name in fleet}
    details = {each["state"]: each["detail"] for each in tables}
    assert f"1 of {len(CUSTOMERS.files)} files are not in it" in details["behind"]
    assert "is missing; run: hudi-skip index build" in details["damaged"]
    assert details["missing"].startswith(f"no statistics index at file:{fleet['missing']}"), details
    everywhere = json.loads(_status(server, "--json").stdout)["tables"]
    assert {"fleet.is_current", "default.customers"} <= {each["table"] for each in everywhere}

    for table in ("is_damaged", "is_missing", "is_unreadable"):
        session.rows(f"drop table fleet.{table}")
    assert _status(server, "fleet", "--quiet").returncode == 3, "only behind"
    session.rows("drop table fleet.is_behind")
    done = _status(server, "fleet")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"fleet.is_current  current     {len(CUSTOMERS.files)} files\n"


def test_a_database_that_is_not_there_is_one_line(server: HiveServer, session: Session) -> None:
    del session
    done = _status(server, "no_such_database")
    assert (done.returncode, done.stdout) == (1, "")
    assert "no_such_database" in done.stderr and done.stderr.count("\n") == 1, done.stderr
