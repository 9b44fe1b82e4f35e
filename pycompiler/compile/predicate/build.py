"""Predicates from operands, for both the typed filter tree and SQL text."""

from pycompiler.compile.predicate.model import (
    BOOLEAN,
    Call,
    Column,
    Compare,
    Comparison,
    Constant,
    IsNull,
    Literal,
    Opaque,
    Operand,
    Predicate,
)
from pycompiler.compile.predicate.text import describe


def condition(operand: Operand) -> Predicate:
    """Reads an operand in the place of a condition: `WHERE b` on a boolean column is `b = true`."""
    match operand:
        case Literal(_, bool() | None as value):
            return Constant(value)
        case Call() if operand.type == BOOLEAN:
            return Compare(Comparison.EQ, operand, Literal(BOOLEAN, True), operand.node_index)
        case Column() if operand.type == BOOLEAN:
            return Compare(Comparison.EQ, operand, Literal(BOOLEAN, True))
        case Column() | Literal() | Call():
            return Opaque(describe(operand), f"a value of type {operand.type} is used as a condition")
    return operand


def comparison(operator: Comparison, left: Operand, right: Operand, node_index: int | None = None) -> Compare:
    """Compares two operands, moving a constant to the right."""
    if isinstance(left, Literal) and not isinstance(right, Literal):
        return Compare(operator.mirrored, right, left, node_index)
    return Compare(operator, left, right, node_index)


def is_not_true(predicate: Predicate) -> Predicate:
    """`predicate IS NOT TRUE`, which is never NULL."""
    return condition(Call("isnottrue", BOOLEAN, (predicate,)))


def null_test(value: Operand, node_index: int | None = None) -> Predicate:
    """`value IS NULL`."""
    if isinstance(value, Literal):
        return Constant(value.value is None)
    return IsNull(value, node_index)
