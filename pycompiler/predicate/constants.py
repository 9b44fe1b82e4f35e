"""Constants that a person typed, and what they are beside a column of some type."""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Final

from pycompiler.predicate.model import Literal, LiteralValue
from pycompiler.types import MAX_DECIMAL_PRECISION, HiveType, ValueKind

_EPOCH: Final = datetime(1970, 1, 1)
_DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}")
_TIMESTAMP: Final = re.compile(r"(\d{4}-\d{2}-\d{2})(?: (\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?)?")
_BIGINT: Final = HiveType.parse("bigint")
_INT64_END: Final = 1 << 63


@dataclass(frozen=True, slots=True)
class Number:
    """A number as typed; one with an exponent, such as `1e3`, is a double in Hive and in Spark."""

    text: str

    def negated(self) -> Number:
        """The number with the other sign."""
        return Number(self.text[1:] if self.text.startswith("-") else f"-{self.text}")


@dataclass(frozen=True, slots=True)
class Text:
    """A quoted string."""

    text: str


@dataclass(frozen=True, slots=True)
class Moment:
    """`DATE '…'` or `TIMESTAMP '…'`."""

    text: str
    is_date: bool


@dataclass(frozen=True, slots=True)
class Null:
    """NULL."""


SqlConstant = Number | Text | Moment | Null | bool


def typed(constant: SqlConstant, hive_type: HiveType) -> Literal | None:
    """Gives a constant the type of the column that it is compared with.

    None if Hive or Spark would compare in another type than the column's, or the constant is not exactly a
    value of it. Doubles are the exception: a decimal such as `1.1` becomes the nearest double, as it does in
    Hive and in Spark.
    """
    match constant, hive_type.kind:
        case Null(), _:
            return Literal(hive_type, None)
        case Number(text), ValueKind.INTEGER:
            return _integer(text)
        case Number(text), ValueKind.DECIMAL:
            return _decimal(text)
        case Number(text), ValueKind.FLOAT:
            return _float(text, hive_type)
        case Text(text), ValueKind.STRING:
            return Literal(HiveType("string"), text)
        case bool() as value, ValueKind.BOOLEAN:
            return Literal(hive_type, value)
        case ((Moment(text, is_date=True) | Text(text)), ValueKind.DATE):
            return _literal(hive_type, _days(text))
        case ((Moment(text) | Text(text)), ValueKind.TIMESTAMP):
            return _literal(hive_type, _micros(text))
    return None


def _literal(hive_type: HiveType, value: LiteralValue | None) -> Literal | None:
    return None if value is None else Literal(hive_type, value)


def _has_exponent(text: str) -> bool:
    return "e" in text.lower()


def _integer(text: str) -> Literal | None:
    number = Decimal(text)
    if _has_exponent(text) or not -_INT64_END <= number < _INT64_END or number != int(number):
        return None
    return Literal(_BIGINT, int(number))


def _decimal(text: str) -> Literal | None:
    number = Decimal(text)
    _, digits, exponent = number.as_tuple()
    assert isinstance(exponent, int)
    # The least type that holds the digits as written, as Hive types a decimal constant.
    precision = max(len(digits), -exponent)
    if _has_exponent(text) or precision > MAX_DECIMAL_PRECISION:
        return None
    return Literal(HiveType("decimal", precision=precision, scale=-exponent), number)


def _float(text: str, hive_type: HiveType) -> Literal | None:
    value = float(text)
    if not _has_exponent(text) and "." not in text and Decimal(text) != Decimal(value):
        # Hive and Spark may compare a bigger integer in another type.
        return None
    if hive_type.name == "float" and not _is_float32(value):
        # Both compare as doubles then, and no float is this value.
        return None
    return Literal(hive_type, value)


def _is_float32(value: float) -> bool:
    try:
        (single,) = struct.unpack(">f", struct.pack(">f", value))
    except OverflowError:
        return False
    return bool(single == value)


def _days(text: str) -> int | None:
    try:
        return (date.fromisoformat(text) - _EPOCH.date()).days if _DATE.fullmatch(text) else None
    except ValueError:
        return None


def _micros(text: str) -> int | None:
    parts = _TIMESTAMP.fullmatch(text)
    days = _days(parts[1]) if parts else None
    if parts is None or days is None:
        return None
    hours, minutes, seconds = (int(parts[group] or 0) for group in (2, 3, 4))
    if hours > 23 or minutes > 59 or seconds > 59:
        return None
    micros = int((parts[5] or "").ljust(6, "0")[:6])
    time = timedelta(days=days, hours=hours, minutes=minutes, seconds=seconds, microseconds=micros)
    return time // timedelta(microseconds=1)
