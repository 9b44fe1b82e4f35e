"""Clients that run queries side by side for some time, and what came of it."""

import random
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from pyhive import hive
from pyhive.exc import Error
from pyspark.sql import SparkSession

from ..e2e.harness.canary import FOREIGN_PATH
from ..e2e.harness.session import server_message
from ..e2e.harness.shadow import ShadowCheck
from .faults import FAULTS, Connect
from .queries import Query

FAULT_SHARE: Final = 0.2
"""Share of a client's actions that are faults."""

QUERIES_A_SESSION: Final = 6
"""After so many queries a client goes on with a new session."""

MANY_TASKS: Final = {
    # Several tasks for each scan, whatever its size; many of them for the large table.
    "tez.grouping.min-size": "100000",
    "tez.grouping.max-size": "4000000",
    "hive.fetch.task.conversion": "none",
    "hive.exec.reducers.bytes.per.reducer": "1000000",
}
_RESET: Final = {"hudi.skipping.mode": "on", "hive.vectorized.execution.enabled": "true"}

Answer = Counter[tuple[str, ...]]


@dataclass(slots=True)
class Report:
    """What came of a run. Clients only append, which is safe in several threads.

    Attributes:
        answered: Kind and seconds of each query that answered as Spark does.
        wrong: Descriptions of answers that were not those of Spark.
        errors: Descriptions of queries that should have answered and failed.
        faults: Names of the faults that were caused.
        log_findings: Lines of the server's log that should not be there.
    """

    answered: list[tuple[str, float]] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    log_findings: list[str] = field(default_factory=list)

    @property
    def sound(self) -> bool:
        """Whether nothing was wrong."""
        return not (self.wrong or self.errors or self.log_findings)

    @property
    def queries(self) -> int:
        """How many queries should have answered."""
        return len(self.answered) + len(self.wrong) + len(self.errors)

    def lines(self, most: int = 20) -> list[str]:
        """The report as text, with at most so many descriptions of each sort."""
        times = sorted(seconds for _, seconds in self.answered) or [0.0]
        text = [
            f"{self.queries} queries: {len(self.answered)} as Spark answers, {len(self.wrong)} wrong, "
            f"{len(self.errors)} failed; median {times[len(times) // 2]:.1f} s, longest {times[-1]:.1f} s",
            "answered: " + _counts(kind for kind, _ in self.answered),
            "faults: " + (_counts(self.faults) or "none"),
        ]
        for title, found in (("WRONG", self.wrong), ("FAILED", self.errors), ("LOG", self.log_findings)):
            text += [f"{title} {line}" for line in found[:most]]
            text += [f"{title} … {len(found) - most} more"] if len(found) > most else []
        return text


def _counts(names: Iterable[str]) -> str:
    return ", ".join(f"{name} {count}" for name, count in sorted(Counter(names).items()))


def expected_answers(spark: SparkSession, queries: Sequence[Query]) -> dict[str, Answer]:
    """Spark's answers, by the text for Hive."""
    return {
        query.hive: Counter(_comparable(row) for row in spark.sql(query.spark).collect()) for query in queries
    }


def run(
    address: tuple[str, int],
    log: Path,
    expected: Mapping[str, Answer],
    queries: Sequence[Query],
    *,
    database: str = "default",
    sessions: int,
    at_least: int,
    seconds: float,
    seed: int,
    on_problem: Callable[[str], None] = lambda problem: None,
) -> Report:
    """Runs clients side by side until the time is over and enough queries have run.

    Args:
        address: Host and port of the server, in which the tables exist.
        log: Its log.
        expected: Answers by the text for Hive.
        queries: What the clients draw from.
        database: Where the tables are.
        sessions: How many clients there are at a time.
        at_least: Queries that must have run.
        seconds: How long it lasts at least.
        seed: Of all that is drawn.
        on_problem: Called with each wrong answer and each failure when it is found.
    """
    report = Report()
    position = log.stat().st_size
    end = time.monotonic() + seconds

    def connect() -> hive.Connection:
        return hive.connect(*address, username="stress", database=database, configuration=MANY_TASKS)

    def client(number: int) -> None:
        draw = random.Random(seed * 1_000 + number)
        while time.monotonic() < end or report.queries < at_least:
            _session(connect, draw, queries, expected, report, on_problem)

    with ThreadPoolExecutor(sessions) as clients:
        for finished in [clients.submit(client, number) for number in range(sessions)]:
            finished.result()
    _search(log, position, report)
    return report


def _session(
    connect: Connect,
    draw: random.Random,
    queries: Sequence[Query],
    expected: Mapping[str, Answer],
    report: Report,
    on_problem: Callable[[str], None],
) -> None:
    with connect() as connection:
        for _ in range(QUERIES_A_SESSION):
            query = draw.choice(queries)
            if draw.random() < FAULT_SHARE:
                fault = draw.choice(FAULTS)
                report.faults.append(fault.__name__)
                problems, problem = report.wrong, fault(connect, draw, query)
            else:
                problems, problem = _ask(connection, query, expected[query.hive], report)
            if problem:
                problems.append(problem)
                on_problem(problem)


def _ask(
    connection: hive.Connection, query: Query, expected: Answer, report: Report
) -> tuple[list[str], str]:
    """Runs a query; returns the list of the report for what went wrong, and what that was, or nothing."""
    began = time.monotonic()
    with connection.cursor() as cursor:
        try:
            for name, value in {**_RESET, **query.settings}.items():
                cursor.execute(f"SET {name}={value}")
            cursor.execute(query.hive)
            answer = Counter(_comparable(row) for row in cursor.fetchall())
        except Error as error:
            return report.errors, f"[{query.kind}] {query.hive}: {server_message(error)[:400]}"
    if answer == expected:
        report.answered.append((query.kind, time.monotonic() - began))
        return report.wrong, ""
    missing, extra = list((expected - answer).elements())[:3], list((answer - expected).elements())[:3]
    return report.wrong, f"[{query.kind}] {query.hive}: right is {missing}…, the answer has {extra}…"


def _search(log: Path, position: int, report: Report) -> None:
    """Looks for what no client sees: a file taken for one of another query, rows that skipping would lose."""
    with log.open(encoding="utf-8", errors="replace") as lines:
        lines.seek(position)
        for line in lines:
            shadow = ShadowCheck.parse(line)
            if FOREIGN_PATH in line or (shadow is not None and shadow.violations):
                report.log_findings.append(line.strip()[:300])


def _comparable(row: Sequence[Any]) -> tuple[str, ...]:
    return tuple(str(value) for value in row)
