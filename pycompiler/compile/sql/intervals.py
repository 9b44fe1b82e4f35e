"""Constants shifted by an interval (`DATE '2021-01-31' - INTERVAL 3 DAYS`) or days (`DATE '2021-01-31' - 3`).

Source: Hive 4.0.1, `DateTimeMath`: days and smaller units are added to a timestamp, months and years by the
calendar, clipped to the last day of the month; `GenericUDFOPDTIPlus` and `…Minus` for an int.
"""

from typing import Final

from sqlglot import exp

from pycompiler.compile.predicate.constants import micros_of
from pycompiler.compile.predicate.model import Literal, Operand
from pycompiler.compile.sql.literals import DATE, TIMESTAMP
from pycompiler.compile.values.calendar import (
    DAY_MICROS,
    FIRST_MONTH,
    LAST_MONTH,
    SECOND_MICROS,
    first_of_month,
    is_known,
    last_of_month,
    month_of,
)

_MICROS: Final = {
    "second": SECOND_MICROS,
    "minute": 60 * SECOND_MICROS,
    "hour": 3600 * SECOND_MICROS,
    "day": DAY_MICROS,
}
_MONTHS: Final = {"month": 1, "year": 12}
_MAX_DIGITS: Final = 9
GREGORIAN: Final = -141_427
"""15 October 1582, from which on all of Java's calendars agree."""


def plus_interval(literal: Literal, interval: exp.Interval, sign: int) -> Literal | None:
    """A date or timestamp plus or minus an interval of one unit; None for anything else."""
    unit = interval.args.get("unit")
    amount = interval.this
    if not isinstance(unit, exp.Var) or not isinstance(amount, exp.Literal):
        return None
    text = amount.name.strip()
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdecimal()) or len(digits) > _MAX_DIGITS:
        return None
    name, count = unit.name.lower().removesuffix("s"), sign * int(text)
    if name in _MONTHS:
        return _plus_months(literal, count * _MONTHS[name])
    start = micros_of(literal)
    if name not in _MICROS or start is None:
        return None
    result = start + count * _MICROS[name]
    # Beyond four-digit years, other calendar rules apply.
    return Literal(TIMESTAMP, result) if is_known(result // DAY_MICROS) else None


def plus_days(literal: Literal, days: Operand, sign: int) -> Literal | None:
    """A date plus or minus an int; None for anything else."""
    if literal.type != DATE or not isinstance(literal.value, int) or not isinstance(days, Literal):
        return None
    if days.type.name != "int" or not isinstance(days.value, int):
        return None
    result = literal.value + sign * days.value
    return Literal(DATE, result) if is_known(result) else None


def _plus_months(literal: Literal, months: int) -> Literal | None:
    start = micros_of(literal)
    if start is None or not is_known(start // DAY_MICROS):
        return None
    day, time = divmod(start, DAY_MICROS)
    month = month_of(day) + months
    if not FIRST_MONTH <= month <= LAST_MONTH:
        return None
    result = min(first_of_month(month) + day - first_of_month(month_of(day)), last_of_month(month))
    if min(day, result) < GREGORIAN:
        return None
    if literal.type == DATE:
        return Literal(DATE, result)
    return Literal(TIMESTAMP, result * DAY_MICROS + time, literal.is_cut)
