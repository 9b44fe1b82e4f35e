"""A filter as a typed tree, read from a SearchArgument, Hive's typed filter tree or SQL text.

For each row a predicate is TRUE, FALSE or NULL (three-valued logic). It tests columns, constants and
functions of them. Anything else is `Opaque`.

`node_index` is a test's index in Hive's filter tree, which the handler uses to find the expression to
evaluate; None for other sources. It is ignored when tests are compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from enum import Enum
from typing import TypeAlias, overload

from pycompiler.compile.values.types import HiveType

LiteralValue: TypeAlias = bool | int | float | Decimal | str
"""A constant; dates are days since 1970, and timestamps microseconds since 1970, rounded down (both int)."""


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
        """The operator with sides exchanged: `5 < a` is `a > 5`."""
        return _MIRRORED.get(self, self)


_MIRRORED = {
    Comparison.LT: Comparison.GT,
    Comparison.LTEQ: Comparison.GTEQ,
    Comparison.GT: Comparison.LT,
    Comparison.GTEQ: Comparison.LTEQ,
}


@dataclass(frozen=True, slots=True)
class Column:
    """A column: lower-case name, with struct fields joined by dots, and the type that it is read as."""

    name: str
    type: HiveType


@dataclass(frozen=True, slots=True)
class Literal:
    """A typed constant; `value` None is NULL. `is_cut`: `value` was rounded down from a finer timestamp."""

    type: HiveType
    value: LiteralValue | None
    is_cut: bool = False


@dataclass(frozen=True, slots=True)
class LiteralList(Sequence[Literal]):
    """Constants of one type, none of them NULL or cut; each `Literal` is built on access.

    Lists have thousands of members, and most steps need only the bare values.
    """

    type: HiveType
    values: tuple[LiteralValue, ...]

    def __len__(self) -> int:
        return len(self.values)

    @overload
    def __getitem__(self, index: int) -> Literal: ...

    @overload
    def __getitem__(self, index: slice) -> LiteralList: ...

    def __getitem__(self, index: int | slice) -> Literal | LiteralList:
        if isinstance(index, slice):
            return LiteralList(self.type, self.values[index])
        return Literal(self.type, self.values[index])

    def __iter__(self) -> Iterator[Literal]:
        return (Literal(self.type, value) for value in self.values)


@dataclass(frozen=True, slots=True)
class Call:
    """A function call.

    Attributes:
        name: Canonical name, such as `year` or `cast`; `class:…` for a user function
            (docs/reference/types-and-functions.md).
        type: Type of the result; for `cast`, the target type.
        arguments: The operands, possibly conditions.
        node_index: See the module.
    """

    name: str
    type: HiveType
    arguments: tuple[Operand, ...]
    node_index: int | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class And:
    """The conjunction of the terms."""

    terms: tuple[Predicate, ...]


@dataclass(frozen=True, slots=True)
class Or:
    """The disjunction of the terms."""

    terms: tuple[Predicate, ...]


@dataclass(frozen=True, slots=True)
class Not:
    """The negation of the term; NULL stays NULL."""

    term: Predicate


@dataclass(frozen=True, slots=True)
class Compare:
    """`left operator right`; NULL if either side is, except for `<=>`, which is never NULL."""

    operator: Comparison
    left: Operand
    right: Operand
    node_index: int | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class In:
    """`value IN (members)`: NULL if the value is, or if no member equals it and one is NULL."""

    value: Operand
    members: tuple[Operand, ...] | LiteralList
    node_index: int | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        if not self.members:
            raise ValueError("IN without members")


@dataclass(frozen=True, slots=True)
class Between:
    """`value BETWEEN low AND high`, ends included: `value >= low AND value <= high`."""

    value: Operand
    low: Operand
    high: Operand
    node_index: int | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class IsNull:
    """`value IS NULL`; never NULL."""

    value: Operand
    node_index: int | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Constant:
    """The same truth value for every row; None is NULL."""

    truth: bool | None


@dataclass(frozen=True, slots=True)
class Opaque:
    """A condition or value about which nothing is known, not even about its negation."""

    text: str
    reason: str


Test: TypeAlias = Compare | In | Between | IsNull
Predicate: TypeAlias = And | Or | Not | Test | Constant | Opaque
Operand: TypeAlias = Column | Literal | Call | Predicate
"""Anything that has a value in a row; a predicate's value is boolean."""

BOOLEAN = HiveType("boolean")


def type_of(operand: Operand) -> HiveType | None:
    """The type of an operand's values; None if unknown."""
    match operand:
        case Column() | Literal() | Call():
            return operand.type
        case Opaque():
            return None
    return BOOLEAN
