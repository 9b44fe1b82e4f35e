"""Filters that every peer can be asked: ranges of columns, joined by AND."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from pycompiler.compiler.compile import compile_predicate
from pycompiler.expression.model import HudiExpression
from pycompiler.sql.from_sql import Dialect, from_sql
from pycompiler.values.types import HiveType

from .table import FIRST_DAY, ColumnKind

Bound = int | float | str

# Most files have values in these: so that each further condition is looked at, and files are left at the end.
_WIDE_RANGES: Final[dict[str, tuple[Bound, Bound]]] = {
    "small": (1, 600),
    "enum": (0, 1),
    "wide": (1 << 30, 900 << 30),
    "money": (1.5, 400.0),
    "rating": (4.0, 5.0),
    "code": ("CHF", "JPY"),
    "word": ("comfort", "premier"),
    "uuid": ("2", "d"),
}


@dataclass(frozen=True)
class Condition:
    """`low <= column AND column <= high`.

    Attributes:
        column: The column.
        hive_type: Its type.
        low: Least value wanted; a date as text.
        high: Greatest value wanted.
    """

    column: str
    hive_type: str
    low: Bound
    high: Bound

    def sql(self) -> str:
        """As Hive and Spark write it."""
        return f"{self.column} BETWEEN {self._literal(self.low)} AND {self._literal(self.high)}"

    def _literal(self, value: Bound) -> str:
        match self.hive_type:
            case "date":
                return f"DATE '{value}'"
            case "string":
                return f"'{value}'"
            # A number with a point is a decimal, which Hive would compare with a double in another way.
            case "double":
                return f"CAST({value} AS DOUBLE)"
            case _:
                return str(value)


def where(conditions: Sequence[Condition]) -> str:
    """What stands after WHERE."""
    return " AND ".join(condition.sql() for condition in conditions)


def compiled(conditions: Sequence[Condition]) -> HudiExpression:
    """The expression that the compiler makes of it."""
    schema = {condition.column: HiveType.parse(condition.hive_type) for condition in conditions}
    return compile_predicate(from_sql(where(conditions), schema, dialect=Dialect.HIVE)).expression


def conditions_on(columns: Sequence[ColumnKind], count: int) -> list[Condition]:
    """One day, and wide ranges of other columns, which lie far from each other in the order of names."""
    day = str(FIRST_DAY + timedelta(days=4))
    dated = next(column for column in columns if column.shape == "date" and not column.sparse)
    others = [column for column in columns if column.shape in _WIDE_RANGES and not column.sparse]
    step = max(len(others) // max(count - 1, 1), 1)
    chosen = others[::step][: count - 1]
    return [
        Condition(dated.name, dated.hive_type, day, day),
        *(Condition(column.name, column.hive_type, *_WIDE_RANGES[column.shape]) for column in chosen),
    ]
