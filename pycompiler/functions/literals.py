"""Reading the constants among a call's arguments."""

from __future__ import annotations

from collections.abc import Sequence

from pycompiler.predicate.model import Literal, Operand
from pycompiler.types import HiveType, ValueKind


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
