"""Exact numbers as values of Hive's types: the least decimal type that holds one, and the nearest float."""

from __future__ import annotations

import math
import struct
from decimal import Decimal
from fractions import Fraction

from pycompiler.values.types import MAX_DECIMAL_PRECISION, HiveType


def decimal_type(number: Decimal) -> HiveType | None:
    """The least decimal that holds a number, as Hive types a constant; None if 38 digits do not."""
    digits, scale = number.as_tuple().digits, -int(number.as_tuple().exponent)
    while scale > 0 and digits[-1:] in ((0,), ()):
        # HiveDecimal drops zeros at the end of the fraction.
        digits, scale = digits[:-1], scale - 1
    if scale < 0:
        digits, scale = (*digits, *(0,) * -scale), 0
    significant = len(digits) - next((place for place, digit in enumerate(digits) if digit), len(digits))
    precision = max(significant, scale, 1)
    return (
        HiveType("decimal", precision=precision, scale=scale) if precision <= MAX_DECIMAL_PRECISION else None
    )


def nearest_float(number: Decimal) -> float:
    """The float of 32 bits that is nearest to a number, ties to even, as Java parses one."""
    exact = Fraction(number)
    guess = _single(float(number))
    # The double on the way may have rounded onto a tie: the nearest is the guess or one of its neighbours.
    bits = struct.unpack(">i", struct.pack(">f", abs(guess)))[0]
    if math.isinf(guess):
        return guess
    candidates = [_of_bits(near) for near in (bits, bits + 1, bits - 1) if near >= 0]
    finite = [value for value in candidates if math.isfinite(value)]
    best = min(finite, key=lambda value: (abs(Fraction(value) - abs(exact)), _bits(value) % 2))
    return math.copysign(best, number)


def _single(value: float) -> float:
    try:
        return float(struct.unpack(">f", struct.pack(">f", value))[0])
    except OverflowError:
        return math.copysign(math.inf, value)


def _bits(value: float) -> int:
    return int(struct.unpack(">i", struct.pack(">f", value))[0])


def _of_bits(bits: int) -> float:
    return float(struct.unpack(">f", struct.pack(">i", bits))[0])
