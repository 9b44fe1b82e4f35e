"""`hudi-skip pull`: what commits wrote arrives once each, whatever happens in between."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession
from typer.testing import CliRunner

from pycompiler.cli.main import app
from pycompiler.hiveserver import HiveServer

from ..harness.lake import HiveTables, Lake
from ..harness.session import Session
from .cases import Writer


@pytest.fixture
def source(spark: SparkSession, lake: Lake) -> Writer:
    table = Writer(spark, lake.fresh("pulled"), {})
    table.base()
    return table


def run(server: HiveServer, source: str, target: str, query: Path, *more: str) -> Any:
    """Runs the command, and returns what it prints; the message of its error if it fails."""
    names = ["--hive", server.address, "--source", f"default.{source}", "--target", f"default.{target}"]
    done = CliRunner().invoke(app, ["pull", *names, "--sql", str(query), "--json", *more])
    return json.loads(done.stdout) if done.exit_code == 0 else done.stderr


def pulled(session: Session, target: str) -> Counter[tuple[Any, ...]]:
    return Counter(session.rows(f"select id, n from {target}"))


def test_every_commit_arrives_once(
    session: Session, hive: HiveTables, server: HiveServer, source: Writer, tmp_path: Path
) -> None:
    query = tmp_path / "query.sql"
    with hive.table(source.path) as table:
        target = f"{table}_target"
        query.write_text(f"select id, grp, n, `dec` from default.{table} where id < 30;")
        assert "say where to begin, --from 0" in run(server, table, target, query)
        try:
            would = run(server, table, target, query, "--from", "0", "--dry-run")
            assert (would["commits"], would["dry_run"]) == (1, True)
            assert not session.rows(f"show tables '{target}'"), "a dry run writes nothing"
            assert run(server, table, target, query, "--from", "0")["commits"] == 1
            expected = Counter((number, 1) for number in range(30))
            assert pulled(session, target) == expected
            assert ("dec", "decimal(12,3)") in {row[:2] for row in session.rows(f"describe {target}")}
            assert run(server, table, target, query)["commits"] == 0

            source.write(source.rows([1, 2, 35], 2))
            source.write(source.rows([2], 3))
            assert run(server, table, target, query, "--max-commits", "1")["commits"] == 1
            expected += Counter([(1, 2), (2, 2)])
            assert pulled(session, target) == expected
            # Whoever was killed before its partition was there is as good as never begun.
            last = run(server, table, target, query)
            expected += Counter([(2, 3)])
            assert pulled(session, target) == expected
            session.rows(f"alter table {target} drop partition (pulled_until = '{last['until']}')")
            again = run(server, table, target, query)
            assert (again["after"], again["until"]) == (last["after"], last["until"])
            assert pulled(session, target) == expected, "what was left behind is overwritten, not added to"
        finally:
            session.rows(f"drop table if exists {target}")


def test_what_cannot_be_pulled_is_said(
    session: Session, hive: HiveTables, server: HiveServer, source: Writer, tmp_path: Path
) -> None:
    query = tmp_path / "query.sql"
    with hive.table(source.path) as table:
        query.write_text(f"select no_column from default.{table}")
        message = run(server, table, f"{table}_t", query, "--from", "0")
        assert "no_column" in message and not session.rows(f"show tables '{table}_t*'")
        query.write_text(f"select id from default.{table}")
        session.rows(f"create external table {table}_own (id int)")
        try:
            assert "is not partitioned by pulled_until" in run(server, table, f"{table}_own", query)
        finally:
            session.rows(f"drop table {table}_own")
        assert "is no name of a table" in run(server, table, "a; drop table b", query)
    query.write_text("select 1 from a.b")
    names = ["--source", "a.b", "--target", "a.c", "--sql", str(query)]
    refused = CliRunner().invoke(app, ["pull", "--hive", "127.0.0.1:1", *names])
    assert "no HiveServer2 answers at 127.0.0.1:1" in refused.stderr
