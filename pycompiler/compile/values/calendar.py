"""Hive's calendar, the proleptic Gregorian one, in days since 1970.

Only years 1 to 9999: with four-digit years, texts sort as days do.
"""

from datetime import date
from functools import lru_cache
from typing import Final

_EPOCH: Final = date(1970, 1, 1).toordinal()
FIRST_DAY: Final = date.min.toordinal() - _EPOCH
"""0001-01-01, the first day of Python's calendar."""
FIRST_ORDERED_DAY: Final = FIRST_DAY - 366
"""The first day of 1 BC: Hive reads the days before it as days of our era, so that their order is lost."""
FIRST_AGREED_DAY: Final = date(1583, 1, 1).toordinal() - _EPOCH
"""1583-01-01: from this day on the hybrid calendar of old writers agrees with the proleptic one."""
LAST_DAY: Final = date.max.toordinal() - _EPOCH
"""9999-12-31, the last day with a four-digit year."""
SECOND_MICROS: Final = 1_000_000
DAY_MICROS: Final = 86_400 * SECOND_MICROS
ZONE_MICROS: Final = 36 * 3600 * SECOND_MICROS
"""Margin for a stored instant, which Hive shows in the reading JVM's zone: offsets span 26 hours, and zone
changes moved calendars by hours."""
FIRST_MONTH: Final = 12
"""Month numbers are years × 12 + months from 0: January of year 1."""
LAST_MONTH: Final = 9999 * 12 + 11
"""December of year 9999."""


def date_of(day: int) -> date:
    """The date of a day in years 1 to 9999."""
    return date.fromordinal(day + _EPOCH)


def month_of(day: int) -> int:
    """The month number of a day."""
    found = date_of(day)
    return found.year * 12 + found.month - 1


def first_of_month(month: int) -> int:
    """The first day of a month; for the month after `LAST_MONTH`, the day after `LAST_DAY`."""
    if month > LAST_MONTH:
        return LAST_DAY + 1
    return date(month // 12, month % 12 + 1, 1).toordinal() - _EPOCH


def last_of_month(month: int) -> int:
    """The last day of a month."""
    return first_of_month(month + 1) - 1


def first_of_year(year: int) -> int:
    """The first day of a year."""
    return first_of_month(year * 12)


def last_of_year(year: int) -> int:
    """The last day of a year."""
    return first_of_month((year + 1) * 12) - 1


def text_of(day: int) -> str:
    """A day as Hive writes it: `yyyy-MM-dd`."""
    return date_of(day).isoformat()


@lru_cache(maxsize=8)
def months_of_years(first: int, last: int) -> tuple[tuple[int, int], ...]:
    """The first and last day of each month from year `first` to year `last`."""
    starts = [first_of_month(month) for month in range(first * 12, (last + 1) * 12 + 1)]
    return tuple((start, following - 1) for start, following in zip(starts, starts[1:], strict=False))


def is_known(day: int) -> bool:
    """Whether a day is in years 1 to 9999."""
    return FIRST_DAY <= day <= LAST_DAY
