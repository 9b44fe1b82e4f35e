"""Draws value expressions: columns, and compositions of every function that has a rule in the compiler."""

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Final, TypeAlias

from pycompiler.compile.values.types import HiveType, ValueKind

from .literals import day_text, literal, near, quoted
from .sql import Sql
from .tables import DAY_MICROS, Table, Value

EPOCH: Final = date(1970, 1, 1).toordinal()
INTEGERS: Final = ("tinyint", "smallint", "int", "bigint")
INT: Final = HiveType("int")
BIGINT: Final = HiveType("bigint")
DOUBLE: Final = HiveType("double")
STRING: Final = HiveType("string")
DATE: Final = HiveType("date")
TIMESTAMP: Final = HiveType("timestamp")
DATE_TEXT: Final = HiveType("void")
"""A date in Spark and a string in Hive. The engines agree when it is compared with plain text of a date."""
_MAX_DEPTH: Final = 3
_MAX_SAMPLES: Final = 6
_OTHER_SHARE: Final = 0.45


@dataclass(frozen=True, slots=True)
class Operand:
    """A value expression.

    Attributes:
        sql: Its text.
        type: Its type in Hive, or `DATE_TEXT`, which is not a type.
        samples: Values that it may roughly have, from which constants are drawn.
    """

    sql: Sql
    type: HiveType
    samples: tuple[Value, ...]

    @property
    def is_short(self) -> bool:
        """Whether Hive, which lists the integers of a BETWEEN, has enough memory for these."""
        is_integer = self.type.kind is ValueKind.INTEGER
        return not is_integer or all(
            abs(value) <= 1 << 20 for value in self.samples if isinstance(value, int)
        )


@dataclass(frozen=True, slots=True)
class Constants:
    """What constants are like.

    Attributes:
        plain: Whether to write constants and columns in the usual form, which every reader knows.
        other: Writes constants of any other type, given the type of what they are compared with and a value
            of it. None: for engines that convert these in different ways.
    """

    plain: bool = False
    other: Callable[[random.Random, HiveType, Value], str] | None = None


Function: TypeAlias = Callable[["Values", int], Operand | None]
"""Draws a call of a function at a nesting depth; returns None if the table has no suitable column."""


@dataclass(frozen=True, slots=True)
class Values:
    """Draws value expressions.

    Attributes:
        rng: Source of randomness.
        columns: The columns, or other expressions.
        condition: Draws a condition at a nesting depth.
        functions: Functions to draw from.
        constants: What constants are like.
        nesting: How often an operand of a function is a function itself.
    """

    rng: random.Random
    columns: Sequence[Operand]
    condition: Callable[[int], Sql]
    functions: Sequence[Function]
    constants: Constants
    nesting: float
    _by_type: dict[HiveType, list[Operand]] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        for operand in self.columns:
            self._by_type.setdefault(operand.type, []).append(operand)

    def any_value(self, depth: int = 0) -> Operand:
        """Draws a column or a function of columns."""
        share = 0.6 if depth == 0 else self.nesting
        if self.functions and depth < _MAX_DEPTH and self.rng.random() < share:
            for _ in range(4):
                made = self.rng.choice(self.functions)(self, depth + 1)
                if made is not None:
                    return Operand(made.sql, made.type, tuple(made.samples[:_MAX_SAMPLES]))
        return self.column(lambda _: True) or self.any_value(_MAX_DEPTH)

    def column(self, suits: Callable[[HiveType], bool]) -> Operand | None:
        """Draws a column of a suitable type, or None if there is none."""
        found = [operand for hive_type, of in self._by_type.items() if suits(hive_type) for operand in of]
        if not found:
            return None
        chosen = self.rng.choice(found)
        if not self.constants.plain and self.rng.random() < 0.05:
            return Operand(Sql((chosen.sql.text.upper(),), chosen.sql.sort), chosen.type, chosen.samples)
        return chosen

    def of(self, suits: Callable[[HiveType], bool], depth: int) -> Operand | None:
        """Draws a value expression of a suitable type, or None if none was found."""
        for _ in range(3 if depth < _MAX_DEPTH else 0):
            if self.rng.random() < 0.3:
                made = self.any_value(depth)
                if suits(made.type):
                    return made
        return self.column(suits)

    def constant(self, operand: Operand, *, alike: bool = False, samples: Sequence[Value] = ()) -> str:
        """Draws a constant to combine with an operand."""
        if self.rng.random() < 0.03:
            return "NULL"
        value = self.sample(operand, samples)
        if operand.type is DATE_TEXT:
            return quoted(day_text(value) if isinstance(value, int) else "2021-01-01")
        other = self.constants.other
        if other is not None and self.rng.random() < _OTHER_SHARE:
            return other(self.rng, operand.type, value)
        return literal(self.rng, operand.type, value, alike=alike, plain=self.constants.plain)

    def sample(self, operand: Operand, samples: Sequence[Value] = ()) -> Value:
        """Draws a value to compare with an operand."""
        hive_type = DATE if operand.type is DATE_TEXT else operand.type
        found = [value for value in samples or operand.samples if value is not None]
        value: Value = self.rng.choice(found) if found else _DEFAULTS[hive_type.kind]
        return near(self.rng, hive_type, value) if self.rng.random() < 0.3 else value


_DEFAULTS: Final[dict[ValueKind | None, Value]] = {
    ValueKind.BOOLEAN: True,
    ValueKind.INTEGER: 1,
    ValueKind.FLOAT: 1.5,
    ValueKind.DECIMAL: Decimal("1.5"),
    ValueKind.STRING: "a",
    ValueKind.DATE: 18_628,
    ValueKind.TIMESTAMP: 18_628 * DAY_MICROS,
}


def columns_of(rng: random.Random, table: Table) -> list[Operand]:
    """Returns the columns of a table, each with some of its values."""
    operands = []
    for column in table.columns:
        stored = [row[column.name] for rows in table.files for row in rows]
        found = [value for value in dict.fromkeys(stored) if value is not None]
        samples = tuple(rng.sample(found, min(len(found), _MAX_SAMPLES)))
        operands.append(Operand(Sql((column.name,), _sort(column.type)), column.type, samples))
    return operands


def _sort(hive_type: HiveType) -> str:
    return "date text" if hive_type is DATE_TEXT else str(hive_type)


def made(hive_type: HiveType, samples: Iterable[Value], *parts: str | Sql) -> Operand:
    """Builds an expression of a type, with sample values."""
    return Operand(Sql(parts, _sort(hive_type)), hive_type, tuple(samples))


def operand_of(
    suits: Callable[[HiveType], bool], *, nested: bool = True
) -> Callable[[Callable[[Values, Operand, int], Operand | None]], Function]:
    """Makes a function draw its operand: a value expression of a suitable type, or only a column."""

    def with_operand(draw: Callable[[Values, Operand, int], Operand | None]) -> Function:
        def function(g: Values, depth: int) -> Operand | None:
            x = g.of(suits, depth) if nested else g.column(suits)
            return None if x is None else draw(g, x, depth)

        return function

    return with_operand


def is_of(*names: str) -> Callable[[HiveType], bool]:
    """Returns whether a type is one of these, with any parameters."""
    return lambda hive_type: hive_type.name in names and hive_type is not DATE_TEXT


is_moment: Final = is_of("date", "timestamp")
is_text: Final = is_of("string")
