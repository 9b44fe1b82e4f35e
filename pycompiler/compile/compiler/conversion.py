"""The type in which Hive compares two operands, and conversion of operands to it.

Source: Hive 4.0.1, `FunctionRegistry.getCommonClassForComparison` and `GenericUDFBaseCompare.initialize`.
"""

from collections.abc import Sequence
from typing import Final

from pycompiler.compile.compiler.comparable_types import mismatch
from pycompiler.compile.functions import registry
from pycompiler.compile.functions.casts import MAX_DIGITS_IN_64_BITS
from pycompiler.compile.predicate.constants import moment_of
from pycompiler.compile.predicate.model import Call, Literal, LiteralList, Operand, type_of
from pycompiler.compile.values.types import (
    INTEGER_DIGITS,
    MOMENTS,
    NUMBERS,
    HiveType,
    ValueKind,
    common_decimal,
)

_DOUBLE: Final = HiveType("double")


def common_type(left: HiveType, right: HiveType) -> HiveType | None:
    """The type in which Hive compares values of two types; None if uncertain."""
    kinds = {left.kind, right.kind}
    if left == right:
        return left
    if kinds == {ValueKind.INTEGER}:
        return max(left, right, key=lambda hive_type: INTEGER_DIGITS[hive_type.name])
    if kinds == {ValueKind.INTEGER, ValueKind.DECIMAL}:
        return common_decimal([left, right])
    if kinds == {ValueKind.FLOAT} or (kinds <= NUMBERS and _DOUBLE in (left, right)):
        return _DOUBLE
    if kinds == MOMENTS:
        return HiveType("timestamp")
    if ValueKind.STRING in kinds and kinds & MOMENTS:
        return left if left.kind in MOMENTS else right
    return None


def converted(operand: Operand, target: HiveType) -> Operand | None:
    """An operand as a value of another type: constants are converted, others cast; None if uncertain."""
    if type_of(operand) == target:
        return operand
    if isinstance(operand, Literal):
        if isinstance(operand.value, str):
            return moment_of(operand.value, target)
        return registry.evaluate(Call("cast", target, (operand,)), (operand,))
    return Call("cast", target, (operand,))


def in_common_type(value: Operand, members: Sequence[Literal]) -> tuple[Operand, Sequence[Literal]]:
    """A tested value and the constants of an IN, converted to the type in which Hive compares them.

    Unchanged if that type is uncertain, or if converting the tested value may give NULL: Hive then treats it
    as not in the list, whereas a NULL would make the IN NULL.
    """
    hive_type = target = type_of(value)
    types = (
        [members.type]
        if isinstance(members, LiteralList)
        else [member.type for member in members if member.value is not None]
    )
    if all(member_type is hive_type for member_type in types):
        # The common case, and lists have thousands of members.
        return value, members
    for member_type in types:
        if target is not None:
            target = common_type(target, member_type)
    if hive_type is None or target is None:
        return value, members
    tested = converted(value, target)
    if isinstance(members, LiteralList) and members.type.kind is target.kind is ValueKind.INTEGER and tested:
        # The wider type represents the same numbers.
        return tested, LiteralList(target, members.values)
    literals = [converted(member, target) for member in members if member.value is not None]
    known = [literal for literal in literals if isinstance(literal, Literal)]
    keeps_null = hive_type == target or {hive_type.kind, target.kind} <= NUMBERS
    if tested is None or not keeps_null or len(known) < len(literals):
        return value, members
    return tested, [*known, *(member for member in members if member.value is None)]


def are_compared_alike(value: Operand, low: Operand, high: Operand) -> bool:
    """Whether `value BETWEEN low AND high` gives the same result in one common type as pair by pair.

    Row mode converts each pair on its own; vectorised mode and the optimizer convert all three together.
    """
    hive_type = type_of(value)
    ends = [type_of(end) for end in (low, high) if not (isinstance(end, Literal) and end.value is None)]
    if hive_type is None or None in ends:
        return False
    types = [end for end in ends if end is not None]
    if all(mismatch(hive_type, end) is None for end in types):
        decimals = [part for part in (hive_type, *types) if part.precision is not None]
        return not decimals or common_decimal(decimals) is not None
    targets = {common_type(hive_type, end) for end in types}
    return len(targets) == 1 and None not in targets


def is_in_64_bits(hive_type: HiveType | None) -> bool:
    """Whether vectorised Hive computes results of the type, and constants beside them, in 64 bits."""
    return hive_type is not None and 0 < (hive_type.precision or 0) <= MAX_DIGITS_IN_64_BITS
