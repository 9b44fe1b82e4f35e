"""For which values of its left side a test against constants is TRUE, FALSE or NULL."""

import math
from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from pycompiler.compile.compiler.comparable_types import mismatch
from pycompiler.compile.compiler.truth_values import Truths
from pycompiler.compile.predicate.constants import fits_default_decimal
from pycompiler.compile.predicate.model import Comparison, Literal, LiteralList, LiteralValue
from pycompiler.compile.values.encoding import encode_value, encode_values
from pycompiler.compile.values.monotone import widened
from pycompiler.compile.values.outcomes import ANYTHING, NOT_NULL, NOTHING, NULL_ONLY, Outcomes
from pycompiler.compile.values.range_set import FULL, RangeSet
from pycompiler.compile.values.types import HiveType, ValueKind, common_decimal

_LAST_AGREED_CHARACTER: Final = "\ud7ff"
_NAN: Final = RangeSet.point(encode_value(HiveType("double"), math.nan))
_ZERO: Final = RangeSet.point(encode_value(HiveType("double"), 0.0))


class InexpressibleError(Exception):
    """A test tells nothing about its operand's values; the message is the reason."""


def comparison_outcomes(
    operator: Comparison, hive_type: HiveType, literal: Literal, wanted: Truths
) -> Outcomes:
    """The values x of a type for which `x operator literal` has a wanted truth value.

    Raises:
        InexpressibleError: Hive compares the two in another type than x's.
    """
    if operator is Comparison.NULL_SAFE_EQ:
        return _null_safe(hive_type, literal, wanted)
    if literal.value is None:
        return ANYTHING if wanted & Truths.NULL else NOTHING
    _check(hive_type, literal.type)
    holds, fails = _sides(operator, hive_type, _encoded(hive_type, literal), literal)
    return _outcomes(holds, fails, wanted)


def membership_outcomes(hive_type: HiveType, literals: Sequence[Literal], wanted: Truths) -> Outcomes:
    """The values x of a type for which `x IN (literals)` has a wanted truth value.

    Raises:
        InexpressibleError: Hive compares them in another type than x's.
    """
    if isinstance(literals, LiteralList):
        values, types, is_cut, has_null = literals.values, [literals.type], False, False
    else:
        present = [(literal, literal.value) for literal in literals if literal.value is not None]
        values = tuple(value for _, value in present)
        types = list(dict.fromkeys(literal.type for literal, _ in present))
        is_cut, has_null = any(literal.is_cut for literal, _ in present), len(present) < len(literals)
    decimals = [literal_type for literal_type in types if literal_type.precision is not None]
    if hive_type.kind is ValueKind.DECIMAL and common_decimal([hive_type, *decimals]) is None:
        raise InexpressibleError("Hive rounds the decimals of this IN to a common type")
    for literal_type in types:
        _check(hive_type, literal_type)
    members = RangeSet.points(_all_encoded(hive_type, values))
    rest = members.complement()
    if is_cut:
        # A constant lies between its value and the next one.
        members, rest = widened(members, hive_type, 1), widened(rest, hive_type, 1)
    if hive_type.kind is ValueKind.FLOAT:
        # In Hive, -0.0 IN (0.0) is FALSE.
        members, rest = members | _NAN, rest | _NAN | _ZERO
    if not has_null:
        return _outcomes(members, rest, wanted)
    # x IN (…, NULL) is TRUE or NULL.
    possible = Truths.TRUE
    if hive_type.kind is ValueKind.DECIMAL:
        # Vectorised Hive reads the NULL as 0 (64-bit decimals) or ignores it: then the result is TRUE or
        # FALSE.
        members |= RangeSet.point(encode_value(hive_type, Decimal(0)))
        possible |= Truths.FALSE
    holds = _outcomes(members, rest, wanted & possible)
    return (holds | Outcomes(rest, True)) if wanted & Truths.NULL else holds


def null_outcomes(wanted: Truths) -> Outcomes:
    """The values x for which `x IS NULL` has a wanted truth value."""
    is_null = NULL_ONLY if wanted & Truths.TRUE else NOTHING
    return is_null | (NOT_NULL if wanted & Truths.FALSE else NOTHING)


def _null_safe(hive_type: HiveType, literal: Literal, wanted: Truths) -> Outcomes:
    if literal.value is None:
        return null_outcomes(wanted)
    _check(hive_type, literal.type)
    if not fits_default_decimal(literal):
        raise InexpressibleError("Hive may round the constant of this <=>, or turn it into NULL")
    holds, fails = _sides(Comparison.EQ, hive_type, _encoded(hive_type, literal), literal)
    found = Outcomes(holds, False) if wanted & Truths.TRUE else NOTHING
    return found | (Outcomes(fails, True) if wanted & Truths.FALSE else NOTHING)


def _outcomes(holds: RangeSet, fails: RangeSet, wanted: Truths) -> Outcomes:
    found = NULL_ONLY if wanted & Truths.NULL else NOTHING
    if wanted & Truths.TRUE:
        found |= Outcomes(holds, False)
    if wanted & Truths.FALSE:
        found |= Outcomes(fails, False)
    return found


def _check(hive_type: HiveType, literal_type: HiveType) -> None:
    reason = mismatch(hive_type, literal_type)
    if reason is not None:
        raise InexpressibleError(reason)


def _encoded(hive_type: HiveType, literal: Literal) -> bytes:
    assert literal.value is not None
    (value,) = _all_encoded(hive_type, [literal.value])
    return value


def _all_encoded(hive_type: HiveType, values: Sequence[LiteralValue]) -> list[bytes]:
    try:
        return encode_values(hive_type, values)
    except ValueError as error:
        raise InexpressibleError(f"the constant is out of range: {error}") from error


def _sides(
    operator: Comparison, hive_type: HiveType, value: bytes, literal: Literal
) -> tuple[RangeSet, RangeSet]:
    """The non-NULL values for which a comparison is TRUE, and those for which it is FALSE."""
    match operator:
        case Comparison.EQ | Comparison.NE:
            holds = RangeSet.point(value)
            fails = holds.complement()
            if hive_type.kind is ValueKind.FLOAT and literal.value == 0.0:
                # Hive may turn it into an IN, which distinguishes -0.0 from 0.0.
                fails = FULL
            if operator is Comparison.NE:
                holds, fails = fails, holds
        case _:
            if isinstance(literal.value, str) and max(literal.value, default="") > _LAST_AGREED_CHARACTER:
                # Hive orders by UTF-8 in one place and by UTF-16 in another. Characters up to U+D7FF sort
                # below all others in both, and alike; above, the orders differ.
                raise InexpressibleError("Hive orders characters above U+DFFF inconsistently")
            holds = _ordered(operator, value)
            fails = holds.complement()
            if literal.value != literal.value:
                # Hive orders NaN in two ways.
                holds = fails = FULL
    if hive_type.kind is ValueKind.FLOAT:
        holds, fails = holds | _NAN, fails | _NAN
    if literal.is_cut:
        # The constant lies between its value and the next one.
        holds, fails = widened(holds, hive_type, 1), widened(fails, hive_type, 1)
    return holds, fails


def _ordered(operator: Comparison, value: bytes) -> RangeSet:
    match operator:
        case Comparison.LT | Comparison.LTEQ:
            return RangeSet.below(value, included=operator is Comparison.LTEQ)
        case Comparison.GT | Comparison.GTEQ:
            return RangeSet.above(value, included=operator is Comparison.GTEQ)
    raise AssertionError(f"not an ordering comparison: {operator.value}")
