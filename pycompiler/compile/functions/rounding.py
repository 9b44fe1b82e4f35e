"""Rounding: `floor`, `ceil` and `round`."""

from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import ClassVar, Final

from pycompiler.compile.functions.condition import Condition, Member
from pycompiler.compile.functions.rule import FunctionRule
from pycompiler.compile.predicate.model import Call, Literal, type_of
from pycompiler.compile.values.encoding import encode_value
from pycompiler.compile.values.monotone import Graph, Piece, widened
from pycompiler.compile.values.ordinals import Ordinals, float_ordinal, ordinals_of, round_half_up
from pycompiler.compile.values.outcomes import Outcomes
from pycompiler.compile.values.range_set import EMPTY, RangeSet
from pycompiler.compile.values.types import HiveType, ValueKind

_EXACT_IN_DOUBLE: Final = float(1 << 53)
_BIGINT: Final = HiveType("bigint")
_EXACT_BIGINTS: Final = RangeSet.above(encode_value(_BIGINT, -(1 << 53)), included=True) & RangeSet.below(
    encode_value(_BIGINT, 1 << 53), included=True
)
_MAX_DIGITS: Final = 15


class _WholeNumber(FunctionRule):
    """`floor` or `ceil`. Proof: both are monotone.

    The result for a double is a bigint; doubles without a fraction (from 2^53 on) are kept. Hive converts a
    bigint to double first, which is exact up to 2^53; greater ones are kept.
    """

    rounding: ClassVar[str]
    """A rounding mode of Python's decimal module."""

    def invert(self, call: Call, wanted: Outcomes) -> Condition | None:
        source = type_of(call.arguments[0]) if len(call.arguments) == 1 else None
        ordinals = None if source is None else ordinals_of(source)
        if source is None or ordinals is None:
            return None
        (argument,) = call.arguments
        match source.kind, call.type.kind:
            case ValueKind.INTEGER, ValueKind.INTEGER:
                inexact = EMPTY if source.name != "bigint" else _EXACT_BIGINTS.complement()
                return Member(argument, Outcomes(wanted.values | inexact, wanted.null))
            case ValueKind.FLOAT, ValueKind.INTEGER if call.type.name == "bigint":
                most = float_ordinal(_EXACT_IN_DOUBLE)
                piece = Piece(float_ordinal(-_EXACT_IN_DOUBLE), most)
            case ValueKind.DECIMAL, ValueKind.DECIMAL if call.type.scale == 0 and _holds_next(
                source, call.type
            ):
                piece = Piece(ordinals.first, ordinals.last)
            case _:
                return None

        def rounded(ordinal: int) -> int | Decimal:
            value = ordinals.decode(ordinal)
            whole = Decimal(value).to_integral_value(self.rounding)
            return int(whole) if isinstance(value, float) else whole

        return Member(argument, Graph(rounded, (piece,)).preimage(source, call.type, wanted))


class Floor(_WholeNumber):
    """`floor(x)`. Proof: see `_WholeNumber`."""

    names = ("floor",)
    rounding = ROUND_FLOOR


class Ceil(_WholeNumber):
    """`ceil(x)`. Proof: see `_WholeNumber`."""

    names = ("ceil", "ceiling")
    rounding = ROUND_CEILING


class Round(FunctionRule):
    """`round(x)` and `round(x, d)` with 0 ≤ d ≤ 15.

    Proof: rounding half away from zero is monotone. A double is rounded by its decimal digits, in which Java
    and Python may differ by one unit in the last place, so neighbours of the bounds are kept, as are NaN,
    infinities and doubles from 2^53 on.
    """

    names = ("round",)

    def invert(self, call: Call, wanted: Outcomes) -> Condition | None:
        match call.arguments:
            case (argument,):
                digits = 0
            case (argument, Literal(_, int() as digits)) if 0 <= digits <= _MAX_DIGITS:
                pass
            case _:
                return None
        source = type_of(argument)
        ordinals = None if source is None else ordinals_of(source)
        if source is None or ordinals is None or isinstance(digits, bool):
            return None
        match source.kind, call.type.kind:
            case ValueKind.INTEGER, ValueKind.INTEGER:
                return Member(argument, wanted)
            case ValueKind.DECIMAL, ValueKind.DECIMAL if _holds_next(source, call.type):
                scale = min(digits, call.type.scale or 0)
                if (call.type.scale or 0) < min(digits, source.scale or 0):
                    return None
                values = _rounded(ordinals, Piece(ordinals.first, ordinals.last), scale, call.type, wanted)
            case ValueKind.FLOAT, ValueKind.FLOAT if source.name == call.type.name == "double":
                piece = Piece(float_ordinal(-_EXACT_IN_DOUBLE), float_ordinal(_EXACT_IN_DOUBLE))
                values = _rounded(ordinals, piece, digits, call.type, wanted)
                values = widened(values, source, 1)
            case _:
                return None
        return Member(argument, Outcomes(values, wanted.null))


def _rounded(ordinals: Ordinals, piece: Piece, digits: int, result: HiveType, wanted: Outcomes) -> RangeSet:
    def rounded(ordinal: int) -> float | Decimal:
        value = ordinals.decode(ordinal)
        if isinstance(value, float):
            return float(round_half_up(Decimal(repr(value)), digits))
        return round_half_up(Decimal(value), digits)

    return Graph(rounded, (piece,)).preimage(ordinals.type, result, wanted).values


def _holds_next(source: HiveType, result: HiveType) -> bool:
    """Whether the result has room for one more digit before the point, so that rounding cannot overflow."""
    before = (source.precision or 0) - (source.scale or 0)
    room = (result.precision or 0) - (result.scale or 0)
    return room > before or source.scale == 0 == result.scale and room >= before


RULES: Final[tuple[FunctionRule, ...]] = (Floor(), Ceil(), Round())
