"""Predicates in the prefix form of tests/conformance/functions.json, as Java writes Hive's trees."""

from decimal import Decimal

from pycompiler.compile.predicate.model import (
    BOOLEAN,
    And,
    Between,
    Call,
    Column,
    Compare,
    Comparison,
    Constant,
    In,
    IsNull,
    Literal,
    Not,
    Opaque,
    Operand,
    Or,
)
from pycompiler.compile.predicate.text import describe
from pycompiler.compile.values.types import ValueKind

_TRUE = Literal(BOOLEAN, True)


def prefix_form(operand: Operand) -> str:
    """Writes an operand; a condition that stands for an operand is written as that operand."""
    match operand:
        case Column(name, _):
            root, *fields = name.split(".")
            for field in fields:
                root = f"(.{field} {root})"
            return root
        case Literal():
            return _literal(operand)
        case Call(name, hive_type, arguments):
            return _node(f"cast:{hive_type}" if name == "cast" else name, *arguments)
        case Compare(Comparison.EQ, (Column() | Call()) as left, right) if right == _TRUE:
            return prefix_form(left)
        case Compare(operator, left, right):
            return _node(operator.value, left, right)
        case In(value, members):
            return _node("in", value, *members)
        case Between(value, low, high):
            return _node("between", value, low, high)
        case IsNull(value):
            return _node("isnull", value)
        case Not(IsNull(value)):
            return _node("isnotnull", value)
        case Not(term):
            return _node("not", term)
        case And(terms):
            return _node("and", *terms)
        case Or(terms):
            return _node("or", *terms)
        case Constant():
            return f"{describe(operand)}:boolean"
        case Opaque(text, reason):
            return f"<{text}: {reason}>"


def _node(name: str, *operands: Operand) -> str:
    return f"({' '.join([name, *map(prefix_form, operands)])})"


def _literal(literal: Literal) -> str:
    value, hive_type = literal.value, literal.type
    if value is None:
        return f"NULL:{hive_type}"
    match hive_type.kind:
        case ValueKind.STRING:
            text = f"'{value}'"
        case ValueKind.DATE:
            text = f"day {value}"
        case ValueKind.TIMESTAMP if isinstance(value, int):
            text = f"{value // 1_000_000}s+{value % 1_000_000 * 1000}ns"
        case ValueKind.BOOLEAN:
            text = str(value).lower()
        case ValueKind.DECIMAL if isinstance(value, Decimal):
            text = f"{value.normalize():f}"
        case _:
            text = str(value)
    return f"{text}:{hive_type}"
