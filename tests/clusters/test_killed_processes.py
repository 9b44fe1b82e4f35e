"""Containers and application masters that are killed while a query runs."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from pyspark.sql import SparkSession

from ..e2e.harness.check import Checked, Checker
from ..e2e.harness.session import QueryFailed
from .container_logs import ContainerLogs, application_of, is_master
from .hadoop import Container, Hadoop, wait_for
from .hive import ClusterHive
from .tables import EVENTS_PER_FILE

_FILES = 4
_SLOW = (
    "select count(*), sum(cast(amount as bigint)) from (select transform(id, amount) "
    """using 'bash -c "sleep 6; cat"' as (id, amount) """
    f"from events where id < {_FILES * EVENTS_PER_FILE}) t"
)
"""Reads `_FILES` files, and waits in each task."""
_SLOWLY = {"tez.grouping.split-count": str(_FILES)}
_IDS = range(_FILES * EVENTS_PER_FILE)
_ANSWER = (len(_IDS), sum(id * id for id in _IDS))


@pytest.fixture
def own_check(
    hive: ClusterHive, check: Checker, logs: ContainerLogs, spark: SparkSession
) -> Iterator[Checker]:
    """A session of its own, because its application master is killed."""
    del check  # only wanted because it makes the tables
    with hive.connect() as session:
        session.rows("SET hive.fetch.task.conversion=none")
        yield Checker(session, logs, spark)


def _run_and_kill(
    check: Checker, hadoop: Hadoop, logs: ContainerLogs, *, master: bool
) -> tuple[Container, Checked | QueryFailed]:
    """Runs the slow query, and kills a container of it while it reads.

    Returns:
        The container, one of those that read or their application master, and the answer.
    """
    before = {file.name for file in logs.files(name="syslog_attempt_*")}

    def reading() -> set[str]:
        """The containers in which a task has begun to read."""
        files = logs.files(name="syslog_attempt_*_00_*")
        return {file.parent.name for file in files if file.name not in before}

    def is_chosen(container: Container) -> bool:
        if master:
            return container.is_master and container.application in map(application_of, reading())
        return container.name in reading()

    def run() -> Checked | QueryFailed:
        try:
            return check.run(_SLOW, _SLOWLY)
        except QueryFailed as failure:
            return failure

    with ThreadPoolExecutor() as pool:
        answer = pool.submit(run)
        wait_for("task that reads", lambda: reading() or answer.done(), seconds=120)
        assert not answer.done(), f"the query had ended before anything was killed: {answer.result()}"
        victim, *_ = filter(is_chosen, hadoop.containers())
        victim.kill()
        return victim, answer.result()


def test_a_query_answers_right_if_one_of_its_containers_is_killed(
    check: Checker, hadoop: Hadoop, logs: ContainerLogs
) -> None:
    victim, checked = _run_and_kill(check, hadoop, logs, master=False)
    assert isinstance(checked, Checked), checked
    assert checked.rows == (_ANSWER,)
    assert checked.kept(_FILES).scan.source == "pushed"
    attempts = logs.attempts(checked.scan.line)
    lost = {(attempt.vertex, attempt.task) for attempt in attempts if attempt.container == victim.name}
    again = {(attempt.vertex, attempt.task) for attempt in attempts if attempt.attempt > 0}
    assert lost & again, f"no task of {victim.name} ran again: {attempts}"


def test_a_query_answers_right_if_its_application_master_is_killed_and_so_does_the_next(
    own_check: Checker, hadoop: Hadoop, logs: ContainerLogs
) -> None:
    victim, checked = _run_and_kill(own_check, hadoop, logs, master=True)
    assert isinstance(checked, Checked), f"YARN starts another application master, and yet: {checked}"
    assert checked.rows == (_ANSWER,)
    # Both have listed the files, with what HiveServer2 had compiled once.
    masters = set().union(*(logs.containers_with(scan.line) for scan in checked.scans))
    assert len(masters) == 2 and all(map(is_master, masters)) and victim.name in masters, masters
    assert {(scan.kept, scan.source) for scan in checked.scans} == {(_FILES, "pushed")}
    own_check("select count(*), sum(amount) from events where day = date '2026-01-05'").kept(1)
