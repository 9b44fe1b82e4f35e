"""Runs statements in a Hive server, each with its own settings, and checks the answers."""

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Final

from tests.e2e.harness.session import QueryFailed, Session

from .statements import Drawing, Names, Statement
from .table import STATES, StatesTable

_MATERIALIZED: Final = "hive.optimize.cte.materialize.threshold"
_SETTINGS: Final[Mapping[str, Sequence[str]]] = {
    "hive.cbo.enable": ("true", "true", "true", "false"),
    "hive.optimize.shared.work": ("true", "true", "false"),
    "hive.optimize.shared.work.merge.ts.schema": ("true", "false"),
    "hive.optimize.shared.work.dppunion": ("true", "false"),
    "hive.exec.parallel": ("true", "false"),
    "hive.vectorized.execution.enabled": ("true", "false"),
    "hive.fetch.task.conversion": ("more", "none"),
    "hive.auto.convert.join": ("true", "false"),
    _MATERIALIZED: ("2", "1"),
    "hive.optimize.cte.materialize.full.aggregate.only": ("true", "false"),
    "hudi.skipping.mode": ("on", "off"),
    "hive.execution.engine": ("tez",) * 19 + ("mr",),
}

_STATEMENTS_A_SETTING: Final = 5
"""Statements per change of settings, which takes as long as a statement."""

_NOT_OF_HIVE: Final = (
    "only supported with Cost Based Optimizations enabled",
    "Unsupported SubQuery Expression",
    "Only SubQuery expressions that are top level conjuncts are allowed",
)
"""Hive's errors for statements that need its cost-based optimizer."""

REFUSED: Final = ("one job reads two states of", "would mix up two states of a table")
"""The handler's errors for statements that it cannot answer."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A statement that was run.

    Attributes:
        statement: The statement.
        settings: The session's settings.
        found: Its rows; None if it failed.
        error: Why it failed.
    """

    statement: Statement
    settings: Mapping[str, str]
    found: tuple[tuple[object, ...], ...] | None
    error: str = ""

    @property
    def is_refused(self) -> bool:
        """Whether the handler refused it with a reason."""
        return any(text in self.error for text in REFUSED)

    @property
    def is_foreign(self) -> bool:
        """Whether Hive cannot run it without its cost-based optimizer."""
        without = self.settings["hive.cbo.enable"] == "false"
        return without and any(text in self.error for text in _NOT_OF_HIVE)

    @property
    def is_right(self) -> bool:
        """Whether the answer is right, or refused."""
        if self.found is None:
            return self.is_refused or self.is_foreign
        return self.found == self.statement.expected

    def __str__(self) -> str:
        lines = [f"SET {name}={value};" for name, value in self.settings.items()]
        lines += [f"{self.statement.text};", f"-- expected {self.statement.expected}"]
        lines += [f"-- returned {self.found}" if self.found is not None else f"-- failed: {self.error}"]
        return "\n".join(lines)


@dataclass(slots=True)
class Tally:
    """Counts of a campaign."""

    statements: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    foreign: Counter[str] = field(default_factory=Counter)
    wrong: Counter[str] = field(default_factory=Counter)

    def add(self, outcome: Outcome) -> None:
        """Counts an outcome."""
        form = outcome.statement.form
        self.statements[form] += 1
        self.refused[f"{form}, {outcome.settings['hive.execution.engine']}"] += outcome.is_refused
        self.foreign[form] += outcome.is_foreign
        self.wrong[form] += not outcome.is_right

    def __str__(self) -> str:
        def total(counter: Counter[str]) -> str:
            of_forms = ", ".join(f"{form} {count}" for form, count in counter.items() if count)
            return f"{counter.total():,}" + (f" ({of_forms})" if of_forms else "")

        return (
            f"{self.statements.total():,} statements, wrong: {total(self.wrong)}, "
            f"refused: {total(self.refused)}, not without the CBO: {total(self.foreign)}"
        )


@contextmanager
def names(session: Session, tables: Sequence[StatesTable]) -> Iterator[list[Names]]:
    """Creates the tables in Hive, with a view over each of their states."""
    with ExitStack() as stack:
        found = []
        for table in tables:
            name = stack.enter_context(session.table(table.path))
            views = [f"{name}_v{state}" for state in range(STATES)]
            for state, view in enumerate(views):
                session.rows(f"create view {view} as select id, i from {name}{table.clause(state)}")
                stack.callback(session.rows, f"drop view {view}")
            found.append(Names(name, views, table))
        yield found


def outcomes(session: Session, tables: Sequence[Names], seed: int) -> Iterator[Outcome]:
    """Runs statements forever."""
    rng = random.Random(seed)
    while True:
        settings = {name: rng.choice(values) for name, values in _SETTINGS.items()}
        if settings["hive.execution.engine"] == "mr":
            settings[_MATERIALIZED] = "-1"  # Hive fails here: it has no statistics of the plan.
        with session.settings(settings):
            for _ in range(_STATEMENTS_A_SETTING):
                yield run(session, Drawing(rng, rng.choice(tables)).statement(), settings)


def run(session: Session, statement: Statement, settings: Mapping[str, str]) -> Outcome:
    """Runs a statement."""
    try:
        rows = session.rows(statement.text)
    except QueryFailed as failure:
        return Outcome(statement, settings, None, str(failure))
    return Outcome(statement, settings, tuple(sorted(rows, key=repr)))
