"""Filters that every peer supports: ranges of columns, joined by AND."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from pycompiler.compile.compiler.compile import compile_predicate
from pycompiler.compile.expression.model import HudiExpression
from pycompiler.compile.sql.from_sql import Dialect, from_sql
from pycompiler.compile.values.types import HiveType

from .table import FIRST_DAY, ColumnKind

Bound = int | float | str

# Most files have values in these ranges, so every further condition is evaluated and some files are kept.
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
    """`low <= column AND column <= high`; dates are text."""

    column: str
    hive_type: str
    low: Bound
    high: Bound

    def sql(self) -> str:
        """Returns the text in Hive's and Spark's dialect."""
        return f"{self.column} BETWEEN {self._literal(self.low)} AND {self._literal(self.high)}"

    def _literal(self, value: Bound) -> str:
        match self.hive_type:
            case "date":
                return f"DATE '{value}'"
            case "string":
                return f"'{value}'"
            # Without a cast it would be a decimal, which Hive compares differently.
            case "double":
                return f"CAST({value} AS DOUBLE)"
            case _:
                return str(value)


def where(conditions: Sequence[Condition]) -> str:
    """Returns the text after WHERE."""
    return " AND ".join(condition.sql() for condition in conditions)


def compiled(conditions: Sequence[Condition]) -> HudiExpression:
    """Returns the compiled expression."""
    schema = {condition.column: HiveType.parse(condition.hive_type) for condition in conditions}
    return compile_predicate(from_sql(where(conditions), schema, dialect=Dialect.HIVE)).expression


def conditions_on(columns: Sequence[ColumnKind], count: int) -> list[Condition]:
    """Returns one day, and wide ranges of other columns whose names are far apart."""
    day = str(FIRST_DAY + timedelta(days=4))
    dated = next(column for column in columns if column.shape == "date" and not column.sparse)
    others = [column for column in columns if column.shape in _WIDE_RANGES and not column.sparse]
    step = max(len(others) // max(count - 1, 1), 1)
    chosen = others[::step][: count - 1]
    return [
        Condition(dated.name, dated.hive_type, day, day),
        *(Condition(column.name, column.hive_type, *_WIDE_RANGES[column.shape]) for column in chosen),
    ]
