"""Answers of different engines in a common text form, for comparison."""

import datetime as dt
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import TypeAlias

Answer: TypeAlias = "list[tuple[str, ...]]"
"""Rows of texts, sorted because SQL promises no order."""


def answer(rows: Iterable[Sequence[object]]) -> Answer:
    """Converts rows to the common form."""
    return sorted(tuple(_text(value) for value in row) for row in rows)


def _text(value: object) -> str:
    match value:
        case None:
            return "NULL"
        case bool():
            return str(value).lower()
        case float():
            return repr(value)
        case Decimal():
            return format(value.normalize(), "f")
        case dt.datetime():
            return value.isoformat(sep=" ")
        case dt.date():
            return value.isoformat()
        case _:
            return str(value)
