"""Predicates over a table: about values that it has had, and about rows that it has."""

import random
from collections.abc import Sequence

from pycompiler.predicate.model import Column

from ..grammar import Grammar
from ..literals import literal
from ..sql import Sql, joined
from ..tables import Row, Table, Value


def random_predicates(
    rng: random.Random, columns: Sequence[Column], rows: Table, drawn: Table, count: int
) -> list[Sql]:
    """Half of them about values that are, have been or will be in the table; half about one of its rows.

    Args:
        rng: Draws.
        columns: What the latter may be about.
        rows: The rows that there are.
        drawn: What has been and will be written.
        count: How many, before those that are alike are taken for one.
    """
    grammar = Grammar(rng, drawn)
    present = [row for of_slice in rows.files for row in of_slice]
    made = [
        of_row(rng, columns, rng.choice(present)) if present and rng.random() < 0.5 else grammar.condition()
        for _ in range(count)
    ]
    return list({sql.text: sql for sql in made}.values())


def of_row(rng: random.Random, columns: Sequence[Column], row: Row) -> Sql:
    """A predicate that holds for a row: what some of its columns are."""
    chosen = rng.sample(columns, rng.randint(1, min(3, len(columns))))
    tests = [_test(rng, column, row[column.name]) for column in chosen]
    return Sql(("(", joined(" AND ", *tests), ")"), "condition")


def _test(rng: random.Random, column: Column, value: Value) -> Sql:
    if value is None:
        return Sql((f"({column.name} IS NULL)",), "condition")
    operator = rng.choice(("=", "=", "=", "<=", ">="))
    return Sql((f"({column.name} {operator} {literal(rng, column.type, value, alike=True)})",), "condition")
