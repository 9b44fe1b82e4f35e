"""Functions of dates and timestamps."""

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Final

from pycompiler.compile.values.types import ValueKind

from ..literals import day_text, quoted
from ..tables import DAY_MICROS, Value
from ..values import (
    BIGINT,
    DATE,
    DATE_TEXT,
    EPOCH,
    INT,
    STRING,
    TIMESTAMP,
    Function,
    Operand,
    Values,
    is_moment,
    is_of,
    made,
    operand_of,
)


def _days(operand: Operand) -> list[int]:
    unit = 1 if operand.type.kind is ValueKind.DATE else DAY_MICROS
    days = [value // unit for value in operand.samples if isinstance(value, int)]
    return [day for day in days if 1 <= day + EPOCH <= date.max.toordinal()]


def _dates(operand: Operand) -> list[date]:
    return [date.fromordinal(day + EPOCH) for day in _days(operand)]


@operand_of(is_moment)
def _date_part(g: Values, x: Operand, depth: int) -> Operand | None:
    name = g.rng.choice(
        ("year", "year", "quarter", "month", "day", "dayofmonth", "weekofyear", "dayofweek", "hour", "minute")
    )
    samples: Sequence[Value] = {
        "year": [d.year for d in _dates(x)],
        "quarter": [(d.month + 2) // 3 for d in _dates(x)],
        "month": [d.month for d in _dates(x)],
        "weekofyear": [d.isocalendar()[1] for d in _dates(x)],
        "dayofweek": [d.isoweekday() % 7 + 1 for d in _dates(x)],
        "hour": [0, 12],
        "minute": [0, 30],
    }.get(name, [d.day for d in _dates(x)])
    if name in ("hour", "minute") and x.type.kind is not ValueKind.TIMESTAMP:
        return None
    if name in ("year", "month") and g.rng.random() < 0.2:
        return made(INT, samples, f"extract({name.upper()} FROM ", x.sql, ")")
    return made(INT, samples, f"{name}(", x.sql, ")")


@operand_of(is_moment)
def _to_date(g: Values, x: Operand, depth: int) -> Operand:
    if g.rng.random() < 0.5:
        return made(DATE, _days(x), "to_date(", x.sql, ")")
    return made(DATE, _days(x), "CAST(", x.sql, " AS DATE)")


@operand_of(is_of("date"))
def _to_timestamp(g: Values, x: Operand, depth: int) -> Operand:
    return made(TIMESTAMP, [d * DAY_MICROS for d in _days(x)], "CAST(", x.sql, " AS TIMESTAMP)")


@operand_of(is_moment)
def _date_add(g: Values, x: Operand, depth: int) -> Operand:
    n = g.rng.choice((0, 1, -1, 30, 365, -366, 100_000))
    name, sign = g.rng.choice((("date_add", 1), ("date_sub", -1)))
    return made(DATE, [d + sign * n for d in _days(x)], f"{name}(", x.sql, f", {n})")


@operand_of(is_moment)
def _datediff(g: Values, x: Operand, depth: int) -> Operand:
    days = _days(x) or [0]
    fixed = g.rng.choice(days)
    text = g.rng.choice((f"DATE '{day_text(fixed)}'", quoted(day_text(fixed))))
    if g.rng.random() < 0.5:
        return made(INT, [d - fixed for d in days], "datediff(", x.sql, f", {text})")
    return made(INT, [fixed - d for d in days], f"datediff({text}, ", x.sql, ")")


def _days_between(g: Values, depth: int) -> Operand | None:
    a, b = (g.column(is_moment) for _ in "ab")
    if a is None or b is None:
        return None
    found = [x - y for x in _days(a) for y in _days(b)]
    return made(INT, found, "datediff(", a.sql, ", ", b.sql, ")")


@operand_of(is_moment, nested=False)
def _first_or_last_day(g: Values, x: Operand, depth: int) -> Operand:
    if g.rng.random() < 0.3:
        return made(DATE_TEXT, _days(x), "last_day(", x.sql, ")")
    unit = g.rng.choice(("MM", "MONTH", "MON", "QUARTER", "YY", "YEAR", "YYYY"))
    months = 1 if unit[0] == "M" else 3 if unit[0] == "Q" else 12
    starts = [d.replace(month=d.month - (d.month - 1) % months, day=1).toordinal() - EPOCH for d in _dates(x)]
    return made(DATE_TEXT, starts, "trunc(", x.sql, f", '{unit}')")


@operand_of(is_of("timestamp"))
def _date_trunc(g: Values, x: Operand, depth: int) -> Operand:
    unit = g.rng.choice(("YEAR", "QUARTER", "MONTH", "WEEK", "DAY", "HOUR", "MINUTE", "SECOND"))
    starts = [d * DAY_MICROS for d in _days(x)]
    return made(TIMESTAMP, starts, f"date_trunc('{unit}', ", x.sql, ")")


_PATTERNS: Final = (
    "yyyy",
    "yyyy-MM",
    "yyyy-MM-dd",
    "yyyyMM",
    "MM",
    "MM-dd",
    "dd",
    "yyyy-MM-dd HH:mm:ss",
    "HH:mm",
)
_STRFTIME: Final = (("yyyy", "%Y"), ("MM", "%m"), ("dd", "%d"), ("HH", "%H"), ("mm", "%M"), ("ss", "%S"))


def _formatted(pattern: str, days: Iterable[date]) -> list[Value]:
    for java, python in _STRFTIME:
        pattern = pattern.replace(java, python)
    return [d.strftime(pattern) for d in days if d.year >= 1000]


@operand_of(is_moment)
def _date_format(g: Values, x: Operand, depth: int) -> Operand:
    pattern = g.rng.choice(_PATTERNS)
    return made(STRING, _formatted(pattern, _dates(x)), "date_format(", x.sql, f", '{pattern}')")


@operand_of(is_moment)
def _unix_timestamp(g: Values, x: Operand, depth: int) -> Operand:
    name = g.rng.choice(("unix_timestamp", "to_unix_timestamp"))
    return made(BIGINT, [d * 86_400 for d in _days(x)], f"{name}(", x.sql, ")")


@operand_of(is_of("int"), nested=False)
def _from_unixtime(g: Values, x: Operand, depth: int) -> Operand:
    days = [date.fromordinal(value // 86_400 + EPOCH) for value in x.samples if isinstance(value, int)]
    pattern = g.rng.choice(_PATTERNS)
    return made(STRING, _formatted(pattern, days), "from_unixtime(", x.sql, f", '{pattern}')")


def add_months(g: Values) -> tuple[Operand, Operand] | None:
    """Draws a date in the first 27 days of a month, and a call on which Hive and Spark agree for it."""
    x = g.column(is_moment)
    if x is None:
        return None
    n = g.rng.choice((0, 1, -1, 12, -25))
    samples = [day + 30 * n for day in _days(x)]
    return made(INT, [27], "day(", x.sql, ")"), made(DATE_TEXT, samples, "add_months(", x.sql, f", {n})")


FUNCTIONS: Final[Sequence[Function]] = (
    *(_date_part, _date_part, _date_part, _to_date, _to_timestamp, _date_add, _datediff, _days_between),
    *(_first_or_last_day, _date_trunc, _date_format, _unix_timestamp, _from_unixtime),
)
"""The functions to draw from; those with more forms appear more than once."""

OF_HIVE: Final = tuple(function for function in FUNCTIONS if function is not _date_trunc)
"""Those that Hive has."""
