"""`hudi-skip pull`: what commits wrote arrives once each, whatever happens in between."""

import json
import random
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession
from typer.testing import CliRunner, Result

from pycompiler.hive.client.session import HiveSession
from pycompiler.hive.server import HiveServer
from pycompiler.index.file_systems.location import Location
from pycompiler.index.index import StatisticsIndex
from pycompiler.spark.index_creator import IndexCreator
from pycompiler.table.index_status import status_by_timeline
from pycompiler.tools.cli.main import app
from pycompiler.tools.pull.errors import PullError
from pycompiler.tools.pull.puller import LAST, Pull, Pulled, pull

from ..harness.killed_writer import run_killed
from ..harness.lake import Lake
from ..harness.operated_table import OperatedTable, row
from ..harness.session import Session
from .cases import COPY_ON_WRITE, TWO_WRITERS, UNPARTITIONED, VERSION_6, NewTable, Writer, commits, payload


@dataclass(frozen=True, slots=True)
class Pulling:
    """A table in Hive and what is pulled from it into another one."""

    session: Session
    address: str
    source: str
    target: str
    query: Path

    def ask(self, query: str) -> None:
        """Sets the query, in which `{}` stands for the source."""
        self.query.write_text(query.format(f"default.{self.source}"))

    def command(self, *more: str, target: str | None = None) -> Result:
        """Runs the command."""
        names = ["--source", f"default.{self.source}", "--target", f"default.{target or self.target}"]
        return CliRunner().invoke(
            app, ["pull", "--hive", self.address, *names, "--sql", str(self.query), *more]
        )

    def run(self, *more: str, target: str | None = None) -> Any:
        """Runs the command, and returns what it prints; the message of its error if it fails."""
        done = self.command("--json", *more, target=target)
        return json.loads(done.stdout) if done.exit_code == 0 else done.stderr

    def pulled(self) -> Counter[tuple[Any, ...]]:
        """What has arrived."""
        return Counter(self.session.rows(f"select id, n from {self.target}"))


PullingFrom = Callable[[Path], AbstractContextManager[Pulling]]


@pytest.fixture
def pulling_from(session: Session, server: HiveServer, tmp_path: Path) -> PullingFrom:
    """Makes pulls from a table by its root, of keys and ordering values; the target is gone afterwards."""

    @contextmanager
    def pulling(path: Path) -> Iterator[Pulling]:
        with session.table(path) as table:
            found = Pulling(session, server.address, table, f"{table}_target", tmp_path / "query.sql")
            found.ask("select id, n from {}")
            try:
                yield found
            finally:
                session.rows(f"drop table if exists {found.target}")

    return pulling


@pytest.fixture
def source(new_table: NewTable) -> Writer:
    table = new_table({})
    table.base()
    return table


@pytest.fixture
def pulling(pulling_from: PullingFrom, source: Writer) -> Iterator[Pulling]:
    with pulling_from(source.path) as found:
        yield found


def test_every_commit_arrives_once(session: Session, source: Writer, pulling: Pulling) -> None:
    run, target = pulling.run, pulling.target
    pulling.ask("select id, grp, n, `dec` from {} where id < 30;")
    assert "specify where to start: --from 0" in run()
    would = run("--from", "0", "--dry-run")
    assert (would["commits"], would["dry_run"]) == (1, True)
    assert not session.rows(f"show tables '{target}'"), "a dry run writes nothing"
    assert run("--from", "0")["commits"] == 1
    expected = Counter((number, 1) for number in range(30))
    assert pulling.pulled() == expected
    assert ("dec", "decimal(12,3)") in {row[:2] for row in session.rows(f"describe {target}")}
    assert run()["commits"] == 0

    source.write(source.rows([1, 2, 35], 2))
    source.write(source.rows([2], 3))
    assert run("--max-commits", "1")["commits"] == 1
    expected += Counter([(1, 2), (2, 2)])
    assert pulling.pulled() == expected
    # Whoever was killed before its partition was there is as good as never begun.
    last = run()
    expected += Counter([(2, 3)])
    assert pulling.pulled() == expected
    session.rows(f"alter table {target} drop partition (pulled_until = '{last['until']}')")
    again = run()
    assert (again["after"], again["until"]) == (last["after"], last["until"])
    assert pulling.pulled() == expected, "what was left behind is overwritten, not added to"


def test_what_cannot_be_pulled_is_said(session: Session, pulling: Pulling) -> None:
    pulling.ask("select no_column from {}")
    message = pulling.run("--from", "0")
    assert "no_column" in message and not session.rows(f"show tables '{pulling.target}%'")
    pulling.ask("select id from {}")
    session.rows(f"create external table {pulling.target} (id int)")
    assert "must have pulled_until string as its only partition column" in pulling.run()
    assert "is not a table name" in pulling.run(target="a; drop table b")
    refused = replace(pulling, address="127.0.0.1:1").run()
    assert "no HiveServer2 answers at 127.0.0.1:1" in refused
    refused = replace(pulling, address=f"{pulling.address}/no_such").run()
    assert refused.startswith("error: Hive: ") and "Database does not exist: no_such" in refused


@pytest.mark.selected(1)
@pytest.mark.parametrize("version", [VERSION_6, {}], ids=["6", "8"])
def test_a_commit_that_completes_late_is_pulled_when_it_has(
    new_table: NewTable, pulling_from: PullingFrom, tmp_path: Path, version: dict[str, str]
) -> None:
    source = new_table(version)
    source.base()
    for number, k in ((1, 2), (2, 3), (30, 4)):
        source.write(source.rows([number], k))
    late = commits(source.path)[-2][0]
    (completed,) = (source.path / ".hoodie").glob(f"**/{late}*.deltacommit")
    with pulling_from(source.path) as pulling:
        held_back = completed.rename(tmp_path / completed.name)
        first = pulling.run("--from", "0")
        assert (first["commits"], first["stopped_before"]) == (2, late)
        again = pulling.run()
        assert (again["commits"], again["stopped_before"]) == (0, late), "nothing, because of that write"
        printed = pulling.command()
        assert printed.exit_code == 0
        assert f"nothing to pull\nstopped before {late}, a write in progress: pull again" in printed.stdout
        held_back.rename(completed)
        last = pulling.run()
        assert (last["commits"], last["stopped_before"]) == (2, None)
        expected = [(number, 1) for number in range(40) if number != 1] + [(1, 2), (2, 3), (30, 4)]
        assert pulling.pulled() == Counter(expected), "each commit once, the late one too"


@pytest.mark.full
@pytest.mark.since_version_8  # It looks at the timeline.
def test_a_write_that_failed_holds_pulls_back_until_it_is_rolled_back(
    lake: Lake, pulling_from: PullingFrom
) -> None:
    source = OperatedTable.create(lake.spark, lake.fresh("killed"))
    with pulling_from(source.path) as pulling:
        assert pulling.run("--from", "0")["commits"] == 2
        before = pulling.pulled()
        run_killed(source.path)
        failed = max(file.name for file in source.path.glob(".hoodie/timeline/*.requested"))[:17]
        assert pulling.run()["stopped_before"] is None, "nothing has come since"
        source.write([row(20, n=2000)], "upsert", TWO_WRITERS)  # It leaves writes of others alone.
        waiting = pulling.run()
        assert (waiting["commits"], waiting["stopped_before"]) == (0, failed)
        assert pulling.pulled() == before
        source.write([row(21, n=2100)], "upsert", {**TWO_WRITERS, "hoodie.clean.automatic": "true"})
        assert not list(source.path.glob(f".hoodie/timeline/{failed}*")), "cleaning takes back what failed"
        found = pulling.run()
        assert (found["commits"], found["stopped_before"]) == (2, None)
        assert pulling.pulled() == before + Counter([(20, 2000), (21, 2100)])


class HeldSession(HiveSession):
    """A session that waits before a statement."""

    def __init__(self, address: str, statement: str) -> None:
        super().__init__(address, None)
        self._statement = statement
        self.reached = threading.Event()
        self.go_on = threading.Event()

    def rows(self, statement: str) -> list[tuple[Any, ...]]:
        if statement.startswith(self._statement):
            self.reached.set()
            assert self.go_on.wait(120)
        return super().rows(statement)


@contextmanager
def held_pull(pulling: Pulling, statement: str) -> Iterator[Callable[[], Pulled]]:
    """A pull of another program that has come to a statement; the function lets it go on to its end."""
    source, target = f"default.{pulling.source}", f"default.{pulling.target}"
    other = HeldSession(pulling.address, statement)
    with closing(other), ThreadPoolExecutor(max_workers=1) as pool:
        running = pool.submit(pull, other, Pull(source, target, pulling.query.read_text(), "0"))

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
def test_one_of_two_first_pulls_is_refused(session: Session, pulling: Pulling, reached: str) -> None:
    refusal = f"the first pull into default.{pulling.target} has not finished"
    with held_pull(pulling, reached) as go_on:
        second = pulling.run("--from", "0")
        if reached == "INSERT":  # The other one has created the target.
            assert refusal in second
            assert go_on().commits is not None
        else:
            assert second["commits"] == 1
            with pytest.raises(PullError, match=refusal):
                go_on()
    assert pulling.pulled() == Counter((number, 1) for number in range(40)), "by one of them"
    assert pulling.run()["commits"] == 0, "pulls go on"
    tables = session.rows(f"show tables '{pulling.target}%'")
    assert tables == [(pulling.target,)], "nothing is left behind"


def test_threads_pull_tables_of_their_own_while_others_write_and_index(
    spark: SparkSession, new_table: NewTable, pulling_from: PullingFrom
) -> None:
    sources = [new_table(options) for options in ({}, VERSION_6, COPY_ON_WRITE, UNPARTITIONED)]
    for source in sources:
        source.base()
    at_once = threading.Barrier(len(sources))

    def pulled_twice(source: Writer, pulling: Pulling) -> list[Pulled]:
        query = f"select id, n from default.{pulling.source}"
        found = []
        with closing(HiveSession(pulling.address, None)) as hive:
            for start in ("0", LAST):
                at_once.wait(120)
                request = Pull(f"default.{pulling.source}", f"default.{pulling.target}", query, start)
                found.append(pull(hive, request))
                source.write(source.rows([1, 2], 2))
                IndexCreator(spark).update(str(source.path))
        return found

    with ExitStack() as opened, ThreadPoolExecutor(len(sources)) as pool:
        pulls = [opened.enter_context(pulling_from(source.path)) for source in sources]
        for found in pool.map(pulled_twice, sources, pulls):
            assert [each.commits and each.commits.commits for each in found] == [1, 1]
        for source, pulling in zip(sources, pulls, strict=True):
            expected = Counter((number, 1) for number in range(40)) + Counter([(1, 2), (2, 2)])
            assert pulling.pulled() == expected, source.path
            status = status_by_timeline(StatisticsIndex.open(source.path), Location.parse(str(source.path)))
            assert status is not None and status.up_to_date, source.path


def test_a_first_pull_that_fails_leaves_no_target(session: Session, pulling: Pulling) -> None:
    pulling.ask("select assert_true(id < 0) as failed from {}")
    assert "Hive:" in pulling.run("--from", "0")
    assert not session.rows(f"show tables '{pulling.target}%'")


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


@pytest.mark.full
@pytest.mark.parametrize(
    "options",
    [
        # Logs of older versions have whole rows.
        pytest.param({}, id="version 8", marks=pytest.mark.since_version_8),
        pytest.param(VERSION_6, id="version 6"),
        pytest.param(payload("PartialUpdateAvroPayload"), id="payload"),
        pytest.param({**VERSION_6, **COPY_ON_WRITE}, id="copy on write"),
    ],
)
def test_the_snapshot_can_be_rebuilt_by_key_from_pulls_of_one_commit_each(
    session: Session,
    spark: SparkSession,
    new_table: NewTable,
    pulling_from: PullingFrom,
    options: dict[str, str],
) -> None:
    source = new_table({**UNPARTITIONED, **options})
    random_history(source, random.Random(1), 11)
    with pulling_from(source.path) as pulling:
        pulling.ask("select `_hoodie_commit_time` as written, id, n, i, s from {}")
        start = ["--from", "0"]
        for _ in commits(source.path):
            done = pulling.run(*start, "--max-commits", "1")
            assert done["commits"] == 1, done
            start = []
        assert pulling.run()["commits"] == 0, "that was all"
        rebuilt = {
            row[1]: row for row in session.rows(f"select * from {pulling.target} order by pulled_until")
        }
    reader = spark.read.format("hudi").option("hoodie.enable.data.skipping", "false")
    rows = reader.load(str(source.path)).select("_hoodie_commit_time", "id", "n", "i", "s").collect()
    snapshot = {row[1]: tuple(row) for row in rows}
    assert len(snapshot) > 20, "there is something to be rebuilt"
    # What was deleted is not pulled, so it is not known of either.
    found = {number: rebuilt[number][:5] for number in snapshot if number in rebuilt}
    assert found == snapshot
