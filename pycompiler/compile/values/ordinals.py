"""Types with countable values: each value has an ordinal, in value order."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Context, Decimal
from typing import Final, TypeAlias

from pycompiler.compile.values.encoding import decode_value, encode_value
from pycompiler.compile.values.range_set import End, Range, RangeSet
from pycompiler.compile.values.types import INTEGER_BITS, HiveType, ValueKind

EXACT: Final = Context(prec=200)
"""Precision for the exact sum, product and rounding of any two Hive decimals."""
_SIGN: Final = 1 << 63
_DOUBLE: Final = HiveType("double")

Number: TypeAlias = bool | int | float | Decimal
"""A value with an ordinal: dates are days and timestamps microseconds."""


@dataclass(frozen=True, slots=True)
class Ordinals:
    """The ordinals of a type's values, from `first` to `last`.

    Integers, dates (days) and timestamps (microseconds) are their own ordinals. A decimal's ordinal is its
    unscaled value; a float's or double's is its bits in value order, with NaN last.
    """

    type: HiveType
    first: int
    last: int

    def encode(self, ordinal: int) -> bytes:
        """The encoded value of an ordinal."""
        match self.type.kind:
            case ValueKind.BOOLEAN:
                return encode_value(self.type, bool(ordinal))
            case ValueKind.FLOAT:
                return (ordinal + _SIGN).to_bytes(8, "big")
            case ValueKind.DECIMAL:
                return encode_value(self.type, unscaled_decimal(ordinal, self.type.scale or 0))
        return encode_value(self.type, ordinal)

    def decode(self, ordinal: int) -> Number:
        """The value of an ordinal: dates are days and timestamps microseconds."""
        match self.type.kind:
            case ValueKind.BOOLEAN:
                return bool(ordinal)
            case ValueKind.FLOAT:
                value = decode_value(self.type, self.encode(ordinal))
                assert isinstance(value, float)
                return value
            case ValueKind.DECIMAL:
                return unscaled_decimal(ordinal, self.type.scale or 0)
        return ordinal

    def position(self, value: bytes) -> int:
        """The ordinal of an encoded value."""
        decoded = decode_value(self.type, value)
        match decoded:
            case float() | Decimal():
                return ordinal_of(self.type, decoded)
        assert self.type.kind is not ValueKind.BOOLEAN or isinstance(decoded, bool)
        return int.from_bytes(value, "big") - (0 if self.type.kind is ValueKind.BOOLEAN else _SIGN)

    def has_value_in(self, range_: Range) -> bool:
        """Whether the type has a value in a range with two ends, which may have more digits than the type."""
        assert range_.low is not None and range_.high is not None
        low, high = self._exact(range_.low.value), self._exact(range_.high.value)
        first = math.ceil(low) + (low == math.ceil(low) and not range_.low.included)
        last = math.floor(high) - (high == math.floor(high) and not range_.high.included)
        return first <= last

    def _exact(self, value: bytes) -> int | Decimal:
        """The ordinal of an encoded value, fractional if it lies between two ordinals."""
        decoded = decode_value(self.type, value)
        if isinstance(decoded, Decimal):
            return decoded.scaleb(self.type.scale or 0, EXACT)
        return self.position(value)

    def ranges(self, spans: Iterable[tuple[int, int]]) -> RangeSet:
        """The type's values in closed spans of ordinals, which may be empty or reach beyond the type.

        The spans are in any order. The set is unbounded where the type ends.
        """
        cut = ((max(first, self.first), min(last, self.last)) for first, last in spans)
        found: list[Range] = []
        for first, last in merged_spans(span for span in cut if span[0] <= span[1]):
            low = None if first == self.first else End(self.encode(first), True)
            high = None if last == self.last else End(self.encode(last), True)
            found.append(Range(low, high))
        return RangeSet.of(found)


def ordinals_of(hive_type: HiveType) -> Ordinals | None:
    """The ordinals of a type; None for strings and for types without an encoding."""
    match hive_type.kind:
        case ValueKind.INTEGER:
            half = 1 << (INTEGER_BITS[hive_type.name] - 1)
            return Ordinals(hive_type, -half, half - 1)
        case ValueKind.BOOLEAN:
            return Ordinals(hive_type, 0, 1)
        case ValueKind.DATE:
            return Ordinals(hive_type, -(1 << 31), (1 << 31) - 1)
        case ValueKind.TIMESTAMP:
            return Ordinals(hive_type, -_SIGN, _SIGN - 1)
        case ValueKind.FLOAT:
            return Ordinals(hive_type, float_ordinal(float("-inf")), float_ordinal(float("nan")))
        case ValueKind.DECIMAL:
            most = int(10 ** (hive_type.precision or 0)) - 1
            return Ordinals(hive_type, -most, most)
    return None


def known_ordinals(hive_type: HiveType) -> Ordinals:
    """The ordinals of a type that has them."""
    ordinals = ordinals_of(hive_type)
    assert ordinals is not None, f"values of type {hive_type} have no ordinals"
    return ordinals


def float_ordinal(value: float) -> int:
    """The ordinal of a float or double; 0.0 and -0.0 share one."""
    return int.from_bytes(encode_value(_DOUBLE, value), "big") - _SIGN


def ordinal_of(hive_type: HiveType, value: Number) -> int:
    """The ordinal of a value of a type."""
    match value:
        case float():
            return float_ordinal(value)
        case Decimal():
            return int(value.scaleb(hive_type.scale or 0, EXACT))
    return int(value)


def exact_ordinal(hive_type: HiveType, value: Number) -> int | None:
    """The ordinal of a constant; None if its type has no such value.

    Calcite lets a decimal constant have more digits than its type.
    """
    ordinals, ordinal = ordinals_of(hive_type), ordinal_of(hive_type, value)
    return ordinal if ordinals is not None and ordinals.decode(ordinal) == value else None


def round_half_up(number: Decimal, scale: int) -> Decimal:
    """Rounds to `scale` fractional digits, half away from zero, as Hive does."""
    return number.quantize(Decimal((0, (1,), -scale)), ROUND_HALF_UP, EXACT)


def unscaled_decimal(unscaled: int, scale: int) -> Decimal:
    """`unscaled` × 10^-`scale`, exactly, whatever Python's decimal context."""
    return Decimal((int(unscaled < 0), tuple(map(int, str(abs(unscaled)))), -scale))


def merged_spans(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Joins closed spans of whole numbers that touch or overlap; ascending."""
    merged: list[tuple[int, int]] = []
    for first, last in sorted(spans):
        if merged and first <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(merged[-1][1], last))
        else:
            merged.append((first, last))
    return merged
