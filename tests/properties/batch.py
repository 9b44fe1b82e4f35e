"""Draws a table and predicates over it, with Spark's answers."""

import random
from dataclasses import dataclass

from pycompiler.compile.compiler.compile import compile_predicate
from pycompiler.compile.expression.evaluator import FileStatistics, evaluate
from pycompiler.compile.expression.model import HudiExpression
from pycompiler.compile.predicate.model import Predicate
from tests.drawing.collected import varied
from tests.drawing.grammar import Grammar
from tests.drawing.reading import read
from tests.drawing.sql import Sql
from tests.drawing.tables import Table, random_table

from .spark_oracle import SparkOracle, random_zone

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
