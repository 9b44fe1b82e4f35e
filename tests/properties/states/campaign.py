"""The campaign of statements: a Hive server runs them, each with its own settings."""

import random
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import Final

from pyspark.sql import SparkSession

from tests.e2e.harness.session import QueryFailed, Session

from ..frame import Campaign, Tally
from ..program import hive_session
from .statements import Drawing, Names, Statement
from .table import STATES, TYPES, StatesTable, write

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


@dataclass(frozen=True, slots=True)
class Drawn:
    """Statements with the same settings."""

    settings: Mapping[str, str]
    statements: Sequence[Statement]


@dataclass(frozen=True, slots=True)
class Statements(Campaign[Drawn]):
    """Statements, five per seed.

    Attributes:
        session: Runs them.
        tables: What they read.
    """

    session: Session
    tables: Sequence[Names]
    unit = "statements"

    def drawn(self, seed: int, folder: Path, is_over: Event) -> Drawn:
        """Draws settings and statements, with their answers."""
        rng = random.Random(seed)
        settings = {name: rng.choice(values) for name, values in _SETTINGS.items()}
        if settings["hive.execution.engine"] == "mr":
            settings[_MATERIALIZED] = "-1"  # Hive fails here: it has no statistics of the plan.
        drawn = [Drawing(rng, rng.choice(self.tables)).statement() for _ in range(_STATEMENTS_A_SETTING)]
        return Drawn(settings, drawn)

    def wrong(self, case: Drawn, tally: Tally) -> Iterator[Outcome]:
        """Yields the statements with wrong answers."""
        with self.session.settings(case.settings):
            for statement in case.statements:
                outcome = _outcome(self.session, statement, case.settings)
                tally[self.unit] += 1
                tally[statement.form] += 1
                tally[f"refused on {case.settings['hive.execution.engine']}"] += outcome.is_refused
                tally["not without the CBO"] += outcome.is_foreign
                if not outcome.is_right:
                    yield outcome


@contextmanager
def statements(spark: SparkSession) -> Iterator[Statements]:
    """Opens the campaign, on its own server."""
    with tempfile.TemporaryDirectory() as folder:
        tables = [write(spark, Path(folder, name), of_table) for name, of_table in TYPES.items()]
        with hive_session(f"{folder}/hive") as session, names(session, tables) as named:
            yield Statements(session, named)


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


def _outcome(session: Session, statement: Statement, settings: Mapping[str, str]) -> Outcome:
    try:
        rows = session.rows(statement.text)
    except QueryFailed as failure:
        return Outcome(statement, settings, None, str(failure))
    return Outcome(statement, settings, tuple(sorted(rows, key=repr)))
