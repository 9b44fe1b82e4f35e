"""In which type Hive compares two operands, and constants of that type.

Source: Hive 4.0.1, `FunctionRegistry.getCommonClassForComparison` and `GenericUDFBaseCompare.initialize`.
"""

from __future__ import annotations

from typing import Final

from pycompiler.functions.registry import registry
from pycompiler.predicate.constants import Text, typed
from pycompiler.predicate.model import Call, Literal, Operand, type_of
from pycompiler.types import MAX_DECIMAL_PRECISION, HiveType, ValueKind

INTEGER_DIGITS: Final = {"tinyint": 3, "smallint": 5, "int": 10, "bigint": 19}
_DOUBLE: Final = HiveType("double")
_MOMENTS: Final = frozenset({ValueKind.DATE, ValueKind.TIMESTAMP})


def common_type(left: HiveType, right: HiveType) -> HiveType | None:
    """The type in which Hive compares values of two types; None if it is not certain."""
    kinds = {left.kind, right.kind}
    if left == right:
        return left
    if kinds == {ValueKind.INTEGER}:
        return max(left, right, key=lambda hive_type: INTEGER_DIGITS[hive_type.name])
    if kinds == {ValueKind.INTEGER, ValueKind.DECIMAL}:
        return _common_decimal(left, right)
    if kinds == {ValueKind.INTEGER, ValueKind.FLOAT} and "double" in (left.name, right.name):
        return _DOUBLE
    if kinds == {ValueKind.FLOAT}:
        return _DOUBLE
    if kinds == {ValueKind.DECIMAL, ValueKind.FLOAT} and "double" in (left.name, right.name):
        return _DOUBLE
    if kinds == _MOMENTS:
        return HiveType("timestamp")
    return None


def converted(operand: Operand, target: HiveType) -> Operand | None:
    """An operand as a value of another type: constants are converted, the rest is cast; None if unsure."""
    if type_of(operand) == target:
        return operand
    if isinstance(operand, Literal):
        if isinstance(operand.value, str):
            return typed(Text(operand.value), target) if target.kind in _MOMENTS else None
        return registry().evaluate(Call("cast", target, (operand,)), (operand,))
    return Call("cast", target, (operand,))


def _common_decimal(left: HiveType, right: HiveType) -> HiveType | None:
    """The decimal that holds both exactly; None if 38 digits do not, as Hive rounds then."""
    digits = [_decimal_digits(left), _decimal_digits(right)]
    scale = max(behind for _, behind in digits)
    precision = max(before for before, _ in digits) + scale
    return (
        HiveType("decimal", precision=precision, scale=scale) if precision <= MAX_DECIMAL_PRECISION else None
    )


def _decimal_digits(hive_type: HiveType) -> tuple[int, int]:
    """Digits before and behind the point."""
    if hive_type.kind is ValueKind.INTEGER:
        return INTEGER_DIGITS[hive_type.name], 0
    scale = hive_type.scale or 0
    return (hive_type.precision or 0) - scale, scale
