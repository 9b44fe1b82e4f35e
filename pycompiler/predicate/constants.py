"""Values of constants: dates and timestamps of text, and numbers as values of another type."""

from __future__ import annotations

import math
import re
import struct
from datetime import date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Final

from pycompiler.predicate.model import Literal
from pycompiler.types import MAX_DECIMAL_PRECISION, HiveType, ValueKind

INTEGER_DIGITS: Final = {"tinyint": 3, "smallint": 5, "int": 10, "bigint": 19}
"""Digits of the decimal that stands for an integer type in Hive, from the narrowest to the widest."""
_EPOCH: Final = datetime(1970, 1, 1)
_DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_TIMESTAMP: Final = re.compile(r"(\d{4}-\d{2}-\d{2})(?: (\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?)?", re.ASCII)


def moment_of(text: str, hive_type: HiveType) -> Literal | None:
    """A string as Hive casts it to a date or a timestamp; None if the text is not in the plain form.

    Hive takes more forms than `2021-01-31` and `2021-01-31 23:59:59.9`, and makes NULL of what is none.
    """
    match hive_type.kind:
        case ValueKind.DATE:
            # The time of day is cut off.
            micros = timestamp_of(text)
            value = None if micros is None else micros // 86_400_000_000
        case ValueKind.TIMESTAMP:
            value = timestamp_of(text)
        case _:
            return None
    return None if value is None else Literal(hive_type, value)


def date_of(text: str) -> int | None:
    """Days since 1970 of `2021-01-31`; None for all else."""
    if _DATE.fullmatch(text) is None:
        return None
    try:
        return (date.fromisoformat(text) - _EPOCH.date()).days
    except ValueError:
        return None


def timestamp_of(text: str) -> int | None:
    """Microseconds since 1970 of `2021-01-31` with or without ` 23:59:59.9`; None for all else.

    A time finer than microseconds is among what is not known.
    """
    parts = _TIMESTAMP.fullmatch(text)
    days = date_of(parts[1]) if parts else None
    if parts is None or days is None:
        return None
    hours, minutes, seconds = (int(parts[group] or 0) for group in (2, 3, 4))
    if hours > 23 or minutes > 59 or seconds > 59:
        return None
    fraction = (parts[5] or "").ljust(6, "0")
    if fraction[6:].strip("0"):
        return None
    micros = int(fraction[:6])
    time = timedelta(days=days, hours=hours, minutes=minutes, seconds=seconds, microseconds=micros)
    return time // timedelta(microseconds=1)


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
