"""Clients that run queries side by side for some time, and what came of it."""

import random
import time
from collections import Counter
from collections.abc import Iterable, Sequence
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
from .faults import FAULTS
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
Case = tuple[Query, Answer]
"""A query, and what Spark answers."""


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


def expected_answers(spark: SparkSession, queries: Sequence[Query]) -> list[Case]:
    """The queries with Spark's answers."""
    return [(query, Counter(map(_comparable, spark.sql(query.spark).collect()))) for query in queries]


def run(
    address: tuple[str, int],
    log: Path,
    cases: Sequence[Case],
    *,
    database: str = "default",
    sessions: int,
    at_least: int,
    seconds: float,
    seed: int,
) -> Report:
    """Runs clients side by side until the time is over and enough queries have run; prints what goes wrong.

    Args:
        address: Host and port of the server, in which the tables exist.
        log: Its log.
        cases: What the clients draw from.
        database: Where the tables are.
        sessions: How many clients there are at a time.
        at_least: Queries that must have run.
        seconds: How long it lasts at least.
        seed: Of all that is drawn.
    """
    report = Report()
    position = log.stat().st_size
    end = time.monotonic() + seconds

    def connect() -> hive.Connection:
        return hive.connect(*address, username="stress", database=database, configuration=MANY_TASKS)

    def client(number: int) -> None:
        draw = random.Random(seed * 1_000 + number)
        while time.monotonic() < end or report.queries < at_least:
            with connect() as connection:
                for _ in range(QUERIES_A_SESSION):
                    query, expected = draw.choice(cases)
                    if draw.random() < FAULT_SHARE:
                        name = draw.choice(list(FAULTS))
                        report.faults.append(name)
                        _note(report.wrong, FAULTS[name](connect, draw, query))
                    else:
                        _ask(connection, query, expected, report)

    with ThreadPoolExecutor(sessions) as clients:
        for finished in [clients.submit(client, number) for number in range(sessions)]:
            finished.result()
    _search(log, position, report)
    return report


def _ask(connection: hive.Connection, query: Query, expected: Answer, report: Report) -> None:
    """Runs a query, and reports its answer or what went wrong."""
    began = time.monotonic()
    with connection.cursor() as cursor:
        try:
            for name, value in {**_RESET, **query.settings}.items():
                cursor.execute(f"SET {name}={value}")
            cursor.execute(query.hive)
            answer = Counter(map(_comparable, cursor.fetchall()))
        except Error as error:
            _note(report.errors, f"[{query.kind}] {query.hive}: {server_message(error)[:400]}")
            return
    if answer == expected:
        report.answered.append((query.kind, time.monotonic() - began))
        return
    missing, extra = list((expected - answer).elements())[:3], list((answer - expected).elements())[:3]
    _note(report.wrong, f"[{query.kind}] {query.hive}: right is {missing}…, the answer has {extra}…")


def _note(problems: list[str], problem: str) -> None:
    """Adds a problem, if there is one, and prints it at once."""
    if problem:
        problems.append(problem)
        print(f"!! {problem}", flush=True)


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
