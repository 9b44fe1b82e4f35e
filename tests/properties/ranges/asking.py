"""Runs ranges in Hive and compares the answers."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Final

from tests.e2e.harness.check import comparable
from tests.e2e.harness.session import QueryFailed, Session, create_statement

from .questions import Question, Written
from .spans import Range
from .ways import USUAL, WAYS

_REFUSED: Final = re.compile("archived|cleaned")
_REVERSED: Final = re.compile(r"\bstarts?\b")


class Outcome(Enum):
    """The outcome of a question."""

    RIGHT = "right"
    WRONG = "WRONG"
    FAILED = "FAILED"
    REFUSED = "refused"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, and Hive's answer or error.

    Attributes:
        table: The table.
        question: The question.
        outcome: The outcome.
        missing: Rows that the answer lacks.
        extra: Rows that the answer should not contain.
        message: Hive's error message.
    """

    table: Written
    question: Question
    outcome: Outcome
    missing: Counter[tuple[str, ...]]
    extra: Counter[tuple[str, ...]]
    message: str = ""

    @property
    def is_wrong(self) -> bool:
        """Whether the outcome is a defect."""
        return self.outcome in (Outcome.WRONG, Outcome.FAILED)

    def __str__(self) -> str:
        question = self.question
        parts = [
            f"{self.outcome.value} (seed {self.table.seed}): {question.range}, {question.way}",
            f"  {question.query(self.table.path.name)}",
            *(f"  SET {name}={value};" for name, value in question.range.settings(self.table.name).items()),
            f"  commits {', '.join(sorted(question.commits))}",
            f"  after {', '.join(self.table.said)}",
        ]
        if self.outcome is Outcome.FAILED:
            return "\n".join([*parts, f"  {self.message}"])
        missing, extra = (sorted(rows.elements())[:5] for rows in (self.missing, self.extra))
        return "\n".join([*parts, f"  missing {missing}", f"  too many {extra}"])


def asked(session: Session, table: Written) -> Iterator[Asked]:
    """Asks all questions about a table, one after the other."""
    name = table.path.name
    session.rows(create_statement(name, table.path))
    no_range = dict.fromkeys(Range.everything().settings(table.name), "")
    try:
        with session.settings({**USUAL, **no_range}):
            current = {**USUAL, **no_range}
            for question in table.questions:
                # Consecutive questions share most settings, and each SET is a round trip.
                wanted = {**question.range.settings(table.name), **WAYS[question.way]}
                for setting in wanted.items() - current.items():
                    session.rows("SET {}={}".format(*setting))
                current = wanted
                yield _asked(session, table, question)
    finally:
        session.rows(f"DROP TABLE {name}")


def _asked(session: Session, table: Written, question: Question) -> Asked:
    nothing: Counter[tuple[str, ...]] = Counter()
    try:
        rows = session.rows(question.query(table.path.name))
    except QueryFailed as failure:
        message = str(failure)
        return Asked(table, question, _failed(question, message), nothing, nothing, message)
    if question.rows is None:
        return Asked(table, question, Outcome.UNDECIDED, nothing, nothing)
    found, expected = Counter(map(comparable, rows)), question.expected()
    outcome = Outcome.RIGHT if found == expected else Outcome.WRONG
    return Asked(table, question, outcome, expected - found, found - expected)


def _failed(question: Question, message: str) -> Outcome:
    """Classifies a query that Hive refused or that failed."""
    if _REVERSED.search(message) if question.range.is_reversed else _REFUSED.search(message):
        return Outcome.REFUSED
    # Spark may have failed on the same records.
    return Outcome.UNDECIDED if question.rows is None else Outcome.FAILED
