"""What must hold for a function's arguments if it has one of the wanted outcomes.

A condition may be too weak, never too strong: it is TRUE for every row with a wanted outcome.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from pycompiler.compile.expression.model import ColumnDifference, ColumnPair
from pycompiler.compile.predicate.model import Column, Operand
from pycompiler.compile.values.outcomes import Outcomes


@dataclass(frozen=True, slots=True)
class Member:
    """The operand's value is one of the outcomes, which are booleans for a predicate."""

    operand: Operand
    outcomes: Outcomes


@dataclass(frozen=True, slots=True)
class Asked:
    """The row may match a question to an index kind. Each column has a value, neither NULL nor NaN.

    `columns` are those that the kind's records cover, in its order; `question` is in the kind's own format.
    """

    kind: str
    columns: tuple[Column, ...]
    question: bytes


@dataclass(frozen=True, slots=True)
class AllOf:
    """All conditions hold; with no conditions, every row."""

    conditions: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class AnyOf:
    """Any condition holds; with no conditions, no row."""

    conditions: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Anything:
    """Every row; `reason` says why nothing narrower is known."""

    reason: str


Condition: TypeAlias = Member | ColumnPair | ColumnDifference | Asked | AllOf | AnyOf | Anything
"""What must hold for the arguments."""
