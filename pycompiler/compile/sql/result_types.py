"""Result types of Hive's operators and functions.

A rule takes arguments of known types. It returns None if Hive rejects them, or if the result type is
uncertain.
Source: Hive 4.0.1, `GenericUDFBaseNumeric` and the function classes; tests/conformance/functions.json records
its type checker's answers.
"""

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from pycompiler.compile.predicate.model import BOOLEAN, Literal, Operand, type_of
from pycompiler.compile.values.types import (
    EXACT_NUMBERS,
    INTEGER_BITS,
    MOMENTS,
    NUMBERS,
    HiveType,
    ValueKind,
    common_decimal,
    decimal_digits,
    decimal_of,
)

Rule: TypeAlias = Callable[[Sequence[Operand]], HiveType | None]
"""Maps arguments to the result type."""

Digits: TypeAlias = Callable[[int, int, int, int], tuple[int, int]]
"""Maps precision and scale of both sides to those of the result."""

_DOUBLE: Final = HiveType("double")
_FLOAT: Final = HiveType("float")
_INT: Final = HiveType("int")
_BIGINT: Final = HiveType("bigint")
_STRING: Final = HiveType("string")
_TIMESTAMP: Final = HiveType("timestamp")
_VOID: Final = HiveType("void")
_MIN_QUOTIENT_SCALE: Final = 6


def always(name: str) -> Rule:
    """A rule that returns the same type for any arguments."""
    hive_type = HiveType.parse(name)
    return lambda _: hive_type


def sum_type(arguments: Sequence[Operand]) -> HiveType | None:
    """`+` and `-` of numbers: the wider type; decimals get one more digit before the point."""
    return _numeric(arguments, lambda p1, s1, p2, s2: (max(p1 - s1, p2 - s2) + max(s1, s2) + 1, max(s1, s2)))


def product_type(arguments: Sequence[Operand]) -> HiveType | None:
    """`*`: decimals get the digits of both sides plus one."""
    return _numeric(arguments, lambda p1, s1, p2, s2: (p1 + p2 + 1, s1 + s2))


def remainder_type(arguments: Sequence[Operand]) -> HiveType | None:
    """`%`."""
    return _numeric(arguments, lambda p1, s1, p2, s2: (min(p1 - s1, p2 - s2) + max(s1, s2), max(s1, s2)))


def positive_remainder_type(arguments: Sequence[Operand]) -> HiveType | None:
    """`pmod` of integers and doubles; decimals get other digits than by `%`."""
    hive_type = remainder_type(arguments)
    return None if hive_type is None or hive_type.kind is ValueKind.DECIMAL else hive_type


def quotient_type(arguments: Sequence[Operand]) -> HiveType | None:
    """`/`: a decimal if one side is a decimal and the other exact; else a double."""
    kinds = {hive_type.kind for hive_type in _types(arguments)}
    if not kinds <= NUMBERS | {ValueKind.STRING}:
        return None
    is_exact = kinds <= EXACT_NUMBERS and ValueKind.DECIMAL in kinds
    return _numeric(arguments, _quotient_digits) if is_exact else _DOUBLE


def _quotient_digits(p1: int, s1: int, p2: int, s2: int) -> tuple[int, int]:
    scale = max(_MIN_QUOTIENT_SCALE, s1 + p2 + 1)
    return p1 - s1 + s2 + scale, scale


def truth_test(arguments: Sequence[Operand]) -> HiveType | None:
    """`IS TRUE` and similar tests of conditions. Hive converts other values to boolean first."""
    return BOOLEAN if _types(arguments) == [BOOLEAN] else None


def negated(arguments: Sequence[Operand]) -> HiveType | None:
    """`-x` has x's type; for a string, double."""
    (hive_type,) = _types(arguments)
    if hive_type.kind in NUMBERS:
        return hive_type
    return _DOUBLE if hive_type.kind is ValueKind.STRING else None


def absolute(arguments: Sequence[Operand]) -> HiveType | None:
    """`abs`: at least an int, or a double."""
    (hive_type,) = _types(arguments)
    match hive_type.kind:
        case ValueKind.INTEGER:
            return _BIGINT if hive_type == _BIGINT else _INT
        case ValueKind.DECIMAL:
            return hive_type
        case ValueKind.FLOAT:
            return _DOUBLE
    return _DOUBLE if hive_type == _STRING else None


def whole_number(arguments: Sequence[Operand]) -> HiveType | None:
    """`floor` and `ceil`: a bigint; a decimal loses its fraction and gets one more digit before it."""
    (hive_type,) = _types(arguments)
    if hive_type.kind is ValueKind.DECIMAL:
        before = (hive_type.precision or 0) - (hive_type.scale or 0)
        return decimal_of(before + 1, 0) if hive_type.scale else None
    return _BIGINT if hive_type.kind in NUMBERS | {ValueKind.STRING} else None


def rounded(arguments: Sequence[Operand]) -> HiveType | None:
    """`round` and `bround`: a decimal keeps the requested digits, and may gain one before the point."""
    hive_type = _types(arguments)[0]
    if hive_type.kind is not ValueKind.DECIMAL:
        return negated(arguments[:1])
    digits = arguments[1] if len(arguments) > 1 else Literal(_INT, 0)
    if not isinstance(digits, Literal) or not isinstance(digits.value, int):
        return None
    scale = hive_type.scale or 0
    before = (hive_type.precision or 0) - scale + (digits.value < scale)
    return decimal_of(before + max(digits.value, 0), max(digits.value, 0))


def text_of_same_length(arguments: Sequence[Operand]) -> HiveType | None:
    """`lower` and `upper`: a varchar or char stays one."""
    (hive_type,) = _types(arguments)
    return hive_type if hive_type.length is not None else _STRING


def joined_text(arguments: Sequence[Operand]) -> HiveType | None:
    """`concat`: a string, unless all arguments are varchar or char."""
    types = _types(arguments)
    return None if all(hive_type.length is not None for hive_type in types) else _STRING


def truncated_date(arguments: Sequence[Operand]) -> HiveType | None:
    """`trunc` of a date is a string; `trunc` of a number is not supported."""
    kind = _types(arguments)[0].kind
    return _STRING if kind in MOMENTS or kind is ValueKind.STRING else None


def first_type(arguments: Sequence[Operand]) -> HiveType | None:
    """The type of the first argument."""
    return _types(arguments)[0]


def common_value(arguments: Sequence[Operand]) -> HiveType | None:
    """`coalesce`: the type that holds the values of all arguments."""
    types = [hive_type for hive_type in _types(arguments) if hive_type != _VOID]
    if not types:
        return None
    result = types[0]
    for hive_type in types[1:]:
        wider = _wider(result, hive_type)
        if wider is None:
            return None
        result = wider
    return result


def common_plain_value(arguments: Sequence[Operand]) -> HiveType | None:
    """`greatest` and `least`: as `coalesce`, except of texts with other types, and without NULL constants."""
    types = _types(arguments)
    has_text = any(hive_type.kind is ValueKind.STRING for hive_type in types)
    if _VOID in types or (has_text and set(types) != {_STRING}):
        return None
    return common_value(arguments)


def case_of_conditions(arguments: Sequence[Operand]) -> HiveType | None:
    """`if` and `when`: pairs of condition and value, optionally a default value."""
    conditions = arguments[: len(arguments) // 2 * 2 : 2]
    are_boolean = all(type_of(condition) == BOOLEAN for condition in conditions)
    return _value_of_branches(arguments) if are_boolean else None


def case_of_value(arguments: Sequence[Operand]) -> HiveType | None:
    """`case`: the value, then pairs of key and result, optionally a default result."""
    return _value_of_branches(arguments[1:])


def _value_of_branches(pairs: Sequence[Operand]) -> HiveType | None:
    return common_value([*pairs[1::2], *(pairs[-1:] if len(pairs) % 2 else ())])


def _types(arguments: Sequence[Operand]) -> list[HiveType]:
    return [hive_type for argument in arguments if (hive_type := type_of(argument)) is not None]


def _wider(left: HiveType, right: HiveType) -> HiveType | None:
    if left == right:
        return left
    kinds = {left.kind, right.kind}
    if kinds == {ValueKind.INTEGER}:
        return max(left, right, key=lambda hive_type: INTEGER_BITS[hive_type.name])
    if kinds <= EXACT_NUMBERS:
        return common_decimal([left, right])
    if kinds <= NUMBERS:
        return _DOUBLE if _DOUBLE in (left, right) else _FLOAT
    if kinds == MOMENTS:
        return _TIMESTAMP
    return _STRING if _STRING in (left, right) and BOOLEAN not in (left, right) else None


def _numeric(arguments: Sequence[Operand], digits: Digits) -> HiveType | None:
    left, right = _types(arguments)
    kinds = {left.kind, right.kind}
    if not kinds <= NUMBERS | {ValueKind.STRING}:
        return None
    if ValueKind.DECIMAL in kinds and kinds <= EXACT_NUMBERS:
        return decimal_of(
            *digits(*_digits_beside_decimal(arguments[0]), *_digits_beside_decimal(arguments[1]))
        )
    return _DOUBLE if ValueKind.STRING in kinds else _wider(left, right)


def _digits_beside_decimal(operand: Operand) -> tuple[int, int]:
    """Precision and scale; an integer constant has as many digits as written."""
    if isinstance(operand, Literal) and operand.type.kind is ValueKind.INTEGER and operand.value is not None:
        return len(str(operand.value).lstrip("-")), 0
    (hive_type,) = _types([operand])
    return decimal_digits(hive_type)
