"""Queries on Tez in containers of YARN, over tables on HDFS: the application master lists files."""

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from pyspark.sql import SparkSession

from ..e2e.harness.check import Checked, Checker
from .container_logs import ContainerLogs, application_of, is_master
from .hive import ClusterHive
from .tables import CHANGED, CHANGED_AMOUNT, EVENT_FILES, EVENTS_PER_FILE, PLACE_COUNT

SEVERAL_TASKS = {
    "tez.grouping.split-count": "6",
    "mapreduce.job.reduces": "3",
    "hive.auto.convert.join": "false",
}
"""Each scan is read by up to six tasks, and groups and joins are made by three reducers."""

TWO_SUBQUERIES = (
    f"select (select count(*) from events where id < 10), "
    f"(select count(*) from events where id >= {10 * EVENTS_PER_FILE})"
)
"""Hive merges both scans into one, whose filter HiveServer2 has never seen."""


def _assert_listed_by_master(logs: ContainerLogs, hive: ClusterHive, checked: Checked) -> None:
    """Asserts that the application master has listed files with what HiveServer2 had compiled."""
    for scan in checked.scans:
        places = logs.containers_with(scan.line)
        assert places and all(map(is_master, places)), f"listed by {places}: {scan.line}"
        assert scan.line not in hive.log.read_text(encoding="utf-8"), "HiveServer2 listed the files"
        assert scan.source == "pushed", f"not compiled by HiveServer2: {scan.line}"


def test_the_application_master_skips_files_of_a_copy_on_write_table(
    check: Checker, logs: ContainerLogs, hive: ClusterHive
) -> None:
    checked = check("select count(*), sum(amount) from events where day = date '2026-01-03'").kept(1)
    ids = range(2 * EVENTS_PER_FILE, 3 * EVENTS_PER_FILE)
    assert checked.rows == ((EVENTS_PER_FILE, sum(id * id for id in ids)),)
    assert checked.scan.files == EVENT_FILES
    _assert_listed_by_master(logs, hive, checked)
    counted = f"scan.files={EVENT_FILES}, scan.kept=1"
    assert any(map(is_master, logs.containers_with(counted))), f"no {counted} among Tez's counters"


def test_the_application_master_skips_file_slices_of_a_merge_on_read_table(
    check: Checker, logs: ContainerLogs, hive: ClusterHive
) -> None:
    ids = range(30, 70)
    checked = check("select count(*), sum(amount) from readings where id between 30 and 69").kept(2)
    assert checked.rows == ((len(ids), sum(CHANGED_AMOUNT if id in CHANGED else id * id for id in ids)),)
    assert checked.scan.files == EVENT_FILES
    _assert_listed_by_master(logs, hive, checked)
    # No base file has this amount.
    changed = check(f"select id from readings where amount = {CHANGED_AMOUNT}").kept(2)
    assert sorted(changed.column()) == list(CHANGED)


def test_tasks_and_reducers_in_several_containers_answer_right(
    check: Checker, logs: ContainerLogs, hive: ClusterHive
) -> None:
    days = "day between date '2026-01-02' and date '2026-01-07'"
    grouped = check(
        f"select place, count(*), sum(amount) from events where {days} group by place", SEVERAL_TASKS
    )
    assert len(grouped.rows) == PLACE_COUNT
    grouped.kept(6)
    attempts = logs.attempts(grouped.scan.line)
    tasks = Counter(attempt.vertex for attempt in attempts)
    assert (tasks[0], tasks[1]) == (6, 3), f"tasks of each vertex: {tasks}"
    assert len({attempt.container for attempt in attempts}) > 1, attempts

    joined = check(
        "select p.name, count(*), sum(e.amount) from events e join places p on e.place = p.id "
        f"where e.{days} and p.id < 15 group by p.name",
        SEVERAL_TASKS,
        scans=2,
    )
    assert len(joined.rows) == 15
    assert (joined.of("events").kept, joined.of("places").kept) == (6, 2), [s.line for s in joined.scans]
    _assert_listed_by_master(logs, hive, joined)
    reducers = Counter(attempt.vertex for attempt in logs.attempts(joined.of("events").line))
    assert sorted(reducers.values()) == [2, 3, 3, 6], f"tasks of each vertex: {reducers}"


def test_two_sessions_at_once_have_an_application_master_each_and_right_answers(
    hive: ClusterHive, check: Checker, logs: ContainerLogs, spark: SparkSession
) -> None:
    def ask(checker: Checker, first: int) -> list[Checked]:
        return [
            checker.run(
                f"select count(*), min(id), max(id) from events where id between {low} and {low + 20}",
                {"tez.grouping.split-count": "2"},
            )
            for low in range(first, first + 400, 100)
        ]

    with hive.connect() as other, ThreadPoolExecutor() as pool:
        other.rows("SET hive.fetch.task.conversion=none")
        asked = {0: pool.submit(ask, check, 0)}
        asked[40] = pool.submit(ask, Checker(other, logs, spark), 40)
        answers = {first: future.result() for first, future in asked.items()}
    applications = set()
    for first, checks in answers.items():
        for low, checked in zip(range(first, first + 400, 100), checks, strict=True):
            assert checked.rows == ((21, low, low + 20),), checked.scan.line
            assert checked.scan.kept == len({low // EVENTS_PER_FILE, (low + 20) // EVENTS_PER_FILE})
            _assert_listed_by_master(logs, hive, checked)
            applications |= {application_of(name) for name in logs.containers_with(checked.scan.line)}
    assert len(applications) == 2, applications


def test_a_filter_that_only_the_application_master_knows_keeps_every_file_without_python(
    check: Checker,
) -> None:
    checked = check(TWO_SUBQUERIES).kept_all("needs Python")
    assert checked.rows == ((10, 2 * EVENTS_PER_FILE),)
    apart = check(TWO_SUBQUERIES, {"hive.optimize.shared.work": "false"}, scans=2)
    assert sorted(scan.kept for scan in apart.scans) == [1, 2], [scan.line for scan in apart.scans]


def test_a_filter_that_only_the_application_master_knows_skips_files_if_it_reaches_a_compiler(
    check: Checker,
) -> None:
    with _compiler() as address:
        checked = check(TWO_SUBQUERIES, {"hudi.skipping.compiler.address": address})
    assert checked.rows == ((10, 2 * EVENTS_PER_FILE),)
    checked.kept(3)
    assert checked.scan.source == "compiled", checked.scan.line


def test_without_a_compiler_every_file_is_read(check: Checker) -> None:
    checked = check(
        "select count(*), sum(id) from events where id between 100 and 104",
        {"hudi.skipping.compiler.command": "no-such-compiler"},
    ).kept_all("no-such-compiler")
    assert checked.rows == ((5, 510),)


@contextmanager
def _compiler() -> Iterator[str]:
    """A compiler that someone else runs; its address."""
    serve = ("compiler", "serve", "--port", "0", "--exit-on-stdin-close")
    command = (sys.executable, "-m", "pycompiler", *serve)
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None and process.stdout is not None
        yield str(json.loads(process.stdout.readline())["address"])
        process.stdin.close()
