"""Putting predicates together from operands: what the typed filter tree and SQL text have in common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from pycompiler.predicate.model import (
    Between,
    Column,
    Compare,
    Comparison,
    Constant,
    In,
    IsNull,
    Literal,
    Opaque,
    Predicate,
    Truth,
)
from pycompiler.predicate.text import describe_literal, describe_test, shorten
from pycompiler.types import HiveType

Operand: TypeAlias = Column | Literal | Predicate
"""The value of a subtree: a column, a constant, or a condition; what is neither is `Opaque`."""


def condition(operand: Operand) -> Predicate:
    """Reads an operand where a condition stands: `WHERE b` on a boolean column is `b = true`."""
    match operand:
        case Column(_, HiveType("boolean") as boolean):
            return Compare(Comparison.EQ, operand, Literal(boolean, True))
        case Literal(_, None):
            return Constant(Truth.NULL)
        case Literal(_, bool() as value):
            return Constant(Truth.TRUE if value else Truth.FALSE)
        case Column() | Literal():
            return Opaque(
                describe(operand), f"a value of type {operand.type} stands where a condition belongs"
            )
    return operand


def comparison(operator: Comparison, left: Operand, right: Operand) -> Predicate:
    """Compares two operands; the literal may be on either side."""
    match left, right:
        case Column(), Literal():
            return Compare(operator, left, right)
        case Literal(), Column():
            return Compare(operator.mirrored, right, left)
    term = shorten(f"{describe(left)} {operator.value} {describe(right)}")
    return Opaque(term, _reason([left, right]))


def membership(value: Operand, members: Sequence[Operand]) -> Predicate:
    """`value IN (members)`, of which there is at least one."""
    literals = [member for member in members if isinstance(member, Literal)]
    if isinstance(value, Column) and len(literals) == len(members):
        return In(value, tuple(literals))
    term = shorten(f"{describe(value)} in ({', '.join(map(describe, members[:5]))})")
    return Opaque(term, _reason([value, *members]))


def between(value: Operand, low: Operand, high: Operand) -> Predicate:
    """`value BETWEEN low AND high`."""
    match value, low, high:
        case Column(), Literal(), Literal():
            return Between(value, low, high)
    term = shorten(f"{describe(value)} between {describe(low)} and {describe(high)}")
    return Opaque(term, _reason([value, low, high]))


def null_test(value: Operand) -> Predicate:
    """`value IS NULL`."""
    match value:
        case Column():
            return IsNull(value)
        case Literal():
            return Constant(Truth.TRUE if value.value is None else Truth.FALSE)
    return Opaque(shorten(f"{describe(value)} is null"), _reason([value]))


def call(name: str, arguments: Sequence[Operand]) -> Opaque:
    """A function that says nothing about files."""
    term = shorten(f"{name}({', '.join(map(describe, arguments[:5]))})")
    return Opaque(term, f"the function {shorten(name)} is not used for skipping")


def describe(operand: Operand) -> str:
    """Writes an operand, for people."""
    match operand:
        case Column():
            return operand.name
        case Literal():
            return describe_literal(operand)
        case Opaque():
            return operand.term
        case Compare() | In() | Between() | IsNull():
            return f"({describe_test(operand)})"
        case Constant():
            return operand.truth.value
    return "(…)"


def _reason(operands: Sequence[Operand]) -> str:
    for operand in operands:
        if isinstance(operand, Opaque):
            return operand.reason
    if sum(isinstance(operand, Column) for operand in operands) > 1:
        return "columns are not compared with each other"
    if all(isinstance(operand, Literal) for operand in operands):
        return "it is about no column"
    return "only a column compared with constants can skip files"
