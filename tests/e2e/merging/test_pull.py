"""`hudi-skip pull`: what commits wrote arrives once each, whatever happens in between."""

import json
import random
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession
from typer.testing import CliRunner

from pycompiler.cli.main import app
from pycompiler.hiveserver import HiveServer
from pycompiler.pull.errors import PullError
from pycompiler.pull.puller import Pull, Pulled, pull
from pycompiler.pull.session import HiveSession

from ..harness.killed_writer import run_killed
from ..harness.lake import HiveTables, Lake
from ..harness.operated_table import OperatedTable, row
from ..harness.session import Session
from .cases import COPY_ON_WRITE, TWO_WRITERS, UNPARTITIONED, VERSION_6, Writer, commits, payload


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


@contextmanager
def target_of(session: Session, table: str) -> Iterator[str]:
    """The name of a target, which is gone afterwards."""
    target = f"{table}_target"
    try:
        yield target
    finally:
        session.rows(f"drop table if exists {target}")


def test_every_commit_arrives_once(
    session: Session, hive: HiveTables, server: HiveServer, source: Writer, tmp_path: Path
) -> None:
    query = tmp_path / "query.sql"
    with hive.table(source.path) as table:
        target = f"{table}_target"
        query.write_text(f"select id, grp, n, `dec` from default.{table} where id < 30;")
        assert "set the starting point: --from 0" in run(server, table, target, query)
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
        assert "no_column" in message and not session.rows(f"show tables '{table}_t%'")
        query.write_text(f"select id from default.{table}")
        session.rows(f"create external table {table}_own (id int)")
        try:
            assert "must be partitioned only by pulled_until" in run(server, table, f"{table}_own", query)
        finally:
            session.rows(f"drop table {table}_own")
        assert "is not a table name" in run(server, table, "a; drop table b", query)
    query.write_text("select 1 from a.b")
    names = ["--source", "a.b", "--target", "a.c", "--sql", str(query)]
    refused = CliRunner().invoke(app, ["pull", "--hive", "127.0.0.1:1", *names])
    assert "no HiveServer2 answers at 127.0.0.1:1" in refused.stderr


@pytest.mark.selected(1)
@pytest.mark.parametrize("version", [6, 8])
def test_a_commit_that_completes_late_is_pulled_when_it_has(
    session: Session,
    hive: HiveTables,
    server: HiveServer,
    spark: SparkSession,
    lake: Lake,
    tmp_path: Path,
    version: int,
) -> None:
    source = Writer(spark, lake.fresh("late"), VERSION_6 if version == 6 else {})
    source.base()
    for number, k in ((1, 2), (2, 3), (30, 4)):
        source.write(source.rows([number], k))
    late = commits(source.path)[-2][0]
    folder = source.path / ".hoodie" / ("timeline" if version == 8 else "")
    (completed,) = folder.glob(f"{late}*.deltacommit")
    query = tmp_path / "query.sql"
    with hive.table(source.path) as table, target_of(session, table) as target:
        query.write_text(f"select id, n from default.{table}")
        held_back = completed.rename(tmp_path / completed.name)
        first = run(server, table, target, query, "--from", "0")
        assert (first["commits"], first["stopped_before"]) == (2, late)
        again = run(server, table, target, query)
        assert (again["commits"], again["stopped_before"]) == (0, late), "nothing, because of that write"
        names = ["--hive", server.address, "--source", f"default.{table}", "--target", f"default.{target}"]
        printed = CliRunner().invoke(app, ["pull", *names, "--sql", str(query)])
        assert printed.exit_code == 0
        assert f"nothing to pull\nstopped before {late}, a write in progress: pull again" in printed.stdout
        held_back.rename(completed)
        last = run(server, table, target, query)
        assert (last["commits"], last["stopped_before"]) == (2, None)
        expected = [(number, 1) for number in range(40) if number != 1] + [(1, 2), (2, 3), (30, 4)]
        assert pulled(session, target) == Counter(expected), "each commit once, the late one too"


@pytest.mark.full
def test_a_write_that_failed_holds_pulls_back_until_it_is_rolled_back(
    session: Session, hive: HiveTables, server: HiveServer, spark: SparkSession, lake: Lake, tmp_path: Path
) -> None:
    source = OperatedTable.create(spark, lake.fresh("killed"))
    query = tmp_path / "query.sql"
    with hive.table(source.path) as table, target_of(session, table) as target:
        query.write_text(f"select id, n from default.{table}")
        assert run(server, table, target, query, "--from", "0")["commits"] == 2
        before = pulled(session, target)
        run_killed(source.path, "in-the-commit")
        failed = max(file.name for file in source.path.glob(".hoodie/timeline/*.requested"))[:17]
        assert run(server, table, target, query)["stopped_before"] is None, "nothing has come since"
        source.write([row(20, n=2000)], "upsert", TWO_WRITERS)  # It leaves writes of others alone.
        waiting = run(server, table, target, query)
        assert (waiting["commits"], waiting["stopped_before"]) == (0, failed)
        assert pulled(session, target) == before
        source.write([row(21, n=2100)], "upsert", {**TWO_WRITERS, "hoodie.clean.automatic": "true"})
        assert not list(source.path.glob(f".hoodie/timeline/{failed}*")), "cleaning takes back what failed"
        found = run(server, table, target, query)
        assert (found["commits"], found["stopped_before"]) == (2, None)
        assert pulled(session, target) == before + Counter([(20, 2000), (21, 2100)])


class HeldSession(HiveSession):
    """A session that waits before a statement."""

    def __init__(self, server: HiveServer, statement: str) -> None:
        super().__init__(server.address, None)
        self._statement = statement
        self.reached = threading.Event()
        self.go_on = threading.Event()

    def rows(self, statement: str) -> list[tuple[Any, ...]]:
        if statement.startswith(self._statement):
            self.reached.set()
            assert self.go_on.wait(120)
        return super().rows(statement)


@contextmanager
def held_pull(server: HiveServer, request: Pull, statement: str) -> Iterator[Callable[[], Pulled]]:
    """A pull of another program that has come to a statement; the function lets it go on to its end."""
    other = HeldSession(server, statement)
    with closing(other), ThreadPoolExecutor(max_workers=1) as pool:
        running = pool.submit(pull, other, request)

        def go_on() -> Pulled:
            other.go_on.set()
            return running.result()

        try:
            assert other.reached.wait(120)
            yield go_on
        finally:
            other.go_on.set()


@pytest.mark.selected(1)
@pytest.mark.parametrize("reached", ["CREATE VIEW", "CREATE EXTERNAL TABLE", "INSERT"])
def test_one_of_two_first_pulls_is_refused(
    session: Session, hive: HiveTables, server: HiveServer, source: Writer, tmp_path: Path, reached: str
) -> None:
    query = tmp_path / "query.sql"
    with hive.table(source.path) as table, target_of(session, table) as target:
        query.write_text(f"select id, n from default.{table}")
        request = Pull(f"default.{table}", f"default.{target}", query.read_text(), "0")
        with held_pull(server, request, reached) as go_on:
            second = run(server, table, target, query, "--from", "0")
            if reached == "INSERT":  # The other one has created the target.
                assert f"the first pull into default.{target} is already running" in second
                assert go_on().commits is not None
            else:
                assert second["commits"] == 1
                with pytest.raises(
                    PullError, match=f"the first pull into default.{target} is already running"
                ):
                    go_on()
        assert pulled(session, target) == Counter((number, 1) for number in range(40)), "by one of them"
        assert run(server, table, target, query)["commits"] == 0, "pulls go on"
        assert session.rows(f"show tables '{target}%'") == [(target,)], "nothing is left behind"


def test_a_first_pull_that_fails_leaves_no_target(
    session: Session, hive: HiveTables, server: HiveServer, source: Writer, tmp_path: Path
) -> None:
    query = tmp_path / "query.sql"
    with hive.table(source.path) as table, target_of(session, table) as target:
        query.write_text(f"select assert_true(id < 0) as failed from default.{table}")
        assert "Hive:" in run(server, table, target, query, "--from", "0")
        assert not session.rows(f"show tables '{target}%'")


def random_history(table: Writer, chance: random.Random, steps: int) -> None:
    """Commits of each kind, first one after the other: updates that win, lose and tie, of rows and parts."""
    table.base()
    newest = 1
    # An overwrite comes first: whatever is wrong before it would not be seen after it.
    kinds = ["overwrite", "won", "lost", "tied", "compact", "lost", "new", "delete", "cluster"]
    if table.options.keys() & COPY_ON_WRITE.keys():
        kinds.remove("compact")
    # Hudi writes partial updates from table version 8 on, and not with payload classes.
    kinds += ["in part", "lost"] if not table.options.keys() & {*VERSION_6, *payload("")} else []
    for step in range(2, steps + 2):
        ids = chance.sample(range(40), 3)
        kind = kinds[(step - 2) % len(kinds)] if step < len(kinds) + 2 else chance.choice(kinds)
        match kind:
            case "won":
                newest = step
                table.write(table.rows(ids, step))
            case "lost" | "tied":
                table.write(table.rows(ids, step, "0" if kind == "lost" else str(newest)))
            case "new":
                table.write(table.rows([40 + step, ids[0]], step))
            case "delete":
                table.write(table.rows(ids[:1], step), "delete")
            case "overwrite":
                table.write(table.rows(range(step, 40), step), "insert_overwrite")
            case "in part":
                newest = step
                chosen = ", ".join(map(str, ids))
                table.sql(
                    f"merge into {{table}} t using (select id, {step} as n, 'in part {step}' as s from"
                    f" (select explode(array({chosen})) as id)) u on t.id = u.id"
                    " when matched then update set t.s = u.s, t.n = u.n"
                )
            case "compact":
                table.call("run_compaction", op="scheduleAndExecute")
            case "cluster":
                table.call("run_clustering", op="scheduleAndExecute")


@pytest.mark.selected(1)
@pytest.mark.parametrize(
    "options",
    [{}, VERSION_6, payload("PartialUpdateAvroPayload"), {**VERSION_6, **COPY_ON_WRITE}],
    ids=["version 8", "version 6", "payload", "copy on write"],
)
def test_the_snapshot_can_be_rebuilt_by_key_from_pulls_of_one_commit_each(
    session: Session,
    hive: HiveTables,
    server: HiveServer,
    spark: SparkSession,
    lake: Lake,
    tmp_path: Path,
    options: dict[str, str],
) -> None:
    source = Writer(spark, lake.fresh("rebuilt"), {**UNPARTITIONED, **options})
    random_history(source, random.Random(1), 11)
    query = tmp_path / "query.sql"
    with hive.table(source.path) as table, target_of(session, table) as target:
        query.write_text(f"select `_hoodie_commit_time` as written, id, n, i, s from default.{table}")
        done = run(server, table, target, query, "--from", "0", "--max-commits", "1")
        for _ in commits(source.path)[1:]:
            done = run(server, table, target, query, "--max-commits", "1")
            assert done["commits"] == 1, done
        assert run(server, table, target, query)["commits"] == 0, "that was all"
        rebuilt = {row[1]: row for row in session.rows(f"select * from {target} order by pulled_until")}
    reader = spark.read.format("hudi").option("hoodie.enable.data.skipping", "false")
    rows = reader.load(str(source.path)).select("_hoodie_commit_time", "id", "n", "i", "s").collect()
    snapshot = {row[1]: tuple(row) for row in rows}
    assert len(snapshot) > 20, "there is something to be rebuilt"
    # What was deleted is not pulled, so it is not known of either.
    found = {number: rebuilt[number][:5] for number in snapshot if number in rebuilt}
    assert found == snapshot
