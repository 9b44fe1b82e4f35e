"""Constants moved by an interval: `DATE '2021-01-31' - INTERVAL 3 DAYS`.

Source: Hive 4.0.1, `DateTimeMath`: days and less are added to a timestamp, months and years by the calendar.
"""

from __future__ import annotations

from typing import Final

from sqlglot import exp

from pycompiler.functions.ordinals import DAY_MICROS, FIRST_DAY, LAST_DAY
from pycompiler.predicate.model import Literal
from pycompiler.predicate.sql.literals import TIMESTAMP
from pycompiler.types import ValueKind

_SECOND: Final = 1_000_000
_MICROS: Final = {
    "second": _SECOND,
    "minute": 60 * _SECOND,
    "hour": 3600 * _SECOND,
    "day": DAY_MICROS,
}
_MAX_DIGITS: Final = 9


def moved(literal: Literal, interval: exp.Interval, sign: int) -> Literal | None:
    """A date or timestamp plus, or minus, an interval of days or less; None if it is anything else."""
    unit = interval.args.get("unit")
    amount = interval.this
    if (
        not isinstance(unit, exp.Var)
        or not isinstance(amount, exp.Literal)
        or not isinstance(literal.value, int)
    ):
        return None
    micros = _MICROS.get(unit.name.lower().removesuffix("s"))
    text = amount.name.strip()
    digits = text.removeprefix("-")
    if micros is None or not (digits.isascii() and digits.isdecimal()) or len(digits) > _MAX_DIGITS:
        return None
    match literal.type.kind:
        case ValueKind.DATE:
            start = literal.value * DAY_MICROS
        case ValueKind.TIMESTAMP:
            start = literal.value
        case _:
            return None
    result = start + sign * int(text) * micros
    # Beyond the years of four digits other calendars' rules begin.
    is_usual = FIRST_DAY <= result // DAY_MICROS <= LAST_DAY
    return Literal(TIMESTAMP, result) if is_usual else None
