"""Constants among operands: their values, and text that Hive converts to a date or timestamp."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from pycompiler.predicate.model import Literal, Operand
from pycompiler.values.calendar import DAY_MICROS
from pycompiler.values.ordinals import EXACT
from pycompiler.values.parsing import parse_timestamp
from pycompiler.values.types import HiveType, ValueKind

DEFAULT_DIGITS: Final = 20
DEFAULT_SCALE: Final = 18
"""Before and behind the point of decimal(38,18), Hive's default for a `HiveDecimalWritable`: some decimals
become it on the way, are rounded, or NULL if they have more digits before the point."""


def is_of_default_decimal(operand: Operand) -> bool:
    """Whether an operand is anything but a decimal constant that decimal(38,18) does not hold.

    In vectors Hive 4.0.1 makes decimal(38,18) of the constants of functions that have no vectorized form
    (`VectorUDFArgDesc`).
    """
    match operand:
        case Literal(_, Decimal() as value):
            moved = value.scaleb(DEFAULT_SCALE, EXACT)
            return moved == moved.to_integral_value(context=EXACT) and abs(value) < 10**DEFAULT_DIGITS
    return True


def is_text(hive_type: HiveType | None) -> bool:
    """Whether values of a type are strings as they are. A char is not: it is padded, or stripped."""
    return hive_type is not None and hive_type.name in ("string", "varchar")


def text_of(operand: Operand) -> str | None:
    """The value of a constant string; None if it is anything else."""
    if isinstance(operand, Literal) and is_text(operand.type) and isinstance(operand.value, str):
        return operand.value
    return None


def texts_of(operands: Sequence[Operand]) -> list[str] | None:
    """The values of constant strings; None if there is anything else among them."""
    texts = [text for operand in operands if (text := text_of(operand)) is not None]
    return texts if len(texts) == len(operands) else None


def integer_of(operand: Operand) -> int | None:
    """The value of a constant integer; None if it is anything else."""
    if not isinstance(operand, Literal) or operand.type.kind is not ValueKind.INTEGER:
        return None
    return operand.value if isinstance(operand.value, int) else None


def moment_of(text: str, hive_type: HiveType) -> Literal | None:
    """A string as Hive casts it to a date or a timestamp; None if the text is not in the plain form.

    Hive takes more forms than `2021-01-31` and `2021-01-31 23:59:59.9`, and makes NULL of what is none.
    """
    match hive_type.kind:
        case ValueKind.DATE:
            # The time of day is cut off.
            micros = parse_timestamp(text)
            value = None if micros is None else micros // DAY_MICROS
        case ValueKind.TIMESTAMP:
            value = parse_timestamp(text)
        case _:
            return None
    return None if value is None else Literal(hive_type, value)
