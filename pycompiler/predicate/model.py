"""A filter as a typed tree: what the SearchArgument, Hive's typed filter tree and SQL text all become.

A predicate is TRUE, FALSE or NULL for a row (three-valued logic). A column test has the column on its left
side; what cannot be said in these terms is `Opaque`, of which nothing is known.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from typing import TypeAlias

from pycompiler.types import HiveType

LiteralValue: TypeAlias = bool | int | float | Decimal | str
"""A constant: dates are days and timestamps microseconds (floored) since 1970, both int."""


class Comparison(Enum):
    """Comparison operators, by their SQL text."""

    EQ = "="
    NULL_SAFE_EQ = "<=>"
    NE = "!="
    LT = "<"
    LTEQ = "<="
    GT = ">"
    GTEQ = ">="

    @property
    def mirrored(self) -> Comparison:
        """The operator for exchanged sides: `5 < a` is `a > 5`."""
        return _MIRRORED.get(self, self)


_MIRRORED = {
    Comparison.LT: Comparison.GT,
    Comparison.LTEQ: Comparison.GTEQ,
    Comparison.GT: Comparison.LT,
    Comparison.GTEQ: Comparison.LTEQ,
}


class Truth(Enum):
    """The values of three-valued logic."""

    TRUE = "true"
    FALSE = "false"
    NULL = "null"


@dataclass(frozen=True, slots=True)
class Column:
    """A column: lower-case name, the fields of a struct joined by dots, and the type it is read as."""

    name: str
    type: HiveType


@dataclass(frozen=True, slots=True)
class Literal:
    """A typed constant; `value` None is NULL."""

    type: HiveType
    value: LiteralValue | None


@dataclass(frozen=True, slots=True)
class And:
    """All of the terms."""

    terms: tuple[Predicate, ...]


@dataclass(frozen=True, slots=True)
class Or:
    """Any of the terms."""

    terms: tuple[Predicate, ...]


@dataclass(frozen=True, slots=True)
class Not:
    """The opposite of the term; NULL stays NULL."""

    term: Predicate


@dataclass(frozen=True, slots=True)
class Compare:
    """`column operator literal`; NULL if either side is, except for `<=>`, which is never NULL."""

    operator: Comparison
    column: Column
    literal: Literal


@dataclass(frozen=True, slots=True)
class In:
    """`column IN (values)`: NULL if the column is, or if no value is equal and one is NULL."""

    column: Column
    values: tuple[Literal, ...]

    def __post_init__(self) -> None:
        if not self.values:
            raise ValueError("IN without values")


@dataclass(frozen=True, slots=True)
class Between:
    """`column BETWEEN low AND high`, both included: `column >= low AND column <= high`."""

    column: Column
    low: Literal
    high: Literal


@dataclass(frozen=True, slots=True)
class IsNull:
    """`column IS NULL`; never NULL itself."""

    column: Column


@dataclass(frozen=True, slots=True)
class Constant:
    """The same for every row."""

    truth: Truth


@dataclass(frozen=True, slots=True)
class Opaque:
    """A term of which nothing is known, and nothing of its opposite either.

    Attributes:
        term: The term as text, for people.
        reason: Why nothing is known, for people.
    """

    term: str
    reason: str


Predicate: TypeAlias = And | Or | Not | Compare | In | Between | IsNull | Constant | Opaque
ColumnTest: TypeAlias = Compare | In | Between | IsNull
