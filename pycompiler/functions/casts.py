"""Conversions between numbers, dates and timestamps: `CAST`, and what Hive does to compare two types."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from pycompiler.functions.condition import Condition, Member
from pycompiler.functions.rule import FunctionRule
from pycompiler.predicate.constants import DEFAULT_DIGITS, DEFAULT_SCALE
from pycompiler.predicate.model import Call, Literal, type_of
from pycompiler.values.calendar import DAY_MICROS
from pycompiler.values.encoding import encode_value
from pycompiler.values.monotone import Piece, preimage, widened
from pycompiler.values.ordinals import (
    EXACT,
    Number,
    Ordinals,
    float_ordinal,
    ordinal_of,
    ordinals_of,
    round_half_up,
)
from pycompiler.values.outcomes import Outcomes
from pycompiler.values.types import HiveType, ValueKind, keeps_values

_EXACT_IN_DOUBLE: Final = 1 << 53
_GREATEST_FLOAT: Final = 3.4028234663852886e38
_DIGITS_IN_DOUBLE: Final = 15
_POWERS_IN_DOUBLE: Final = 22
MAX_DIGITS_IN_64_BITS: Final = 18
"""Decimals of up to so many digits are computed in 64 bits in vectors (`Decimal64ColumnVector`)."""
_UNCERTAIN_STEPS: Final = 2
"""Hive's way from a decimal to a double need not end at the nearest one; neighbours are allowed for."""


@dataclass(frozen=True, slots=True)
class Conversion:
    """How values of one type become values of another.

    Attributes:
        convert: A value of the source to one of the target; None is NULL.
        pieces: The stretches of the source where that is certain.
        steps: By how many ordinals of the target Hive's result may differ.
    """

    convert: Callable[[Number], Number | None]
    pieces: tuple[Piece, ...]
    steps: int = 0


class WideningCast(FunctionRule):
    """A conversion that changes no value, between types with one encoding: `cast(int as bigint)`.

    Proof: the result is the argument, byte for byte, and it is NULL where the argument is.
    """

    @property
    def names(self) -> Sequence[str]:
        return ("cast",)

    def invert(self, call: Call, wanted: Outcomes) -> Condition | None:
        source = type_of(call.arguments[0])
        if source is None or not keeps_values(source, call.type):
            return None
        return Member(call.arguments[0], wanted)

    def evaluate(self, call: Call, arguments: Sequence[Literal]) -> Literal | None:
        (value,) = arguments
        return Literal(call.type, value.value) if keeps_values(value.type, call.type) else None


class MonotoneCast(FunctionRule):
    """A conversion that keeps the order of values, if need be by rounding: `cast(bigint as double)`.

    Proof: rounding to the nearest or down to a day never puts a greater value below a smaller one. Values
    that the target cannot hold (NULL, or bits cut off) are pieces of their own, or outside of all and kept.
    """

    @property
    def names(self) -> Sequence[str]:
        return ("cast",)

    def invert(self, call: Call, wanted: Outcomes) -> Condition | None:
        (argument,) = call.arguments
        source = type_of(argument)
        found = None if source is None else _conversion(source, call.type)
        if source is None or found is None:
            return None
        ordinals = ordinals_of(source)
        assert ordinals is not None

        def forward(ordinal: int) -> bytes | None:
            result = found.convert(ordinals.decode(ordinal))
            return None if result is None else encode_value(call.type, result)

        near = widened(wanted, call.type, found.steps)
        values = preimage(ordinals, found.pieces, forward, near)
        if source.kind is call.type.kind is ValueKind.FLOAT:
            # Vectorised Hive leaves a double as it is where row mode makes the nearest float of it.
            values |= wanted.values
        return Member(argument, Outcomes(values, wanted.null))

    def evaluate(self, call: Call, arguments: Sequence[Literal]) -> Literal | None:
        (value,) = arguments
        if value.value is None:
            return Literal(call.type, None)
        found = _conversion(value.type, call.type)
        if found is None or isinstance(value.value, str) or (found.steps and not _is_short(value.value)):
            return None
        ordinal = ordinal_of(value.type, value.value)
        is_inside = any(piece.first <= ordinal <= piece.last for piece in found.pieces)
        return Literal(call.type, found.convert(value.value)) if is_inside else None


def _is_short(number: Number) -> bool:
    """Whether a decimal's digits and its power of ten are doubles: their quotient is rounded once."""
    if not isinstance(number, Decimal):
        return False
    _, digits, exponent = number.as_tuple()
    return (
        len(digits) <= _DIGITS_IN_DOUBLE and isinstance(exponent, int) and abs(exponent) <= _POWERS_IN_DOUBLE
    )


def _conversion(source: HiveType, target: HiveType) -> Conversion | None:
    """How values are converted, and on which stretches of the source; None if it is not certain."""
    ordinals = ordinals_of(source)
    if ordinals is None:
        return None
    whole = (Piece(ordinals.first, ordinals.last),)
    match source.kind, target.kind:
        case (ValueKind.BOOLEAN, ValueKind.INTEGER):
            return Conversion(int, whole)
        case (ValueKind.INTEGER, ValueKind.BOOLEAN):
            return Conversion(bool, (Piece(ordinals.first, -1), Piece(0, 0), Piece(1, ordinals.last)))
        case (ValueKind.INTEGER, ValueKind.INTEGER):
            # Outside of the narrower type the bits that do not fit are cut off.
            return Conversion(int, (_within(ordinals, *_limits(target)),))
        case (ValueKind.FLOAT, ValueKind.INTEGER):
            least, most = _limits(target)
            start = float(max(least, -_EXACT_IN_DOUBLE))
            fitting = Piece(float_ordinal(start), float_ordinal(float(min(most, _EXACT_IN_DOUBLE))))
            return Conversion(int, (fitting,))
        case (ValueKind.DECIMAL, (ValueKind.INTEGER | ValueKind.FLOAT)) if _is_rounded_first(source):
            return None
        case (ValueKind.DECIMAL, ValueKind.INTEGER):
            one = 10 ** (source.scale or 0)
            least, most = _limits(target)
            return Conversion(int, (_within(ordinals, least * one, most * one),))
        case (ValueKind.INTEGER, ValueKind.FLOAT) if target.name == "double":
            return Conversion(float, whole)
        case (ValueKind.FLOAT, ValueKind.FLOAT):
            # To the nearest float; what is beyond the greatest one is kept.
            most = float_ordinal(_GREATEST_FLOAT)
            return Conversion(_to_float, (Piece(float_ordinal(-_GREATEST_FLOAT), most),))
        case (ValueKind.DECIMAL, ValueKind.FLOAT) if target.name == "double":
            # Row by row a number of more digits before the point than that is NULL.
            most_digits = int(10 ** (DEFAULT_DIGITS + (source.scale or 0))) - 1
            return Conversion(float, (_within(ordinals, -most_digits, most_digits),), steps=_UNCERTAIN_STEPS)
        case ((ValueKind.INTEGER | ValueKind.DECIMAL), ValueKind.DECIMAL):
            return _to_decimal(ordinals, target)
        case (ValueKind.DATE, ValueKind.TIMESTAMP):
            least, most = _limits(target)
            return Conversion(
                lambda days: int(days) * DAY_MICROS, (Piece(-(-least // DAY_MICROS), most // DAY_MICROS),)
            )
        case (ValueKind.TIMESTAMP, ValueKind.DATE):
            return Conversion(lambda micros: int(micros) // DAY_MICROS, whole)
    return None


def _is_rounded_first(source: HiveType) -> bool:
    """Whether Hive rounds a decimal to 18 digits behind the point first, row by row.

    Its casts of decimals to other numbers are old functions (`UDFToDouble`) behind a `GenericUDFBridge`.
    """
    return (source.scale or 0) > DEFAULT_SCALE


def _to_decimal(ordinals: Ordinals, target: HiveType) -> Conversion:
    """Half is rounded up, away from zero; what has too many digits is NULL, except in 64 bits."""
    scale, target_scale = ordinals.type.scale or 0, target.scale or 0
    greatest = int(10 ** (target.precision or 0)) - 1
    if scale <= target_scale:
        factor = int(10 ** (target_scale - scale))
        limit = greatest // factor
    else:
        factor = int(10 ** (scale - target_scale))
        # The greatest number that is rounded to `greatest`, not up to the number after it.
        limit = greatest * factor + factor // 2 - 1
    inner = _within(ordinals, -limit, limit)
    outer = [Piece(ordinals.first, inner.first - 1), Piece(inner.last + 1, ordinals.last)]

    def convert(number: Number) -> Number | None:
        rounded = round_half_up(Decimal(number), target_scale)
        return rounded if abs(int(rounded.scaleb(target_scale, EXACT))) <= greatest else None

    if (target.precision or 0) <= MAX_DIGITS_IN_64_BITS:
        return Conversion(convert, (inner,))
    return Conversion(convert, (inner, *(piece for piece in outer if piece.first <= piece.last)))


def _to_float(number: Number) -> Number:
    (single,) = struct.unpack(">f", struct.pack(">f", number))
    return float(single)


def _limits(hive_type: HiveType) -> tuple[int, int]:
    ordinals = ordinals_of(hive_type)
    assert ordinals is not None
    return ordinals.first, ordinals.last


def _within(ordinals: Ordinals, least: int, most: int) -> Piece:
    return Piece(max(ordinals.first, least), min(ordinals.last, most))


RULES: Final[tuple[FunctionRule, ...]] = (WideningCast(), MonotoneCast())
