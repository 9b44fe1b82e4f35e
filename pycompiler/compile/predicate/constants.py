"""Values of constant operands, and text that Hive converts to a date or timestamp."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from pycompiler.compile.predicate.model import Call, Literal, Operand, type_of
from pycompiler.compile.values.calendar import DAY_MICROS
from pycompiler.compile.values.ordinals import EXACT
from pycompiler.compile.values.parsing import parse_timestamp
from pycompiler.compile.values.types import MOMENTS, HiveType, ValueKind

_STRING: Final = HiveType("string")
_WRITTEN: Final = MOMENTS | {ValueKind.INTEGER}
DEFAULT_DIGITS: Final = 20
DEFAULT_SCALE: Final = 18
"""Digits before and after the point of decimal(38,18), Hive's default `HiveDecimalWritable`. Some decimals
pass through it: they are rounded, or become NULL if they have more digits before the point."""


def fits_default_decimal(operand: Operand) -> bool:
    """False for a decimal constant that decimal(38,18) cannot hold; else True.

    Vectorised Hive 4.0.1 converts constants of functions without a vectorised form to decimal(38,18)
    (`VectorUDFArgDesc`).
    """
    match operand:
        case Literal(_, Decimal() as value):
            moved = value.scaleb(DEFAULT_SCALE, EXACT)
            return moved == moved.to_integral_value(context=EXACT) and abs(value) < 10**DEFAULT_DIGITS
    return True


def is_text(hive_type: HiveType | None) -> bool:
    """Whether values of a type are plain strings. A char is not: it is padded or stripped."""
    return hive_type is not None and hive_type.name in ("string", "varchar")


def as_text(operand: Operand) -> Operand | None:
    """A string, varchar, integer, date or timestamp as text; None for other types.

    Hive gives old functions (`GenericUDFBridge`), such as LIKE and `substr`, the text of any value without a
    cast in the expression.
    """
    hive_type = type_of(operand)
    if is_text(hive_type):
        return operand
    is_written = hive_type is not None and hive_type.kind in _WRITTEN and not isinstance(operand, Literal)
    return Call("cast", _STRING, (operand,)) if is_written else None


def text_of(operand: Operand) -> str | None:
    """The value of a constant string; None for any other operand."""
    if isinstance(operand, Literal) and is_text(operand.type) and isinstance(operand.value, str):
        return operand.value
    return None


def texts_of(operands: Sequence[Operand]) -> list[str] | None:
    """The values of constant strings; None if any operand is something else."""
    texts = [text for operand in operands if (text := text_of(operand)) is not None]
    return texts if len(texts) == len(operands) else None


def integer_of(operand: Operand) -> int | None:
    """The value of a constant integer; None for any other operand."""
    if not isinstance(operand, Literal) or operand.type.kind is not ValueKind.INTEGER:
        return None
    return operand.value if isinstance(operand.value, int) else None


def micros_of(literal: Literal) -> int | None:
    """Microseconds since 1970 of a constant date or timestamp; None for any other constant."""
    match literal.type.kind, literal.value:
        case ValueKind.DATE, int() as day:
            return day * DAY_MICROS
        case ValueKind.TIMESTAMP, int() as micros:
            return micros
    return None


def day_of(literal: Literal) -> int | None:
    """The day of a constant date or timestamp; None for any other constant."""
    micros = micros_of(literal)
    return None if micros is None else micros // DAY_MICROS


def moment_of(text: str, hive_type: HiveType) -> Literal | None:
    """A string cast to a date or timestamp as Hive does it; None if the text is not in the plain form.

    Hive accepts more forms than `2021-01-31` and `2021-01-31 23:59:59.9`, and turns invalid text into NULL.
    """
    micros = parse_timestamp(text) if hive_type.kind in MOMENTS else None
    if micros is None:
        return None
    return Literal(hive_type, micros // DAY_MICROS if hive_type.kind is ValueKind.DATE else micros)
