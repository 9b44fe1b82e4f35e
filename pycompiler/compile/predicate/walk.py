"""Traversal of operands."""

from collections.abc import Iterator

from pycompiler.compile.predicate.model import (
    And,
    Between,
    Call,
    Column,
    Compare,
    Constant,
    In,
    IsNull,
    Literal,
    Not,
    Opaque,
    Operand,
    Or,
)


def operands_of(operand: Operand) -> tuple[Operand, ...]:
    """The direct operands of an operand, in order."""
    match operand:
        case Call():
            return operand.arguments
        case Compare():
            return operand.left, operand.right
        case In():
            return operand.value, *operand.members
        case Between():
            return operand.value, operand.low, operand.high
        case IsNull():
            return (operand.value,)
        case And() | Or():
            return operand.terms
        case Not():
            return (operand.term,)
        case Column() | Literal() | Constant() | Opaque():
            return ()


def walk(operand: Operand) -> Iterator[Operand]:
    """The operand and everything below it, without recursion."""
    waiting = [operand]
    while waiting:
        current = waiting.pop()
        yield current
        waiting.extend(reversed(operands_of(current)))
