"""How Hive's type checker converts constants compared with a column, often to the column's type.

Source: Hive 4.0.1, `ExprNodeDescExprFactory.interpretConstantAsPrimitive`. Constants in a BETWEEN, and those
compared with anything but a column, stay unchanged.
"""

from collections import defaultdict
from collections.abc import Sequence
from decimal import Decimal
from typing import TypeGuard

from pycompiler.compile.predicate.model import Column, Constant, In, Literal, Operand, Or, Predicate
from pycompiler.compile.sql.literals import parse_number
from pycompiler.compile.values.numbers import decimal_type, nearest_float
from pycompiler.compile.values.types import INTEGER_BITS, NUMBERS, HiveType, ValueKind


def constant_beside(column: Operand, literal: Literal) -> Literal:
    """The constant that Hive compares a column with, given the one in the text."""
    return _narrowed(column.type, literal) or literal if _is_plain(column) else literal


def membership(value: Operand, members: Sequence[Operand]) -> Predicate:
    """`value IN (members)` as Hive splits it: one list for each type of constant.

    For a number or varchar, members that are not values of its type are dropped, except decimals.
    """
    literals = [member for member in members if isinstance(member, Literal)]
    if len(literals) < len(members):
        return In(value, tuple(members))
    lists: defaultdict[HiveType, list[Operand]] = defaultdict(list)
    for literal in literals:
        kept = _member(value.type, literal) if _is_plain(value) else literal
        if kept is not None:
            lists[kept.type].append(kept)
    found = [In(value, tuple(of_type)) for of_type in lists.values()]
    if not found:
        return Constant(False)
    return found[0] if len(found) == 1 else Or(tuple(found))


def _is_plain(operand: Operand) -> TypeGuard[Column]:
    return isinstance(operand, Column) and "." not in operand.name


def _member(column: HiveType, literal: Literal) -> Literal | None:
    narrowed = _narrowed(column, literal)
    if narrowed is not None or literal.value is None:
        return narrowed
    is_exact_number = literal.type.kind is ValueKind.DECIMAL
    drops = (column.kind in NUMBERS and literal.type.kind in {*NUMBERS, ValueKind.STRING}) or (
        column.length is not None and literal.type.kind is ValueKind.STRING
    )
    return literal if is_exact_number or not drops else None


def _narrowed(column: HiveType, literal: Literal) -> Literal | None:
    """The constant as a value of the column's type; None if the type does not have it."""
    if literal.value is None:
        return Literal(column, None)
    if column.length is not None and isinstance(literal.value, str):
        # A char's padding is ignored.
        text = literal.value.rstrip(" ") if column.name == "char" else literal.value
        return Literal(column, literal.value) if len(text) <= column.length else None
    if column.kind not in NUMBERS:
        return None
    number = _number(literal)
    if number is None:
        return None
    match column.kind:
        case ValueKind.DECIMAL:
            hive_type = decimal_type(number)
            return None if hive_type is None else Literal(hive_type, number)
        case ValueKind.FLOAT:
            return Literal(column, float(number) if column.name == "double" else nearest_float(number))
    if literal.type.kind is ValueKind.DECIMAL or number != number.to_integral_value():
        return None
    half = 1 << (INTEGER_BITS[column.name] - 1)
    return Literal(column, int(number)) if -half <= number < half else None


def _number(literal: Literal) -> Decimal | None:
    value = literal.value
    match literal.type.kind:
        case ValueKind.INTEGER | ValueKind.DECIMAL if isinstance(value, int | Decimal):
            return Decimal(value)
        case ValueKind.FLOAT if isinstance(value, float):
            # Java's shortest text of a double equals Python's.
            number = Decimal(repr(value))
            return number if number.is_finite() else None
        case ValueKind.STRING if isinstance(value, str):
            return parse_number(value)
    return None
