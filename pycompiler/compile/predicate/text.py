"""Operands and filters as SQL-like text, for display only."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Final

from pycompiler.compile.predicate.model import (
    BOOLEAN,
    And,
    Between,
    Call,
    Column,
    Compare,
    Constant,
    In,
    IsNull,
    Literal,
    Not,
    Opaque,
    Operand,
    Or,
    Predicate,
)
from pycompiler.compile.values.calendar import DAY_MICROS
from pycompiler.compile.values.types import ValueKind

_MAX_TEXT: Final = 200
_MAX_FILTER_TEXT: Final = 4000
_MAX_DEPTH: Final = 40
_MAX_VALUES: Final = 5
_EPOCH: Final = datetime(1970, 1, 1)


def shorten(text: str, max_length: int = _MAX_TEXT) -> str:
    """Shortens long text, to keep messages readable and bounded."""
    return text if len(text) <= max_length else text[: max_length - 1] + "…"


def describe(operand: Operand) -> str:
    """Writes an operand as in a WHERE clause, shortened if long or deep."""
    return shorten(_describe(operand, _MAX_DEPTH))


def describe_filter(predicate: Predicate) -> str:
    """Writes a filter like `describe`, with room for more terms."""
    return shorten(_describe(predicate, _MAX_DEPTH), _MAX_FILTER_TEXT)


def _describe(operand: Operand, depth: int) -> str:
    if depth == 0:
        return "…"

    def inner(child: Operand) -> str:
        return _parenthesized(child, depth - 1)

    match operand:
        case Column():
            return operand.name
        case Literal():
            return describe_literal(operand)
        case Opaque():
            return f"[{operand.text}]"
        case Constant():
            return describe_literal(Literal(BOOLEAN, operand.truth))
        case Call("cast", hive_type, (value,)):
            return f"cast({_describe(value, depth - 1)} as {hive_type})"
        case Call(name, _, (left, right)) if not name[0].isalpha():
            return f"{inner(left)} {name} {inner(right)}"
        case Call(name, _, arguments):
            return f"{name}({_listed(arguments, depth)})"
        case Compare():
            return f"{inner(operand.left)} {operand.operator.value} {inner(operand.right)}"
        case In():
            return f"{inner(operand.value)} in ({_listed(operand.members, depth)})"
        case Between():
            return f"{inner(operand.value)} between {inner(operand.low)} and {inner(operand.high)}"
        case IsNull():
            return f"{inner(operand.value)} is null"
        case And():
            return " and ".join(map(inner, operand.terms))
        case Or():
            return " or ".join(map(inner, operand.terms))
        case Not():
            return f"not {inner(operand.term)}"


def _parenthesized(operand: Operand, depth: int) -> str:
    text = _describe(operand, depth)
    is_operator = isinstance(operand, Call) and not operand.name[0].isalpha()
    return (
        f"({text})"
        if is_operator or isinstance(operand, And | Or | Not | Compare | In | Between | IsNull)
        else text
    )


def _listed(operands: Sequence[Operand], depth: int) -> str:
    shown = [_describe(operand, depth - 1) for operand in operands[:_MAX_VALUES]]
    more = len(operands) - len(shown)
    return ", ".join(shown) + (f", … {more} more" if more else "")


def describe_literal(literal: Literal) -> str:
    """Writes a constant as in a WHERE clause."""
    value = literal.value
    if value is None:
        return "null"
    if isinstance(value, str):
        escaped = shorten(value).replace("\\", "\\\\").replace("'", "\\'")
        return f"'{escaped}'"
    match literal.type.kind:
        case ValueKind.DATE if isinstance(value, int):
            return f"date {_moment(value * DAY_MICROS, date_only=True)}"
        case ValueKind.TIMESTAMP if isinstance(value, int):
            return f"timestamp {_moment(value, date_only=False)}"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _moment(micros: int, *, date_only: bool) -> str:
    try:
        moment = _EPOCH + timedelta(microseconds=micros)
    except OverflowError:
        return f"{micros // DAY_MICROS} days after 1970-01-01"
    return f"'{date.isoformat(moment) if date_only else moment.isoformat(sep=' ')}'"
