"""Constants of one query: the time at which it begins, and what Hive's optimizer computes of constants.

Hive evaluates functions of constants once, row by row and not in vectors, before a storage handler sees the
filter. Here only what is certain to be the same is computed; every other call stays as it is.

Source: Hive 4.0.1, `ConstantPropagateProcFactory` and the `GenericUDF…` that each function names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import Final

from pycompiler.functions.registry import registry
from pycompiler.predicate.model import Call, Literal, LiteralValue, Operand
from pycompiler.predicate.text import describe
from pycompiler.sql.literals import DATE, TIMESTAMP
from pycompiler.values.calendar import DAY_MICROS, date_of, first_of_month, is_known, month_of
from pycompiler.values.parsing import parse_date
from pycompiler.values.types import MOMENTS, ValueKind

_CALENDARS_AGREE: Final = (datetime(1582, 10, 15) - datetime(1970, 1, 1)).days
"""From this day on Java's two calendars have the same dates."""
_OF_DATES: Final = frozenset(
    {
        *("year", "quarter", "month", "day", "weekofyear", "dayofweek", "last_day", "to_date"),
        *("date_add", "date_sub", "datediff", "add_months", "trunc", "date_format"),
    }
)
"""Functions that take a string for the date that it is written as."""
_MONTHS_OF_UNIT: Final = {
    **dict.fromkeys(("MM", "MON", "MONTH"), 1),
    **dict.fromkeys(("Q", "QUARTER"), 3),
    **dict.fromkeys(("YY", "YYYY", "YEAR"), 12),
}
_FIELD: Final = re.compile(r"yyyy|MM|dd|[-/. _]")
_PATTERN: Final = re.compile(rf"(?:{_FIELD.pattern})+")
_MAX_TEXT: Final = 1000


@dataclass(frozen=True, slots=True)
class Folded:
    """A call that has become a constant, both as text for people."""

    call: str
    constant: str


class QueryConstants:
    """What is constant in one query.

    Attributes:
        steps: The calls that have become constants so far.
        is_asked_for_time: Whether the time at which the query begins was among them.

    Args:
        now: When the query begins, in the time zone of Hive's session.
    """

    def __init__(self, now: datetime) -> None:
        if now.tzinfo is None:
            raise ValueError("the time of a query needs the time zone of its session")
        self._now = now
        self.steps: list[Folded] = []
        self.is_asked_for_time = False

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
        self.is_asked_for_time = True
        self._note(name, literal)
        return literal

    def folded(self, operand: Operand) -> Operand:
        """A call of constants as the constant that it is, where that is certain; all else as it is."""
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
        found = registry().evaluate(Call(call.name, call.type, tuple(literals)), literals)
        if found is not None or any(literal.value is None or literal.is_cut for literal in literals):
            return found
        value = self._row_by_row(call, [literal.type.kind for literal in literals], literals)
        return None if value is None else Literal(call.type, value)

    def _row_by_row(
        self, call: Call, kinds: Sequence[ValueKind | None], literals: Sequence[Literal]
    ) -> LiteralValue | None:
        values = [literal.value for literal in literals]
        match call.name, values:
            case "trunc", [int() as moment, str() as unit]:
                return _truncated(_day(kinds[0], moment), unit)
            case "date_format", [int() as moment, str() as pattern]:
                return self._formatted(_day(kinds[0], moment), pattern)
            case "dayofweek", [int() as moment]:
                return _day_of_week(_day(kinds[0], moment))
            case "cast", [int() as day] if kinds[0] is ValueKind.DATE and call.type.name == "string":
                return date_of(day).isoformat() if _is_plain(day) else None
            case "cast", [int() as number] if kinds[0] is ValueKind.INTEGER and call.type.name == "string":
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

    def _formatted(self, day: int | None, pattern: str) -> str | None:
        """`GenericUDFDateFormat`: through an instant of the session's zone, in which a day may be missing."""
        if day is None or _PATTERN.fullmatch(pattern) is None:
            return None
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
    """A string that is plainly a date, as one: `2021-01-31`."""
    day = parse_date(literal.value) if isinstance(literal.value, str) else None
    return literal if day is None else Literal(DATE, day)


def _day(kind: ValueKind | None, moment: int) -> int | None:
    """The day of a date, or of a timestamp; None if another calendar may count."""
    day = moment if kind is ValueKind.DATE else moment // DAY_MICROS
    return day if kind in MOMENTS and _is_plain(day) else None


def _is_plain(day: int) -> bool:
    return is_known(day) and day >= _CALENDARS_AGREE


def _truncated(day: int | None, unit: str) -> str | None:
    """`GenericUDFTrunc`: the first day of the unit; in vectors it takes days for milliseconds."""
    months = _MONTHS_OF_UNIT.get(unit)
    if day is None or months is None:
        return None
    month = month_of(day)
    return date_of(first_of_month(month - month % months)).isoformat()


def _day_of_week(day: int | None) -> int | None:
    """`UDFDayOfWeek`: from 1 for Sunday."""
    return None if day is None else date_of(day).isoweekday() % 7 + 1


def _part(text: str, start: int, rest: Sequence[LiteralValue | None]) -> str | None:
    """`UDFSubstr`: places count from 1, negative ones from the end; outside of the text nothing is left."""
    if rest and not isinstance(rest[0], int):
        return None
    if abs(start) > len(text):
        return ""
    first = start - 1 if start > 0 else len(text) + start if start < 0 else 0
    length = len(text) if not rest else int(rest[0] or 0)
    return text[first : first + length] if length > 0 else ""


_PAD: Final[dict[str, Callable[[str, str], str]]] = {
    "lpad": lambda text, padding: padding + text,
    "rpad": lambda text, padding: text + padding,
}


def _padded(name: str, text: str, length: int, pad: str) -> str | None:
    """`GenericUDFLpad`, `GenericUDFRpad`: of exactly so many characters."""
    if not (pad and text.isascii() and pad.isascii() and 0 < length <= _MAX_TEXT):
        return None
    if len(text) >= length:
        return text[:length]
    missing = length - len(text)
    return _PAD[name](text, (pad * missing)[:missing])
