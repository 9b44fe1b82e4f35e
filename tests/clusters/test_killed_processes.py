"""Containers and application masters that are killed while a query runs."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from pyspark.sql import SparkSession

from ..e2e.harness.check import Checked, Checker
from ..e2e.harness.session import QueryFailed
from .hadoop import Container, ContainerLogs, Hadoop, application_of, is_master, wait_for
from .hive import ClusterHive
from .tables import EVENTS_PER_FILE

_FILES = 4
_SLOW = (
    "select count(*), sum(amount), min(reflect('java.lang.Thread', 'sleep', 200L)) from events "
    f"where id < {_FILES * EVENTS_PER_FILE}"
)
"""Reads `_FILES` files, of 50 rows each, and takes 200 ms for each row."""
_SLOWLY = {"tez.grouping.split-count": str(_FILES)}
_IDS = range(_FILES * EVENTS_PER_FILE)
_ANSWER = (len(_IDS), sum(id * id for id in _IDS))


@pytest.fixture
def own_check(hive: ClusterHive, check: Checker, logs: ContainerLogs, spark: SparkSession) -> Checker:
    """A session of its own, because its application master is killed; it has the tables of the other one."""
    del check
    session = hive.connect()
    session.rows("SET hive.fetch.task.conversion=none")
    return Checker(session, logs, spark)


def _run_and_kill(
    check: Checker, hadoop: Hadoop, logs: ContainerLogs, chosen: Callable[[Container], bool]
) -> tuple[Container, Checked | QueryFailed]:
    """Runs the slow query, and kills a container when a task of the query runs; returns both."""
    before = {file.name for file in logs.files(name="syslog_attempt_*")}

    def is_reading() -> set[str]:
        """The applications of which a task has begun."""
        files = logs.files(name="syslog_attempt_*_00_*")
        return {application_of(file.parent.name) for file in files if file.name not in before}

    def run() -> Checked | QueryFailed:
        try:
            return check.run(_SLOW, _SLOWLY)
        except QueryFailed as failure:
            return failure

    with ThreadPoolExecutor() as pool:
        answer = pool.submit(run)
        applications = wait_for("task that reads", is_reading, seconds=120)
        (victim, *_) = (c for c in hadoop.containers() if c.application in applications and chosen(c))
        assert not answer.done(), f"the query had ended before anything was killed: {answer.result()}"
        victim.kill()
        return victim, answer.result()


def test_a_query_answers_right_if_one_of_its_containers_is_killed(
    check: Checker, hadoop: Hadoop, logs: ContainerLogs
) -> None:
    def has_read(container: Container) -> bool:
        return bool(logs.files(container.name, "syslog_attempt_*_00_*"))

    victim, checked = _run_and_kill(check, hadoop, logs, has_read)
    assert isinstance(checked, Checked), checked
    assert [row[:2] for row in checked.rows] == [_ANSWER]
    assert checked.kept(_FILES).scan.source == "pushed"
    attempts = logs.attempts(checked.scan.line)
    lost = {(attempt.vertex, attempt.task) for attempt in attempts if attempt.container == victim.name}
    again = {(attempt.vertex, attempt.task) for attempt in attempts if attempt.attempt > 0}
    assert lost & again, f"no task of {victim.name} ran again: {attempts}"


def test_a_query_answers_right_or_fails_if_its_application_master_is_killed_and_the_next_is_right(
    own_check: Checker, hadoop: Hadoop, logs: ContainerLogs
) -> None:
    with own_check.session:
        victim, outcome = _run_and_kill(own_check, hadoop, logs, lambda container: container.is_master)
        print(f"after its application master was killed: {outcome}")
        if isinstance(outcome, Checked):
            assert [row[:2] for row in outcome.rows] == [_ANSWER]
        else:
            assert "Execution Error" in str(outcome), outcome
        after = own_check("select count(*), sum(amount) from events where day = date '2026-01-05'").kept(1)
    places = logs.containers_with(after.scan.line)
    assert places and all(map(is_master, places)) and victim.name not in places, places
