"""Conversions between numbers, dates and timestamps: explicit `CAST`, and implicit ones in comparisons."""

import struct
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Final

from pycompiler.compile.functions.condition import Condition, Member
from pycompiler.compile.functions.rule import FunctionRule
from pycompiler.compile.predicate.constants import DEFAULT_DIGITS, DEFAULT_SCALE
from pycompiler.compile.predicate.model import Call, Literal, type_of
from pycompiler.compile.values.calendar import DAY_MICROS
from pycompiler.compile.values.monotone import Graph, Piece
from pycompiler.compile.values.ordinals import (
    EXACT,
    Number,
    Ordinals,
    exact_ordinal,
    float_ordinal,
    known_ordinals,
    ordinals_of,
    round_half_up,
)
from pycompiler.compile.values.outcomes import Outcomes
from pycompiler.compile.values.types import HiveType, ValueKind, keeps_values

_EXACT_IN_DOUBLE: Final = 1 << 53
_GREATEST_FLOAT: Final = 3.4028234663852886e38
_DIGITS_IN_DOUBLE: Final = 15
_POWERS_IN_DOUBLE: Final = 22
MAX_DIGITS_IN_64_BITS: Final = 18
"""Vectorised Hive computes decimals of up to this many digits in 64 bits (`Decimal64ColumnVector`)."""
_UNCERTAIN_STEPS: Final = 2
"""Hive may miss the double nearest to a decimal by this many ordinals."""


class WideningCast(FunctionRule):
    """A conversion between types with the same encoding that changes no value: `cast(int as bigint)`.

    Proof: the result equals the argument byte for byte, and is NULL exactly if the argument is.
    """

    names = ("cast",)

    def invert(self, call: Call, wanted: Outcomes) -> Condition | None:
        source = type_of(call.arguments[0])
        if source is None or not keeps_values(source, call.type):
            return None
        return Member(call.arguments[0], wanted)

    def evaluate(self, call: Call, arguments: Sequence[Literal]) -> Literal | None:
        (value,) = arguments
        return Literal(call.type, value.value) if keeps_values(value.type, call.type) else None


class MonotoneCast(FunctionRule):
    """A conversion that keeps the order of values, possibly by rounding: `cast(bigint as double)`.

    Proof: rounding to nearest, or down to a day, is monotone. Values that the target cannot hold (Hive
    returns NULL or truncates bits) form pieces of their own, or lie outside all pieces; files with them are
    kept.
    """

    names = ("cast",)

    def invert(self, call: Call, wanted: Outcomes) -> Condition | None:
        (argument,) = call.arguments
        source = type_of(argument)
        found = None if source is None else _conversion(source, call.type)
        if source is None or found is None:
            return None
        outcomes = found.preimage(source, call.type, wanted)
        if source.kind is call.type.kind is ValueKind.FLOAT:
            # Vectorised Hive leaves a double unchanged where row mode rounds it to the nearest float.
            outcomes |= wanted
        return Member(argument, outcomes)

    def evaluate(self, call: Call, arguments: Sequence[Literal]) -> Literal | None:
        (value,) = arguments
        if value.value is None:
            return Literal(call.type, None)
        found = _conversion(value.type, call.type)
        if found is None or isinstance(value.value, str) or (found.steps and not _is_short(value.value)):
            return None
        ordinal = exact_ordinal(value.type, value.value)
        if ordinal is None or not found.covers(ordinal):
            return None
        return Literal(call.type, found.result(ordinal))


def _is_short(number: Number) -> bool:
    """Whether a decimal's digits and power of ten are exact doubles: dividing them rounds only once."""
    if not isinstance(number, Decimal):
        return False
    _, digits, exponent = number.as_tuple()
    return (
        len(digits) <= _DIGITS_IN_DOUBLE and isinstance(exponent, int) and abs(exponent) <= _POWERS_IN_DOUBLE
    )


def _conversion(source: HiveType, target: HiveType) -> Graph | None:
    """The conversion; None if it is nowhere certain."""
    ordinals = ordinals_of(source)
    if ordinals is None:
        return None
    whole, scale = Piece(ordinals.first, ordinals.last), source.scale or 0

    def graph(convert: Callable[[Number], Number], *pieces: Piece, steps: int = 0) -> Graph:
        return Graph(lambda ordinal: convert(ordinals.decode(ordinal)), pieces, steps)

    match source.kind, target.kind:
        case (ValueKind.BOOLEAN, ValueKind.INTEGER):
            return graph(int, whole)
        case (ValueKind.INTEGER, ValueKind.BOOLEAN):
            return graph(bool, Piece(ordinals.first, -1), Piece(0, 0), Piece(1, ordinals.last))
        case (ValueKind.INTEGER, ValueKind.INTEGER):
            # Values outside the narrower type lose their high bits.
            return graph(int, _within(ordinals, *_limits(target)))
        case (ValueKind.FLOAT, ValueKind.INTEGER):
            least, most = _limits(target)
            start = float(max(least, -_EXACT_IN_DOUBLE))
            end = float(min(most, _EXACT_IN_DOUBLE))
            return graph(int, Piece(float_ordinal(start), float_ordinal(end)))
        case (ValueKind.DECIMAL, (ValueKind.INTEGER | ValueKind.FLOAT)) if scale > DEFAULT_SCALE:
            # Row mode first rounds to 18 fractional digits: Hive casts decimals to other numbers with old
            # functions (`UDFToDouble`) behind `GenericUDFBridge`.
            return None
        case (ValueKind.DECIMAL, ValueKind.INTEGER):
            least, most = _limits(target)
            return graph(int, _within(ordinals, least * 10**scale, most * 10**scale))
        case (ValueKind.INTEGER, ValueKind.FLOAT) if target.name == "double":
            return graph(float, whole)
        case (ValueKind.FLOAT, ValueKind.FLOAT):
            # Rounds to the nearest float; values beyond the greatest one are kept.
            most = float_ordinal(_GREATEST_FLOAT)
            return graph(_to_float, Piece(float_ordinal(-_GREATEST_FLOAT), most))
        case (ValueKind.DECIMAL, ValueKind.FLOAT) if target.name == "double":
            # In row mode, numbers with more digits than this before the point become NULL.
            most_digits = int(10 ** (DEFAULT_DIGITS + scale)) - 1
            return graph(float, _within(ordinals, -most_digits, most_digits), steps=_UNCERTAIN_STEPS)
        case ((ValueKind.INTEGER | ValueKind.DECIMAL), ValueKind.DECIMAL):
            return _to_decimal(ordinals, target)
        case (ValueKind.DATE, ValueKind.TIMESTAMP):
            least, most = _limits(target)
            return Graph(lambda day: day * DAY_MICROS, (Piece(-(-least // DAY_MICROS), most // DAY_MICROS),))
        case (ValueKind.TIMESTAMP, ValueKind.DATE):
            return Graph(lambda micros: micros // DAY_MICROS, (whole,))
    return None


def _to_decimal(ordinals: Ordinals, target: HiveType) -> Graph:
    """Rounds half away from zero; too many digits give NULL, except in 64-bit arithmetic."""
    scale, target_scale = ordinals.type.scale or 0, target.scale or 0
    greatest = int(10 ** (target.precision or 0)) - 1
    if scale <= target_scale:
        factor = int(10 ** (target_scale - scale))
        limit = greatest // factor
    else:
        factor = int(10 ** (scale - target_scale))
        # The greatest number that rounds to `greatest` and no higher.
        limit = greatest * factor + factor // 2 - 1
    inner = _within(ordinals, -limit, limit)
    outer = [Piece(ordinals.first, inner.first - 1), Piece(inner.last + 1, ordinals.last)]

    def convert(ordinal: int) -> Decimal | None:
        rounded = round_half_up(Decimal(ordinals.decode(ordinal)), target_scale)
        return rounded if abs(int(rounded.scaleb(target_scale, EXACT))) <= greatest else None

    if (target.precision or 0) <= MAX_DIGITS_IN_64_BITS:
        return Graph(convert, (inner,))
    return Graph(convert, (inner, *(piece for piece in outer if piece.first <= piece.last)))


def _to_float(number: Number) -> Number:
    (single,) = struct.unpack(">f", struct.pack(">f", number))
    return float(single)


def _limits(hive_type: HiveType) -> tuple[int, int]:
    ordinals = known_ordinals(hive_type)
    return ordinals.first, ordinals.last


def _within(ordinals: Ordinals, least: int, most: int) -> Piece:
    return Piece(max(ordinals.first, least), min(ordinals.last, most))


RULES: Final[tuple[FunctionRule, ...]] = (WideningCast(), MonotoneCast())
