"""Random histories against Spark: a slice with a row for which a predicate is TRUE must be read."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from pyspark.sql import SparkSession

from pycompiler.compiler.compile import compile_predicate
from pycompiler.expression.model import HudiExpression
from pycompiler.predicate.model import Column

from ..campaign import Checked, read
from ..grammar import Grammar
from ..literals import literal
from ..spark_oracle import SparkOracle, random_zone
from ..sql import Sql, joined
from ..tables import Row, Table, Value
from .handler import Handler, Slice
from .history import History
from .layouts import random_layout
from .records import ORDERING, snapshot
from .rule import BROKEN, Votes, keeps
from .votes import known_files, votes

UPDATE_SHARE: Final = 0.6
"""Share of the steps after which the index is brought up to date."""


@dataclass(frozen=True, slots=True)
class Size:
    """How large the tables are.

    Attributes:
        partitions: Partitions of a table.
        steps: What happens to it.
        looks: After how many of the steps it is checked.
        predicates: Predicates of a check.
    """

    partitions: int
    steps: int
    looks: int
    predicates: int


LARGE: Final = Size(partitions=60, steps=10, looks=6, predicates=50)
SMALL: Final = Size(partitions=8, steps=5, looks=3, predicates=30)


@dataclass(frozen=True, slots=True)
class Answer:
    """A predicate that Spark and the handler have answered for the slices of one state.

    Attributes:
        checked: The predicate, and which slices have a row for which it is TRUE.
        expression: What it is compiled to.
        kept: The slices that the handler reads.
        votes: What is known of each slice.
    """

    checked: Checked
    expression: HudiExpression
    kept: frozenset[int]
    votes: tuple[Votes, ...]

    @property
    def lost(self) -> frozenset[int]:
        """Slices that are not read although a row passes: there must be none."""
        return self.checked.matching - self.kept

    @property
    def by_rule(self) -> frozenset[int]:
        """The slices that are to be read, by the rule over the verdicts on their files."""
        return frozenset(number for number, known in enumerate(self.votes) if keeps(known))


@dataclass(frozen=True, slots=True)
class State:
    """A table at one moment of its history, and predicates over it.

    Attributes:
        seed: What the history was drawn from.
        said: What has happened to the table.
        slices: Its slices.
        rows: The columns, and the rows that Spark reads of each slice.
        answers: The predicates.
        refused: Predicates that Spark did not take.
    """

    seed: int
    said: tuple[str, ...]
    slices: tuple[Slice, ...]
    rows: Table
    answers: tuple[Answer, ...]
    refused: int


def states(
    spark: SparkSession, handler: Handler, folder: Path, seed: int, size: Size = LARGE
) -> Iterator[State]:
    """The states of a table that is drawn from a seed.

    Raises:
        AssertionError: Spark reads a row of a slice that the handler does not list.
    """
    rng = random.Random(seed)
    own = _session(spark)
    history = History(own, folder / f"t{seed}", random_layout(rng), rng, size.partitions, size.steps)
    oracle = SparkOracle(own)
    history.begin()
    history.index()
    looks = set(rng.sample(range(size.steps), size.looks))
    for number in range(size.steps):
        history.step()
        if rng.random() < UPDATE_SHARE:
            history.index()
        if number in looks:
            yield _look(own, oracle, handler, history, rng, seed, size.predicates)


def _session(spark: SparkSession) -> SparkSession:
    """A session that takes instants of before 1900 for what is written."""
    session = spark.newSession()
    session.conf.set("spark.sql.parquet.datetimeRebaseModeInRead", "CORRECTED")
    return session


def _look(
    spark: SparkSession,
    oracle: SparkOracle,
    handler: Handler,
    history: History,
    rng: random.Random,
    seed: int,
    count: int,
) -> State:
    """Draws predicates over a table as it is, and has Spark and the handler answer them."""
    columns = (*history.table.columns, ORDERING)
    found = snapshot(spark, history.path, columns)
    everything = Table(columns, tuple(map(tuple, found.values())))
    drawn = _predicates(rng, everything, history.table, count)
    predicates = [read(sql.text, everything) for sql in drawn]
    expressions = [compile_predicate(predicate).expression for predicate in predicates]
    slices, kept = handler.list(history.path, expressions)
    missing = set(found) - {of.group for of in slices}
    assert not missing, (
        f"seed {seed}: {', '.join(history.said)}: rows of slices that are not listed: {missing}"
    )
    rows = everything.with_files([found.get(of.group, []) for of in slices])
    matching = oracle.files_with_true(rows, [sql.text for sql in drawn], random_zone(rng))
    known = known_files(history.path, slices, [column.name for column in columns])
    answers = tuple(
        Answer(
            Checked(sql, predicate, of_spark),
            expression,
            of_handler,
            tuple(votes(expression, slices, known, history.layout.is_whole)),
        )
        for sql, predicate, expression, of_handler, of_spark in zip(
            drawn, predicates, expressions, kept, matching, strict=True
        )
        if of_spark is not None
    )
    return State(seed, tuple(history.said), slices, rows, answers, len(drawn) - len(answers))


def _predicates(rng: random.Random, rows: Table, drawn: Table, count: int) -> list[Sql]:
    """Half of them about values that are or have been in the table; half about one of its rows."""
    columns = [*drawn.columns, ORDERING]
    grammar = Grammar(rng, drawn)
    present = [row for of_slice in rows.files for row in of_slice]
    made = [
        _of_row(rng, columns, rng.choice(present)) if present and rng.random() < 0.5 else grammar.condition()
        for _ in range(count)
    ]
    return list({sql.text: sql for sql in made}.values())


def _of_row(rng: random.Random, columns: Sequence[Column], row: Row) -> Sql:
    """A predicate that holds for a row: what some of its columns are."""
    chosen = rng.sample(columns, rng.randint(1, min(3, len(columns))))
    tests = [_test(rng, column, row[column.name]) for column in chosen]
    return Sql(("(", joined(" AND ", *tests), ")"), "condition")


def _test(rng: random.Random, column: Column, value: Value) -> Sql:
    if value is None:
        return Sql((f"({column.name} IS NULL)",), "condition")
    operator = rng.choice(("=", "=", "=", "<=", ">="))
    return Sql((f"({column.name} {operator} {literal(rng, column.type, value, alike=True)})",), "condition")


@dataclass(slots=True)
class Tally:
    """How much was looked at.

    Attributes:
        states: States of tables.
        tables: Their seeds.
        with_logs: File slices with logs in them.
        without_base: Those of them that have no base file.
        not_indexed: Those of them with a file of which the index knows nothing.
        other: File slices without logs.
        predicates: Predicates over a state.
        refused: Those that Spark did not take.
        checks: Slices with logs times predicates.
        without_match: Those with no row that passes.
        skipped: Those skipped.
        caught: How many slices with logs each broken rule would have lost.
    """

    states: int = 0
    tables: set[int] = field(default_factory=set)
    with_logs: int = 0
    without_base: int = 0
    not_indexed: int = 0
    other: int = 0
    predicates: int = 0
    refused: int = 0
    checks: int = 0
    without_match: int = 0
    skipped: int = 0
    caught: Counter[str] = field(default_factory=Counter)

    def add(self, state: State) -> None:
        """Counts a state."""
        logs = frozenset(number for number, of in enumerate(state.slices) if of.logs)
        self.states += 1
        self.tables.add(state.seed)
        self.with_logs += len(logs)
        self.without_base += sum(state.slices[number].base is None for number in logs)
        self.other += len(state.slices) - len(logs)
        self.predicates += len(state.answers)
        self.refused += state.refused
        if state.answers:
            self.not_indexed += sum(
                any(known.unknown) for number, known in enumerate(state.answers[0].votes) if number in logs
            )
        for answer in state.answers:
            matching = answer.checked.matching
            self.checks += len(logs)
            self.without_match += len(logs - matching)
            self.skipped += len(logs - answer.kept)
            for name, rule in BROKEN.items():
                self.caught[name] += sum(not rule(answer.votes[number]) for number in logs & matching)

    @property
    def not_caught(self) -> list[str]:
        """The broken rules that nothing has shown to be broken."""
        return [name for name in BROKEN if not self.caught[name]]

    def __str__(self) -> str:
        return (
            f"{self.with_logs:,} slices with logs ({self.without_base:,} without a base file, "
            f"{self.not_indexed:,} with a log that the index does not know) and {self.other:,} others, "
            f"in {self.states:,} states of {len(self.tables):,} tables; {self.predicates:,} predicates, "
            f"{self.refused:,} refused by Spark; {self.checks:,} slices with logs under a predicate, "
            f"{self.without_match:,} without a match, {self.skipped:,} skipped"
        )
