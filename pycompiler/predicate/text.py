"""Column tests and literals as SQL-like text, for people. Never read back."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Final

from pycompiler.predicate.model import Between, ColumnTest, Compare, In, IsNull, Literal
from pycompiler.types import ValueKind

_MAX_TEXT: Final = 200
_MAX_VALUES: Final = 5
_EPOCH: Final = datetime(1970, 1, 1)


def shorten(text: str) -> str:
    """Cuts long text, so that messages stay readable and bounded."""
    return text if len(text) <= _MAX_TEXT else text[: _MAX_TEXT - 1] + "…"


def describe_test(test: ColumnTest) -> str:
    """Writes a column test as it could stand in a WHERE clause."""
    name = test.column.name
    match test:
        case Compare():
            text = f"{name} {test.operator.value} {describe_literal(test.literal)}"
        case In():
            shown = [describe_literal(value) for value in test.values[:_MAX_VALUES]]
            more = len(test.values) - len(shown)
            text = f"{name} in ({', '.join(shown)}{f', … {more} more' if more else ''})"
        case Between():
            text = f"{name} between {describe_literal(test.low)} and {describe_literal(test.high)}"
        case IsNull():
            text = f"{name} is null"
    return shorten(text)


def describe_literal(literal: Literal) -> str:
    """Writes a constant as it could stand in a WHERE clause."""
    value = literal.value
    if value is None:
        return "null"
    if isinstance(value, str):
        escaped = shorten(value).replace("\\", "\\\\").replace("'", "\\'")
        return f"'{escaped}'"
    match literal.type.kind:
        case ValueKind.DATE if isinstance(value, int):
            return f"date {_moment(value * 86_400_000_000, date_only=True)}"
        case ValueKind.TIMESTAMP if isinstance(value, int):
            return f"timestamp {_moment(value, date_only=False)}"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _moment(micros: int, *, date_only: bool) -> str:
    try:
        moment = _EPOCH + timedelta(microseconds=micros)
    except OverflowError:
        return f"{micros // 86_400_000_000} days after 1970-01-01"
    return f"'{date.isoformat(moment) if date_only else moment.isoformat(sep=' ')}'"
