"""Dates and timestamps in the plain text form, which Hive always reads the same way."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta
from typing import Final

_EPOCH: Final = datetime(1970, 1, 1)
_DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_TIMESTAMP: Final = re.compile(r"(\d{4}-\d{2}-\d{2})(?: (\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?)?", re.ASCII)


def parse_date(text: str) -> int | None:
    """Days since 1970 of `2021-01-31`; None for all else."""
    if _DATE.fullmatch(text) is None:
        return None
    try:
        return (date.fromisoformat(text) - _EPOCH.date()).days
    except ValueError:
        return None


def parse_timestamp(text: str) -> int | None:
    """Microseconds since 1970 of `2021-01-31` with or without ` 23:59:59.9`; None for all else.

    A time finer than microseconds is among what is not known.
    """
    parts = _TIMESTAMP.fullmatch(text)
    days = parse_date(parts[1]) if parts else None
    if parts is None or days is None:
        return None
    hours, minutes, seconds = (int(parts[group] or 0) for group in (2, 3, 4))
    if hours > 23 or minutes > 59 or seconds > 59:
        return None
    fraction = (parts[5] or "").ljust(6, "0")
    if fraction[6:].strip("0"):
        return None
    micros = int(fraction[:6])
    time = timedelta(days=days, hours=hours, minutes=minutes, seconds=seconds, microseconds=micros)
    return time // timedelta(microseconds=1)
