"""Constants of one query: its start time, and what Hive's optimizer folds.

Hive evaluates functions of constants once, in row mode, before a storage handler sees the filter. This module
folds only what is certain to give the same result; every other call stays unchanged.

Source: Hive 4.0.1, `ConstantPropagateProcFactory` and the `GenericUDF…` that each function names.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import Final

from pycompiler.compile.functions import registry
from pycompiler.compile.functions.dates import MONTHS_OF_UNIT, truncated
from pycompiler.compile.predicate.constants import day_of
from pycompiler.compile.predicate.model import Call, Literal, LiteralValue, Operand
from pycompiler.compile.predicate.text import describe
from pycompiler.compile.sql.intervals import GREGORIAN
from pycompiler.compile.sql.literals import DATE, TIMESTAMP
from pycompiler.compile.values.calendar import date_of, is_known, text_of
from pycompiler.compile.values.parsing import parse_date
from pycompiler.compile.values.types import ValueKind

_OF_DATES: Final = frozenset(
    {
        *("year", "quarter", "month", "day", "weekofyear", "dayofweek", "last_day", "to_date"),
        *("date_add", "date_sub", "datediff", "add_months", "trunc", "date_format"),
    }
)
"""Functions that accept a date written as a string."""
_FIELD: Final = re.compile(r"yyyy|MM|dd|[-/. _]")
_PATTERN: Final = re.compile(rf"(?:{_FIELD.pattern})+")
_MAX_TEXT: Final = 1000


@dataclass(frozen=True, slots=True)
class Folded:
    """A call folded into a constant, both as text for display."""

    call: str
    constant: str


class QueryConstants:
    """Folds the constants of one query.

    Attributes:
        steps: The calls folded so far.
        uses_current_time: Whether any of them used the query's start time.

    Args:
        now: When the query begins, in the time zone of Hive's session.
    """

    def __init__(self, now: datetime) -> None:
        if now.tzinfo is None:
            raise ValueError("the query's time must have the session's time zone")
        self._now = now
        self.steps: list[Folded] = []
        self.uses_current_time = False

    def current(self, name: str) -> Literal | None:
        """The value of `current_date` or `current_timestamp`; None for any other name."""
        since_1970 = self._now.replace(tzinfo=None) - datetime(1970, 1, 1)
        match name:
            case "current_date":
                literal = Literal(DATE, since_1970.days)
            case "current_timestamp":
                literal = Literal(TIMESTAMP, since_1970 // timedelta(microseconds=1))
            case _:
                return None
        self.uses_current_time = True
        self._note(name, literal)
        return literal

    def folded(self, operand: Operand) -> Operand:
        """The constant that a call of constants folds into if certain; any other operand unchanged."""
        if not isinstance(operand, Call):
            return operand
        literals = [argument for argument in operand.arguments if isinstance(argument, Literal)]
        if len(literals) < len(operand.arguments):
            return operand
        found = self._value(operand, literals)
        if found is None:
            return operand
        self._note(describe(operand), found)
        return found

    def _value(self, call: Call, literals: Sequence[Literal]) -> Literal | None:
        if call.name in _OF_DATES and literals:
            literals = [_as_date(literals[0]), *literals[1:]]
            if call.name == "datediff":
                literals = [_as_date(literal) for literal in literals]
        found = registry.evaluate(Call(call.name, call.type, tuple(literals)), literals)
        if found is not None or any(literal.value is None or literal.is_cut for literal in literals):
            return found
        value = self._row_by_row(call, literals)
        return None if value is None else Literal(call.type, value)

    def _row_by_row(self, call: Call, literals: Sequence[Literal]) -> LiteralValue | None:
        if not literals:
            return None
        kind, day = literals[0].type.kind, _plain_day(literals[0])
        match call.name, [literal.value for literal in literals]:
            case "trunc", [int(), str() as unit] if day is not None and unit in MONTHS_OF_UNIT:
                return truncated(day, MONTHS_OF_UNIT[unit])
            case "date_format", [int(), str() as pattern] if day is not None and _PATTERN.fullmatch(pattern):
                return self._formatted(day, pattern)
            case "dayofweek", [int()] if day is not None:
                # `UDFDayOfWeek`: 1 is Sunday.
                return date_of(day).isoweekday() % 7 + 1
            case "cast", [int()] if day is not None and kind is ValueKind.DATE and call.type.name == "string":
                return text_of(day)
            case "cast", [int() as number] if kind is ValueKind.INTEGER and call.type.name == "string":
                return str(number)
            case "cast", [str() as text] if call.type == DATE:
                return parse_date(text)
            case (("length" | "character_length"), [str() as text]) if text.isascii():
                return len(text)
            case "substr", [str() as text, int() as start, *rest] if text.isascii():
                return _part(text, start, rest)
            case ("lpad" | "rpad") as name, [str() as text, int() as length, str() as pad]:
                return _padded(name, text, length, pad)
        return None

    def _formatted(self, day: int, pattern: str) -> str | None:
        """`GenericUDFDateFormat`: formats an instant in the session's zone, where a day may be missing."""
        date = date_of(day)
        midnight = datetime(date.year, date.month, date.day, tzinfo=self._now.tzinfo)
        if midnight.astimezone(timezone.utc).astimezone(self._now.tzinfo).date() != date:
            return None
        fields = {"yyyy": f"{date.year:04}", "MM": f"{date.month:02}", "dd": f"{date.day:02}"}
        return _FIELD.sub(lambda field: fields.get(field[0], field[0]), pattern)

    def _note(self, call: str, constant: Literal) -> None:
        step = Folded(call, describe(constant))
        if step not in self.steps:
            self.steps.append(step)


def _as_date(literal: Literal) -> Literal:
    """A string in plain date form, such as `2021-01-31`, as a date; anything else unchanged."""
    day = parse_date(literal.value) if isinstance(literal.value, str) else None
    return literal if day is None else Literal(DATE, day)


def _plain_day(literal: Literal) -> int | None:
    """The day of a date or timestamp; None if Java's calendars may disagree on it."""
    day = day_of(literal)
    return day if day is not None and is_known(day) and day >= GREGORIAN else None


def _part(text: str, start: int, rest: Sequence[LiteralValue | None]) -> str | None:
    """`UDFSubstr`: positions count from 1, negative ones from the end; empty outside the text."""
    if rest and not isinstance(rest[0], int):
        return None
    if abs(start) > len(text):
        return ""
    first = start - 1 if start > 0 else len(text) + start if start < 0 else 0
    length = len(text) if not rest else int(rest[0] or 0)
    return text[first : first + length] if length > 0 else ""


def _padded(name: str, text: str, length: int, pad: str) -> str | None:
    """`GenericUDFLpad`, `GenericUDFRpad`: pads or cuts to the exact length."""
    if not (pad and text.isascii() and pad.isascii() and 0 < length <= _MAX_TEXT):
        return None
    padding = (pad * length)[: max(0, length - len(text))]
    return padding + text[:length] if name == "lpad" else text[:length] + padding
