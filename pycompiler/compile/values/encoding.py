"""Encodes values so that unsigned byte order is value order (docs/inside/formats.md, section 1)."""

import math
import struct
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Final, TypeAlias

from pycompiler.compile.values.types import HiveType, ValueKind

Value: TypeAlias = bool | int | float | Decimal | str | bytes | date | datetime
"""A value as Python holds it: strings may be UTF-8 bytes, and datetimes have no zone. A date may also be an
int of days since 1970, and a timestamp an int of microseconds since 1970, to express values outside Python's
years 1 to 9999."""

MAX_BOUND_BYTES: Final = 64
"""The index cuts longer bounds to this many bytes; literals are never cut."""

_EPOCH: Final = datetime(1970, 1, 1)
_EPOCH_DAY: Final = _EPOCH.toordinal()
_SIGN: Final = 1 << 63
_MASK: Final = (1 << 64) - 1
_NAN_BITS: Final = 0x7FF8_0000_0000_0000
_EXPONENT_SIGN: Final = 1 << 31
_INVERT: Final = bytes(0xFF - byte for byte in range(256))
_NEGATIVE, _ZERO, _POSITIVE = b"\x00", b"\x01", b"\x02"


def encode_value(hive_type: HiveType, value: Value) -> bytes:
    """Encodes one non-NULL value. Widths, scales and lengths of the type are not enforced.

    Raises:
        ValueError: The type has no encoding, or the value is out of the encoding's range.
        TypeError: The value's Python type does not fit the Hive type.
    """
    match hive_type.kind, value:
        case ValueKind.BOOLEAN, bool():
            return b"\x01" if value else b"\x00"
        case ((ValueKind.INTEGER | ValueKind.DATE | ValueKind.TIMESTAMP), int()) if not isinstance(
            value, bool
        ):
            return _encode_integer(value)
        case ValueKind.FLOAT, float():
            return _encode_float(value)
        case ValueKind.DECIMAL, Decimal():
            return _encode_decimal(value)
        case ValueKind.STRING, str():
            return value.encode("utf-8")
        case ValueKind.STRING, bytes():
            return value
        case ValueKind.DATE, date() if not isinstance(value, datetime):
            return _encode_integer(value.toordinal() - _EPOCH_DAY)
        case ValueKind.TIMESTAMP, datetime() if value.tzinfo is None:
            return _encode_integer((value - _EPOCH) // timedelta(microseconds=1))
        case None, _:
            raise ValueError(f"values of type {hive_type} have no encoding")
    raise TypeError(f"not a value of type {hive_type}: {value!r}")


def encode_values(hive_type: HiveType, values: Sequence[Value]) -> list[bytes]:
    """Encodes values as `encode_value` does, but faster for thousands of values of one type."""
    match hive_type.kind:
        case ValueKind.INTEGER | ValueKind.DATE | ValueKind.TIMESTAMP:
            numbers = [value for value in values if type(value) is int]
            if len(numbers) == len(values):
                return list(map(_encode_integer, numbers))
        case ValueKind.STRING:
            texts = [value for value in values if isinstance(value, str)]
            if len(texts) == len(values):
                return list(map(str.encode, texts))
    return [encode_value(hive_type, value) for value in values]


def encode_unscaled(unscaled: int, scale: int) -> bytes:
    """Encodes the decimal `unscaled` / 10^`scale` as `encode_value` does, without building a Decimal."""
    return _encode_digits(unscaled < 0, str(abs(unscaled)), -scale)


def decode_value(hive_type: HiveType, data: bytes) -> Value:
    """Decodes a value, for display.

    Dates and timestamps outside Python's range are returned as days and microseconds. A string bound may be
    cut inside a character; the remaining bytes are shown as backslash escapes.

    Raises:
        ValueError: The bytes are not an encoded value of the type.
    """
    kind = hive_type.kind
    if kind is None or not is_encoded(hive_type, data):
        raise ValueError(f"not an encoded value of type {hive_type}: {data.hex()}")
    match kind:
        case ValueKind.BOOLEAN:
            return data == b"\x01"
        case ValueKind.INTEGER:
            return _decode_integer(data)
        case ValueKind.FLOAT:
            return _decode_float(data)
        case ValueKind.DECIMAL:
            return _decode_decimal(data)
        case ValueKind.STRING:
            return data.decode("utf-8", errors="backslashreplace")
        case ValueKind.DATE:
            days = _decode_integer(data)
            return (
                date.fromordinal(days + _EPOCH_DAY) if 0 < days + _EPOCH_DAY <= date.max.toordinal() else days
            )
        case ValueKind.TIMESTAMP:
            micros = _decode_integer(data)
            try:
                return _EPOCH + timedelta(microseconds=micros)
            except OverflowError:
                return micros


def is_encoded(hive_type: HiveType, data: bytes) -> bool:
    """Whether the bytes have the shape of an encoded value of the type."""
    return are_encoded(hive_type, (data,))


def are_encoded(hive_type: HiveType, values: Sequence[bytes]) -> bool:
    """Whether all values have the shape of encoded values of the type."""
    match hive_type.kind:
        case None:
            return not values
        case ValueKind.BOOLEAN:
            return set(values) <= {b"\x00", b"\x01"}
        case ValueKind.STRING:
            return True
        case ValueKind.DECIMAL:
            return all(map(_is_encoded_decimal, values))
        case _:
            return set(map(len, values)) <= {8}


def truncate_lower(bound: bytes) -> bytes:
    """Cuts a lower bound to `MAX_BOUND_BYTES`: a prefix is never greater than the whole."""
    return bound[:MAX_BOUND_BYTES]


def truncate_upper(bound: bytes) -> bytes | None:
    """Cuts an upper bound to `MAX_BOUND_BYTES` and rounds it up; None if that leaves no bound."""
    return bound if len(bound) <= MAX_BOUND_BYTES else prefix_successor(bound[:MAX_BOUND_BYTES])


def prefix_successor(prefix: bytes) -> bytes | None:
    """The least byte string above all that begin with the prefix; None if it is empty or all FF."""
    stem = prefix.rstrip(b"\xff")
    return stem[:-1] + bytes([stem[-1] + 1]) if stem else None


def _encode_integer(value: int) -> bytes:
    if not -_SIGN <= value < _SIGN:
        raise ValueError(f"not a 64-bit integer: {value}")
    return (value + _SIGN).to_bytes(8, "big")


def _decode_integer(data: bytes) -> int:
    return int.from_bytes(data, "big") - _SIGN


def _encode_float(value: float) -> bytes:
    # Adding 0.0 turns -0.0 into 0.0 and changes no other value.
    bits = _NAN_BITS if math.isnan(value) else int.from_bytes(struct.pack(">d", value + 0.0), "big")
    return (bits ^ (_MASK if bits & _SIGN else _SIGN)).to_bytes(8, "big")


def _decode_float(data: bytes) -> float:
    bits = int.from_bytes(data, "big")
    bits ^= _SIGN if bits & _SIGN else _MASK
    (value,) = struct.unpack(">d", bits.to_bytes(8, "big"))
    return float(value)


def _encode_decimal(value: Decimal) -> bytes:
    sign, digits, exponent = value.as_tuple()
    if not isinstance(exponent, int):
        raise ValueError(f"not a finite decimal: {value}")
    return _encode_digits(bool(sign), "".join(map(str, digits)), exponent)


def _encode_digits(negative: bool, digits: str, exponent: int) -> bytes:
    text = digits.lstrip("0")
    point = len(text) + exponent
    significant = text.rstrip("0")
    if not significant:
        return _ZERO
    if not -_EXPONENT_SIGN <= point < _EXPONENT_SIGN:
        raise ValueError(f"exponent out of range: {digits}E{exponent}")
    magnitude = (point + _EXPONENT_SIGN).to_bytes(4, "big") + significant.encode("ascii")
    # The closing FF sorts a shorter negative number above longer ones with the same prefix: -0.1 > -0.12.
    return _NEGATIVE + magnitude.translate(_INVERT) + b"\xff" if negative else _POSITIVE + magnitude


def _decimal_magnitude(data: bytes) -> bytes:
    return data[1:-1].translate(_INVERT) if data[:1] == _NEGATIVE else data[1:]


def _is_encoded_decimal(data: bytes) -> bool:
    if data[:1] == _ZERO:
        return len(data) == 1
    if data[:1] not in (_NEGATIVE, _POSITIVE) or (data[:1] == _NEGATIVE and data[-1:] != b"\xff"):
        return False
    digits = _decimal_magnitude(data)[4:]
    return digits.isdigit() and not digits.startswith(b"0") and not digits.endswith(b"0")


def _decode_decimal(data: bytes) -> Decimal:
    if data == _ZERO:
        return Decimal(0)
    magnitude = _decimal_magnitude(data)
    digits = tuple(byte - ord("0") for byte in magnitude[4:])
    exponent = int.from_bytes(magnitude[:4], "big") - _EXPONENT_SIGN
    return Decimal((1 if data[:1] == _NEGATIVE else 0, digits, exponent - len(digits)))
