"""Draws constants as SQL text that Hive and Spark read alike."""

import math
import random
import struct
from datetime import datetime, timedelta
from decimal import Decimal

from pycompiler.compile.values.types import INTEGER_BITS, HiveType, ValueKind

from .tables import DAY_MICROS, LAST_DAY, Value

_EPOCH = datetime(1970, 1, 1)
_MAX_AS_TEXT = 1 << 31
_ESCAPES = {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\t": "\\t", "\uffff": "\\uFFFF"}
"""U+FFFF is escaped because Hive's lexer has no such character."""


def literal(
    rng: random.Random, hive_type: HiveType, value: Value, *, alike: bool = False, plain: bool = False
) -> str:
    """Writes a constant to compare with an operand.

    Args:
        rng: Chooses the form.
        hive_type: Type of the operand.
        value: The constant's value.
        alike: Whether the constant must have the operand's type; otherwise one that converts exactly will do.
        plain: Whether to write it in the usual form, which is a constant to every reader.
    """
    if value is None:
        return "NULL"
    match hive_type.kind:
        case ValueKind.BOOLEAN:
            return "true" if value else "false"
        case ValueKind.INTEGER:
            assert isinstance(value, int)
            return _integer(rng, hive_type, value, alike, plain)
        case ValueKind.FLOAT:
            return _float(rng, hive_type, float(value), alike, plain)
        case ValueKind.DECIMAL:
            assert isinstance(value, Decimal | int)
            return _scaled(hive_type, value) if plain else _decimal(rng, Decimal(value), alike)
        case ValueKind.STRING:
            return quoted(str(value)[: hive_type.length] if alike and not plain else str(value))
        case ValueKind.DATE:
            assert isinstance(value, int)
            return f"DATE '{day_text(value)}'" if plain else _date(rng, value, alike)
        case ValueKind.TIMESTAMP:
            assert isinstance(value, int)
            return f"TIMESTAMP '{_time_text(value)}'" if plain else _timestamp(rng, value, alike)
    raise AssertionError(f"no constants of type {hive_type}")


def quoted(text: str) -> str:
    """Writes a string constant."""
    return "'" + "".join(_ESCAPES.get(character, character) for character in text) + "'"


def of_another_type(rng: random.Random, hive_type: HiveType, value: Value) -> str:
    """Writes a constant that Hive has to convert, equal to a value or close to it."""
    forms: tuple[str, ...] = ()
    match hive_type.kind, value:
        case ValueKind.INTEGER, int():
            forms = (f"{value}.5", f"{value}.0D", quoted(str(value)), f"{value}.00BD")
        case ValueKind.FLOAT, float() if math.isfinite(value):
            forms = (quoted(str(value)), f"{value:.2f}", f"{value:.0f}.0D", f"{value + 1 / 64!r}D")
        case ValueKind.DECIMAL, Decimal():
            forms = (f"{float(value)!r}D", f"{int(value)}L", quoted(str(value)), f"{value + 1:f}BD")
        case ValueKind.STRING, str():
            number = value.strip() if value.strip().isdecimal() else "5"
            forms = (number, f"{number}.0D", quoted(value + " "), quoted(value.swapcase()))
        case ValueKind.DATE, int():
            text = day_text(value)
            forms = (quoted(text), quoted(text[:7]), f"TIMESTAMP '{text} 10:00:00'")
        case ValueKind.TIMESTAMP, int():
            text = _time_text(value)
            forms = (quoted(text), quoted(text[:10]), quoted(text[:13]), f"DATE '{text[:10]}'")
    return rng.choice(forms) if forms else literal(rng, hive_type, value)


def near(rng: random.Random, hive_type: HiveType, value: Value) -> Value:
    """Draws a value close to another one, of the same type or one that compares with it exactly."""
    match hive_type.kind, value:
        case ((ValueKind.INTEGER | ValueKind.DATE), int()):
            return value + rng.choice((-1, 1))
        case ValueKind.TIMESTAMP, int():
            return value + rng.choice((-1, 1)) * rng.choice((1, 1000, 3600 * 1_000_000, DAY_MICROS))
        case ValueKind.FLOAT, float() if math.isfinite(value):
            return value + rng.choice((-0.125, 0.125))
        case ValueKind.DECIMAL, Decimal() if value.adjusted() < 15:
            return value + Decimal(rng.choice(("-0.01", "0.005", "1")))
        case ValueKind.STRING, str():
            return value[:-1] if rng.random() < 0.5 else value + rng.choice(("a", " ", "%", "\U0001f600"))
    return value


def _integer(rng: random.Random, hive_type: HiveType, value: int, alike: bool, plain: bool) -> str:
    # See `grammar.LEFT_OUT`.
    bound = 1 << (INTEGER_BITS[hive_type.name if alike else "bigint"] - 1)
    value = min(max(value, -bound), bound - 1)
    if plain:
        # Without its sign, the least bigint would be no bigint.
        return str(max(value, 1 - (1 << 63)))
    is_small = abs(value) < _MAX_AS_TEXT
    match rng.randrange(12):
        case 0 if not alike and is_small:
            return f"'{value}'"
        case 1 if not alike and is_small:
            return f"{value}.0"
        case 2 if not alike and is_small:
            return f"{value}e0"
        case 3 if not alike and is_small:
            return f"{value}.5"
        case 4 if is_small:
            return f"{value}L"
        case 5:
            return f"CAST({value} AS BIGINT)"
    return str(value)


def _float(rng: random.Random, hive_type: HiveType, value: float, alike: bool, plain: bool) -> str:
    if not math.isfinite(value):
        text = "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
        return f"CAST('{text}' AS DOUBLE)"
    if hive_type.name == "float":
        # Only for floats: see `grammar.LEFT_OUT`.
        value = _single(value)
    text = repr(value)
    is_short = not (alike or plain) and "e" not in text and 1e-3 < abs(value) < 1e6
    match 3 if plain else rng.randrange(4):
        case 0 if is_short:
            return text
        case 1 if value == int(value) and is_short:
            return str(int(value))
    return text if "e" in text else f"{text}e0"


def _single(value: float) -> float:
    try:
        (single,) = struct.unpack(">f", struct.pack(">f", value))
    except OverflowError:
        return 0.0
    return float(single)


def _scaled(hive_type: HiveType, value: Decimal | int) -> str:
    """Writes a decimal with at least as many digits as its type has after the point."""
    text = f"{Decimal(value):f}"
    missing = (hive_type.scale or 0) - len(text.partition(".")[2])
    return text if missing <= 0 else text + ("" if "." in text else ".") + "0" * missing


def _decimal(rng: random.Random, value: Decimal, alike: bool) -> str:
    text = f"{value:f}"
    match rng.randrange(6):
        case 0 if not alike and value == value.to_integral_value() and value.adjusted() < 9:
            return str(int(value))
        case 1 if not alike and value.adjusted() < 6 and len(text) < 12:
            return f"{text}e0"
    return text


def day_text(days: int) -> str:
    """Writes a date as text, no later than the last day of year 9999."""
    return (_EPOCH + timedelta(days=min(days, LAST_DAY))).date().isoformat()


def _date(rng: random.Random, days: int, alike: bool) -> str:
    text = day_text(days)
    match rng.randrange(5):
        case 0 if not alike:
            return f"'{text}'"
        case 1 if not alike:
            return f"TIMESTAMP '{text} {rng.choice(('00:00:00', '12:30:00'))}'"
        case 2:
            return f"CAST('{text}' AS DATE)"
    return f"DATE '{text}'"


def _time_text(micros: int) -> str:
    return (_EPOCH + timedelta(microseconds=min(micros, LAST_DAY * DAY_MICROS))).isoformat(sep=" ")


def _timestamp(rng: random.Random, micros: int, alike: bool) -> str:
    text = _time_text(micros)
    match rng.randrange(5):
        case 0 if not alike:
            return f"'{text}'"
        case 1 if not alike:
            return f"DATE '{text[:10]}'"
        case 2:
            return f"CAST('{text}' AS TIMESTAMP)"
    return f"TIMESTAMP '{text}'"
