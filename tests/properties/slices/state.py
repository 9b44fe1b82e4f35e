"""Checks random histories against Spark: a slice with a row for which a predicate is TRUE must be read."""

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pyspark.sql import SparkSession

from pycompiler.compile.compiler.compile import compile_predicate
from pycompiler.compile.expression.model import HudiExpression, Never
from tests.drawing.grammar import Grammar
from tests.drawing.reading import read
from tests.drawing.tables import Table

from ..batch import Checked
from ..spark_oracle import SparkOracle, random_zone
from .handler import Handler, Slice
from .history import History
from .layouts import random_layout
from .records import IDENTITY, ORDERING, exact_session, snapshot
from .rule import Rule, Votes
from .votes import Known, known_files, votes

_UPDATE_SHARE: Final = 0.6
"""Share of steps followed by an index update."""


@dataclass(frozen=True, slots=True)
class Size:
    """Size of the tables.

    Attributes:
        partitions: Partitions of a table.
        steps: Steps of its history.
        looks: Number of steps after which the table is checked.
        predicates: Predicates per check.
    """

    partitions: int
    steps: int
    looks: int
    predicates: int


LARGE: Final = Size(partitions=60, steps=8, looks=7, predicates=50)
SMALL: Final = Size(partitions=10, steps=4, looks=3, predicates=40)


@dataclass(frozen=True, slots=True)
class Answer:
    """A predicate, with Spark's and the handler's answers for the slices of one state.

    Attributes:
        checked: The predicate, and the slices with a row for which it is TRUE.
        expression: The compiled predicate.
        kept: The slices that the handler reads.
        votes: For each slice, what the verdicts on its files say.
    """

    checked: Checked
    expression: HudiExpression
    kept: frozenset[int]
    votes: tuple[Votes, ...]

    @property
    def lost(self) -> frozenset[int]:
        """The slices that are not read although a row passes: always empty in correct code."""
        return self.checked.matching - self.kept

    def kept_by(self, rule: Rule) -> frozenset[int]:
        """Returns the slices that a rule reads, given the verdicts on their files."""
        if isinstance(self.expression.root, Never):
            return frozenset()  # TRUE for no row at all.
        return frozenset(number for number, known in enumerate(self.votes) if rule(known))


@dataclass(frozen=True, slots=True)
class State:
    """A table at one moment of its history, and predicates over it.

    Attributes:
        seed: Seed of the history.
        said: The history so far.
        slices: Its slices.
        rows: The columns, and the rows that Spark reads from each slice.
        known: The index's statistics of the files.
        is_whole: Whether every row is a whole record.
        has_failed: Whether the last commit failed and has not been rolled back.
        zone: Spark's session time zone.
        answers: The predicates.
        refused: Number of predicates that Spark rejected.
    """

    seed: int
    said: tuple[str, ...]
    slices: tuple[Slice, ...]
    rows: Table
    known: Known
    is_whole: bool
    has_failed: bool
    zone: str
    answers: tuple[Answer, ...]
    refused: int


def states(
    spark: SparkSession, handler: Handler, folder: Path, seed: int, size: Size = LARGE
) -> Iterator[State]:
    """Yields states of a table drawn from a seed.

    Raises:
        AssertionError: Spark reads a row from a slice that the handler does not list, or the two read
            different rows of a slice.
    """
    rng = random.Random(seed)
    own = exact_session(spark)
    layout = random_layout(rng, own)
    path = folder / f"t{seed}"
    history = History(own, path, layout, rng, size.partitions, size.steps, repeats_keys=True)
    history.begin()
    history.index()
    looks = set(rng.sample(range(size.steps), size.looks))
    for number in range(size.steps):
        history.step()
        if rng.random() < _UPDATE_SHARE:
            history.index()
        if number in looks:
            yield _state(own, handler, history, rng, seed, size.predicates)


def _state(
    spark: SparkSession, handler: Handler, history: History, rng: random.Random, seed: int, count: int
) -> State:
    """Draws predicates over a table's current state, and compares Spark's answers with the handler's."""
    columns = (*history.table.columns, ORDERING)
    found = snapshot(spark, history.path, (*columns, *IDENTITY))
    everything = Table(columns, tuple(map(tuple, found.values())))
    # Half over past, present and future values, half over one current row.
    grammar = Grammar(rng, history.table)
    present = [row for of_slice in everything.files for row in of_slice]
    made = [
        grammar.holding(rng.choice(present), columns)
        if present and rng.random() < 0.5
        else grammar.condition()
        for _ in range(count)
    ]
    drawn = list({sql.text: sql for sql in made}.values())
    predicates = [read(sql.text, everything) for sql in drawn]
    expressions = [compile_predicate(predicate).expression for predicate in predicates]
    slices, kept = handler.listing(history.path, expressions)
    missing = set(found) - {of.group for of in slices}
    said = tuple(history.said)
    assert not missing, f"seed {seed}, {said}: rows of slices that are not listed: {missing}"
    first = 0 if history.layout.is_whole else 1
    for of in slices:
        theirs = _identities(
            [[row[column.name] for column in IDENTITY] for row in found.get(of.group, [])], first
        )
        assert _identities(of.rows, first) == theirs, f"seed {seed}, {said}: of {of} Spark reads {theirs}"
    rows = everything.with_files([found.get(of.group, []) for of in slices])
    zone = random_zone(rng)
    matching = SparkOracle(spark).files_with_true(rows, [sql.text for sql in drawn], zone)
    known = known_files(history.path, slices, [column.name for column in columns])
    is_whole = history.layout.is_whole
    answers = tuple(
        Answer(
            Checked(sql, predicate, of_spark),
            expression,
            of_handler,
            tuple(votes(expression, slices, known, is_whole)),
        )
        for sql, predicate, expression, of_handler, of_spark in zip(
            drawn, predicates, expressions, kept, matching, strict=True
        )
        if of_spark is not None
    )
    return State(
        seed=seed,
        said=said,
        slices=slices,
        rows=rows,
        known=known,
        is_whole=is_whole,
        has_failed=history.has_failed,
        zone=zone,
        answers=answers,
        refused=len(drawn) - len(answers),
    )


def _identities(rows: Iterable[Sequence[object]], first: int) -> list[tuple[str, ...]]:
    """Returns what tells rows from others, from a position on.

    Readers of Hudi differ in which record's number a row made of several has, but not in its key.
    """
    return sorted(tuple(map(str, row[first:])) for row in rows)
