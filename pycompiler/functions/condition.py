"""What a rule requires of a function's arguments for the function to have one of the wanted outcomes.

A condition may only be weaker than what it stands for: it is TRUE for every row in which the function has one
of the outcomes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from pycompiler.predicate.model import Column, Comparison, Operand
from pycompiler.values.outcomes import Outcomes


@dataclass(frozen=True, slots=True)
class Member:
    """The operand's value is one of the outcomes. For a predicate these are of boolean type."""

    operand: Operand
    outcomes: Outcomes


@dataclass(frozen=True, slots=True)
class Against:
    """`left operator right` of two columns of the same row, which have one encoding."""

    operator: Comparison
    left: Column
    right: Column


@dataclass(frozen=True, slots=True)
class Asked:
    """A row that a question to an index kind asks for; it has a value, neither NULL nor NaN, in each column.

    Attributes:
        kind: Name of the index kind.
        columns: What the kind's records are about, in its order.
        question: What it is asked, in its own format.
    """

    kind: str
    columns: tuple[Column, ...]
    question: bytes


@dataclass(frozen=True, slots=True)
class AllOf:
    """All of the conditions; of none, every row."""

    conditions: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class AnyOf:
    """Any of the conditions; of none, no row."""

    conditions: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Anything:
    """Any row; the reason says why nothing better is known."""

    reason: str


Condition: TypeAlias = Member | Against | Asked | AllOf | AnyOf | Anything
"""What must hold of the arguments."""
