"""Draws predicates over values that a table had or will have, and over its current rows."""

import random
from collections.abc import Sequence

from pycompiler.compile.predicate.model import Column

from ..grammar import Grammar
from ..literals import literal
from ..sql import Sql, joined
from ..tables import Row, Table, Value


def random_predicates(
    rng: random.Random, columns: Sequence[Column], rows: Table, drawn: Table, count: int
) -> list[Sql]:
    """Draws predicates: half over past, present and future values, half over one current row.

    Args:
        rng: Source of randomness.
        columns: Columns for predicates over a row.
        rows: The current rows.
        drawn: All rows written so far or later.
        count: Number of predicates, before duplicates are removed.
    """
    grammar = Grammar(rng, drawn)
    present = [row for of_slice in rows.files for row in of_slice]
    made = [
        of_row(rng, columns, rng.choice(present)) if present and rng.random() < 0.5 else grammar.condition()
        for _ in range(count)
    ]
    return list({sql.text: sql for sql in made}.values())


def of_row(rng: random.Random, columns: Sequence[Column], row: Row) -> Sql:
    """Draws a predicate that holds for a row: the values of some of its columns."""
    chosen = rng.sample(columns, rng.randint(1, min(3, len(columns))))
    tests = [_test(rng, column, row[column.name]) for column in chosen]
    return Sql(("(", joined(" AND ", *tests), ")"), "condition")


def _test(rng: random.Random, column: Column, value: Value) -> Sql:
    if value is None:
        return Sql((f"({column.name} IS NULL)",), "condition")
    operator = rng.choice(("=", "=", "=", "<=", ">="))
    return Sql((f"({column.name} {operator} {literal(rng, column.type, value, alike=True)})",), "condition")
