"""Checks random predicates against Spark: a file with a row for which one is TRUE must be kept.

A file that `p IS NOT TRUE` skips is one in which every row matches p; `SELECT count(*)` does not open it.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass

from pycompiler.compile.compiler.compile import compile_predicate
from pycompiler.compile.expression.evaluator import FileStatistics, evaluate
from pycompiler.compile.expression.model import HudiExpression, Unknown
from pycompiler.compile.predicate.model import Predicate
from pycompiler.compile.sql.from_sql import Dialect, from_sql

from .collected import varied
from .grammar import Grammar
from .spark_oracle import SparkOracle, random_zone
from .sql import Sql
from .tables import Table, random_table

BATCH = 400
"""Predicates per table: enough to outweigh the cost of a query."""


@dataclass(frozen=True, slots=True)
class Checked:
    """A predicate and Spark's answer.

    Attributes:
        sql: The predicate as SQL.
        predicate: The same, parsed.
        matching: Files with a row for which it is TRUE.
    """

    sql: Sql
    predicate: Predicate
    matching: frozenset[int]


@dataclass(frozen=True, slots=True)
class Batch:
    """A table, and predicates over it.

    Attributes:
        seed: The seed that everything was drawn from.
        table: The table.
        statistics: Statistics of each file.
        zone: Spark's session time zone.
        checked: The predicates.
        opposites: `p IS NOT TRUE` for each of them.
        refused: Predicates that Spark rejected.
    """

    seed: int
    table: Table
    statistics: tuple[FileStatistics, ...]
    zone: str
    checked: tuple[Checked, ...]
    opposites: tuple[Checked, ...]
    refused: tuple[str, ...]

    def skipped(self, predicate: Predicate) -> tuple[HudiExpression, frozenset[int]]:
        """Compiles a predicate; returns the expression and the files that it skips."""
        expression = compile_predicate(predicate).expression
        kept = evaluate(expression, self.statistics)
        return expression, frozenset(file for file, is_kept in enumerate(kept) if not is_kept)

    def lost(self, checked: Checked) -> frozenset[int]:
        """Returns the files that are skipped although a row in them passes: always empty in correct code."""
        _, skipped = self.skipped(checked.predicate)
        return skipped & checked.matching


@dataclass(slots=True)
class Tally:
    """Counts of a campaign.

    Attributes:
        predicates: Predicates that Spark answered.
        refused: Predicates that Spark rejected.
        used: Predicates of which the compiler used at least a part.
        files: Files, counted once per predicate.
        without_match: Those without a passing row.
        skipped: Those skipped.
        all_match: Files in which every row passes.
        covered: Those of which the compiler knows it.
    """

    predicates: int = 0
    refused: int = 0
    used: int = 0
    files: int = 0
    without_match: int = 0
    skipped: int = 0
    all_match: int = 0
    covered: int = 0

    def add(self, files: int, checked: Checked, expression: HudiExpression, skipped: frozenset[int]) -> None:
        """Counts one predicate over some files."""
        self.predicates += 1
        self.used += not isinstance(expression.root, Unknown)
        self.files += files
        self.without_match += files - len(checked.matching)
        self.skipped += len(skipped)

    def __str__(self) -> str:
        return (
            f"{self.predicates:,} predicates, {self.refused:,} refused by Spark, {self.used:,} used; "
            f"{self.files:,} files, {self.without_match:,} without a match, {self.skipped:,} skipped, "
            f"{self.all_match:,} with matches only, {self.covered:,} known to be"
        )


def batch(oracle: SparkOracle, seed: int) -> Batch:
    """Draws a table and predicates from a seed, and asks Spark."""
    rng = random.Random(seed)
    table = random_table(rng)
    statistics = varied(rng, table)
    zone = random_zone(rng)
    grammar = Grammar(rng, table)
    drawn = list({sql.text: sql for sql in (grammar.condition() for _ in range(BATCH))}.values())
    answers = oracle.matches(table, [sql.text for sql in drawn], zone)
    answered = [(sql, found) for sql, found in zip(drawn, answers, strict=True) if found is not None]
    refused = [sql.text for sql, found in zip(drawn, answers, strict=True) if found is None]
    checked = [Checked(sql, read(sql.text, table), found.true) for sql, found in answered]
    opposites = [
        Checked(opposite, read(opposite.text, table), found.not_true)
        for sql, found in answered
        for opposite in [Sql(("(", sql, ") IS NOT TRUE"))]
    ]
    return Batch(seed, table, tuple(statistics), zone, tuple(checked), tuple(opposites), tuple(refused))


def read(text: str, table: Table) -> Predicate:
    """Parses a predicate in the dialect that it is written in."""
    return from_sql(text, table.schema, dialect=dialect_of(text))


def dialect_of(text: str) -> Dialect:
    """Returns Hive's dialect if Hive has all of the predicate's functions, otherwise Spark's."""
    return Dialect.SPARK if "date_trunc(" in text else Dialect.HIVE


def violations(batch: Batch, tally: Tally) -> Iterator[Checked]:
    """Yields the predicates, and opposites, that skip a file with a passing row."""
    tally.refused += len(batch.refused)
    for checked in batch.checked:
        expression, skipped = batch.skipped(checked.predicate)
        tally.add(len(batch.table.files), checked, expression, skipped)
        if skipped & checked.matching:
            yield checked
    for opposite in batch.opposites:
        _, skipped = batch.skipped(opposite.predicate)
        tally.all_match += len(batch.table.files) - len(opposite.matching)
        tally.covered += len(skipped)
        if skipped & opposite.matching:
            yield opposite
