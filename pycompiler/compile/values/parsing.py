"""Dates and timestamps in the plain text form that every version of Hive reads alike."""

import re
from datetime import datetime, timedelta
from typing import Final

from pycompiler.compile.values.calendar import DAY_MICROS

_EPOCH: Final = datetime(1970, 1, 1)
_DATE_LENGTH: Final = len("2021-01-31")
_TIMESTAMP: Final = re.compile(
    r"(\d{4}-\d{2}-\d{2})(?: ((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:\.(\d{1,9}))?)?", re.ASCII
)


def parse_date(text: str) -> int | None:
    """Days since 1970 for text like `2021-01-31`; None for anything else."""
    micros = parse_timestamp(text) if len(text) == _DATE_LENGTH else None
    return None if micros is None else micros // DAY_MICROS


def parse_timestamp(text: str) -> int | None:
    """Microseconds since 1970 for `2021-01-31`, optionally followed by ` 23:59:59.9`; None for anything else.

    Also None for times finer than a microsecond.
    """
    parts = _TIMESTAMP.fullmatch(text)
    if parts is None:
        return None
    fraction = (parts[3] or "").ljust(6, "0")
    if fraction[6:].strip("0"):
        return None
    try:
        moment = datetime.fromisoformat(f"{parts[1]} {parts[2] or '00:00:00'}.{fraction[:6]}")
    except ValueError:
        return None
    return (moment - _EPOCH) // timedelta(microseconds=1)
