"""An independent implementation of Hive's functions of dates and timestamps, and moments to test."""

import calendar
import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import TypeAlias

from pycompiler.compile.predicate.model import Call, Column, Literal, LiteralValue, Operand
from pycompiler.compile.values.types import HiveType

Moment: TypeAlias = date | datetime | int
Result: TypeAlias = int | str | date | datetime | None

EPOCH = datetime(1970, 1, 1)
DATE, TIMESTAMP, BIGINT = (HiveType.parse(name) for name in ("date", "timestamp", "bigint"))
COLUMNS = {DATE: "dt", TIMESTAMP: "ts", BIGINT: "bi"}
"""The columns in which the tests of both languages have moments of a type."""

_YEARS = (1, 2, 4, 100, 400, 1582, 1583, 1600, 1899, 1900, 1901, 1969, 1970, 1971, 1999, 2000, 2001)
_LATER_YEARS = (2004, 2020, 2021, 2024, 2038, 2069, 2070, 2071, 2099, 2100, 2101, 9998, 9999)
_TIMES = (
    timedelta(),
    timedelta(microseconds=1),
    timedelta(hours=1, minutes=59, seconds=59, microseconds=999_999),
    timedelta(hours=12),
    timedelta(hours=23, minutes=59, seconds=59, microseconds=999_999),
)


@dataclass(frozen=True)
class Case:
    """A call of one column, and what Hive makes of a moment in it.

    Attributes:
        sql: As Hive reads it.
        call: As the compiler sees it.
        source: The column's type.
        in_hive: The result; None where the rule claims nothing, so that it need not be known.
        vectorized: The result in Hive's vectorized mode, where that is another one.
        margin: How far the moment that Hive makes its result of may be from the one in the column, as zones
            may shift it; the result then is the one in UTC.
    """

    sql: str
    call: Call
    source: HiveType
    in_hive: Callable[[Moment], Result]
    vectorized: Callable[[Moment], Result] | None = None
    margin: timedelta = timedelta()

    def __str__(self) -> str:
        return self.sql


def cases() -> Iterator[Case]:
    """Every rule about dates, over the types that it speaks of."""
    for source in (DATE, TIMESTAMP):
        yield from _parts(source)
        yield from _sums(source)
        yield from _firsts_and_lasts(source)
        yield from _formats(source)
        seconds = timedelta(hours=18)
        for name in ("unix_timestamp", "to_unix_timestamp"):
            yield _case(
                name, "bigint", source, lambda x: (_at(x) - EPOCH) // timedelta(seconds=1), margin=seconds
            )
    yield from _floors()
    yield from _unixtimes()


def moments_of(source: HiveType, years: Iterable[int] = (*_YEARS, *_LATER_YEARS)) -> list[Moment]:
    """Days around the ends of months and years and of the old calendar; times around midnight."""
    days = {date(1582, 10, day) for day in (4, 5, 10, 14, 15, 16)}
    for year in years:
        months = range(1, 13) if year in (1900, 2000, 2020, 2021) else (1, 2, 3, 6, 12)
        for month in months:
            last = calendar.monthrange(year, month)[1]
            some = (1, 2, 15, last - 1, last) if month == 2 or year == 2021 else (1, last)
            days |= {date(year, month, day) for day in some}
    return _moments(sorted(days), source)


def random_moments(source: HiveType, count: int, seed: int) -> list[Moment]:
    """Moments of any year, and as many of our times."""
    chosen = random.Random(seed)
    days = [date.fromordinal(chosen.randint(1, date.max.toordinal())) for _ in range(count)]
    days += [date(1960, 1, 1) + timedelta(days=chosen.randint(0, 45_000)) for _ in range(count)]
    return _moments(days, source)


def _moments(days: list[date], source: HiveType) -> list[Moment]:
    if source == DATE:
        return list(days)
    times = [_midnight(day) + time for day in days for time in (_TIMES if day.day > 20 else _TIMES[:2])]
    if source == TIMESTAMP:
        return list(times)
    return [(time - EPOCH) // timedelta(seconds=1) for time in times]


def _case(
    name: str,
    result: str,
    source: HiveType,
    in_hive: Callable[..., Result],
    *constants: LiteralValue | date,
    vectorized: Callable[..., Result] | None = None,
    margin: timedelta = timedelta(),
    constant_first: bool = False,
    sql: str | None = None,
) -> Case:
    column = Column(COLUMNS[source], source)
    literals = [_literal(constant) for constant in constants]
    texts = [f"date '{c}'" if isinstance(c, date) else repr(c) for c in constants]
    arguments: tuple[Operand, ...] = (*literals, column) if constant_first else (column, *literals)
    written = [*texts, column.name] if constant_first else [column.name, *texts]
    call = Call(name, HiveType.parse(result), arguments)
    return Case(sql or f"{name}({', '.join(written)})", call, source, in_hive, vectorized, margin)


def _literal(constant: LiteralValue | date) -> Literal:
    match constant:
        case date():
            return Literal(DATE, (constant - EPOCH.date()).days)
        case str():
            return Literal(HiveType.parse("string"), constant)
    return Literal(HiveType.parse("int"), constant)


def _midnight(day: date) -> datetime:
    return datetime(day.year, day.month, day.day)


def _at(moment: Moment) -> datetime:
    match moment:
        case datetime():
            return moment
        case date():
            return _midnight(moment)
    return EPOCH + timedelta(seconds=moment)


def _parts(source: HiveType) -> Iterator[Case]:
    yield _case("year", "int", source, lambda x: x.year)
    yield _case("quarter", "int", source, lambda x: 1 + (x.month - 1) // 3)
    yield _case("month", "int", source, lambda x: x.month)
    yield _case("day", "int", source, lambda x: x.day)


def _sums(source: HiveType) -> Iterator[Case]:
    yield _case("to_date", "date", source, lambda x: _at(x).date())
    for days in (0, 1, 31, 400):
        yield _case("date_add", "date", source, lambda x, n=days: _plus(x, n), days)
        yield _case("date_sub", "date", source, lambda x, n=days: _plus(x, -n), days)
    for constant in (date(2020, 2, 29), date(1, 1, 1)):
        for text in (constant, str(constant)):
            yield _case("datediff", "int", source, lambda x, c=constant: (_at(x).date() - c).days, text)
            yield _case(
                "datediff",
                "int",
                source,
                lambda x, c=constant: (c - _at(x).date()).days,
                text,
                constant_first=True,
            )
    for months in (0, 1, 2, 11, 12, 25):
        yield _case("add_months", "string", source, lambda x, n=months: _months_later(x, n), months)


def _plus(moment: Moment, days: int) -> date | None:
    ordinal = _at(moment).toordinal() + days
    return date.fromordinal(ordinal) if 1 <= ordinal <= date.max.toordinal() else None


def _months_later(moment: Moment, months: int) -> str | None:
    x = _at(moment)
    year, month = divmod(x.year * 12 + x.month - 1 + months, 12)
    if not 1 <= year <= 9999:
        return None
    most = calendar.monthrange(year, month + 1)[1]
    is_last = x.day == calendar.monthrange(x.year, x.month)[1]
    return f"{year:04}-{month + 1:02}-{most if is_last else min(x.day, most):02}"


def _firsts_and_lasts(source: HiveType) -> Iterator[Case]:
    yield _case(
        "last_day",
        "string",
        source,
        lambda x: f"{x.year:04}-{x.month:02}-{calendar.monthrange(x.year, x.month)[1]}",
    )
    firsts: dict[str, Callable[[int], int]] = {
        "MM": lambda m: m,
        "Q": lambda m: m - (m - 1) % 3,
        "YY": lambda m: 1,
    }
    names = {"MM": ("MM", "MON", "MONTH"), "Q": ("Q", "QUARTER"), "YY": ("YY", "YYYY", "YEAR")}
    for unit, first in firsts.items():

        def truncated(x: Moment, first: Callable[[int], int] = first) -> str:
            moment = _at(x)
            return f"{moment.year:04}-{first(moment.month):02}-01"

        def of_millis(x: Moment, truncated: Callable[[Moment], str] = truncated) -> str:
            return truncated(EPOCH + timedelta(milliseconds=(_at(x) - EPOCH).days))

        for name in names[unit]:
            yield _case(
                "trunc", "string", source, truncated, name, vectorized=of_millis if source == DATE else None
            )


def _formats(source: HiveType) -> Iterator[Case]:
    for pattern, written in (
        ("yyyy", lambda x: f"{x.year:04}"),
        ("yyyy-MM", lambda x: f"{x.year:04}-{x.month:02}"),
        ("yyyyMMdd", lambda x: f"{x.year:04}{x.month:02}{x.day:02}"),
        ("yyyy-MM-dd", lambda x: f"{x.year:04}-{x.month:02}-{x.day:02}"),
        ("yyyy-MM-dd HH:mm:ss", _to_second),
        ("yyyy.MM.dd (HH)", lambda x: f"{x.year:04}.{x.month:02}.{x.day:02} ({_at(x).hour:02})"),
        ("MM", lambda x: f"{x.month:02}"),
        ("MM/dd/yyyy", lambda x: f"{x.month:02}/{x.day:02}/{x.year:04}"),
        ("MM/yyyy", lambda x: f"{x.month:02}/{x.year:04}"),
        ("dd.MM.yyyy", lambda x: f"{x.day:02}.{x.month:02}.{x.year:04}"),
    ):
        yield _case("date_format", "string", source, _since_1901(written), pattern, margin=timedelta(days=1))
    yield _case(
        "date_format",
        "string",
        source,
        _since_1901(lambda x: f"{x.year:04}T{x.month:02}"),
        "yyyy'T'MM",
        margin=timedelta(days=1),
        sql=f"""date_format({COLUMNS[source]}, "yyyy'T'MM")""",
    )


def _since_1901(written: Callable[..., str]) -> Callable[[Moment], str | None]:
    return lambda x: written(_at(x)) if _at(x).year >= 1901 else None


def _to_second(moment: Moment) -> str:
    x = _at(moment)
    return f"{x.year:04}-{x.month:02}-{x.day:02} {x.hour:02}:{x.minute:02}:{x.second:02}"


def _unixtimes() -> Iterator[Case]:
    margin = timedelta(hours=18)
    yield _case("from_unixtime", "string", BIGINT, _since_1901(_to_second), margin=margin)
    for pattern, written in (
        ("yyyy-MM", lambda x: f"{x.year:04}-{x.month:02}"),
        ("yyyy-MM-dd HH:mm", lambda x: _to_second(x)[:-3]),
        ("MM/dd/yyyy", lambda x: f"{x.month:02}/{x.day:02}/{x.year:04}"),
    ):
        yield _case("from_unixtime", "string", BIGINT, _since_1901(written), pattern, margin=margin)


def _floors() -> Iterator[Case]:
    def months(count: int) -> Callable[[datetime], datetime]:
        return lambda x: datetime(x.year, x.month - (x.month - 1) % count, 1)

    floors: dict[str, Callable[[datetime], datetime]] = {
        "year": months(12),
        "quarter": months(3),
        "month": months(1),
        "week": lambda x: _midnight(x.date() - timedelta(days=x.weekday())),
        "day": lambda x: _midnight(x.date()),
        "hour": lambda x: x.replace(minute=0, second=0, microsecond=0),
        "minute": lambda x: x.replace(second=0, microsecond=0),
        "second": lambda x: x.replace(microsecond=0),
    }
    for unit, floor in floors.items():
        yield _case(f"floor_{unit}", "timestamp", TIMESTAMP, floor, sql=f"floor(ts to {unit})")
