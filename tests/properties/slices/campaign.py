"""Random histories against Spark: a slice with a row for which a predicate is TRUE must be read."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pyspark.sql import SparkSession

from pycompiler.compiler.compile import compile_predicate
from pycompiler.expression.model import HudiExpression, Never

from ..campaign import Checked, read
from ..spark_oracle import SparkOracle, random_zone
from ..tables import Table
from .handler import Handler, Slice
from .history import History
from .layouts import random_layout
from .predicates import random_predicates
from .records import ORDERING, exact_session, snapshot
from .rule import Rule, Votes
from .votes import Known, known_files, votes

_UPDATE_SHARE: Final = 0.6
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


LARGE: Final = Size(partitions=60, steps=8, looks=7, predicates=50)
SMALL: Final = Size(partitions=10, steps=4, looks=3, predicates=40)


@dataclass(frozen=True, slots=True)
class Answer:
    """A predicate that Spark and the handler have answered for the slices of one state.

    Attributes:
        checked: The predicate, and which slices have a row for which it is TRUE.
        expression: What it is compiled to.
        kept: The slices that the handler reads.
        votes: What is known of each slice, by the verdicts on its files.
    """

    checked: Checked
    expression: HudiExpression
    kept: frozenset[int]
    votes: tuple[Votes, ...]

    @property
    def lost(self) -> frozenset[int]:
        """Slices that are not read although a row passes: there must be none."""
        return self.checked.matching - self.kept

    def kept_by(self, rule: Rule) -> frozenset[int]:
        """The slices that are read by a rule over the verdicts on their files."""
        if isinstance(self.expression.root, Never):
            return frozenset()  # TRUE for no row whatsoever
        return frozenset(number for number, known in enumerate(self.votes) if rule(known))


@dataclass(frozen=True, slots=True)
class State:
    """A table at one moment of its history, and predicates over it.

    Attributes:
        seed: What the history was drawn from.
        said: What has happened to the table.
        slices: Its slices.
        rows: The columns, and the rows that Spark reads of each slice.
        known: What the index knows of the files.
        is_whole: Whether rows are whole records in this table.
        has_failed: Whether the last commit has failed, and nobody has taken it back yet.
        zone: In which zone Spark showed timestamps.
        answers: The predicates.
        refused: Predicates that Spark did not take.
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
    """The states of a table that is drawn from a seed.

    Raises:
        AssertionError: Spark reads a row of a slice that the handler does not list.
    """
    rng = random.Random(seed)
    own = exact_session(spark)
    history = History(own, folder / f"t{seed}", random_layout(rng), rng, size.partitions, size.steps)
    look = _Look(own, SparkOracle(own), handler, history, rng)
    history.begin()
    history.index()
    looks = set(rng.sample(range(size.steps), size.looks))
    for number in range(size.steps):
        history.step()
        if rng.random() < _UPDATE_SHARE:
            history.index()
        if number in looks:
            yield look.state(seed, size.predicates)


@dataclass(frozen=True, slots=True)
class _Look:
    """Spark's answers and the handler's about a table as it is.

    Attributes:
        spark: Reads the rows.
        oracle: Knows for which of them a predicate is TRUE.
        handler: Lists the table.
        history: The table.
        rng: Draws.
    """

    spark: SparkSession
    oracle: SparkOracle
    handler: Handler
    history: History
    rng: random.Random

    def state(self, seed: int, count: int) -> State:
        """Draws predicates, and has them answered."""
        history, rng = self.history, self.rng
        columns = (*history.table.columns, ORDERING)
        found = snapshot(self.spark, history.path, columns)
        everything = Table(columns, tuple(map(tuple, found.values())))
        drawn = random_predicates(rng, columns, everything, history.table, count)
        predicates = [read(sql.text, everything) for sql in drawn]
        expressions = [compile_predicate(predicate).expression for predicate in predicates]
        slices, kept = self.handler.listing(history.path, expressions)
        missing = set(found) - {of.group for of in slices}
        said = tuple(history.said)
        assert not missing, f"seed {seed}, {said}: rows of slices that are not listed: {missing}"
        rows = everything.with_files([found.get(of.group, []) for of in slices])
        zone = random_zone(rng)
        matching = self.oracle.files_with_true(rows, [sql.text for sql in drawn], zone)
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
