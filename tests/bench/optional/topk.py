"""Times ORDER BY with LIMIT, and max, in Hive: with skipping by the order and without, in turns."""

import datetime as dt
from typing import Final

from ..results import Result
from .readings import FIRST_DAY, NAME, Case, readings

_MOST_FILES: Final = 3
_NO_SLOWER: Final = 1.1


def run(small: bool) -> list[Result]:
    """Writes a table of a file per day, and queries it."""
    files = 40 if small else 1_000
    later = FIRST_DAY + dt.timedelta(days=files * 7 // 10)
    cases = [
        Case(
            "the last 100 by a clustered column",
            f"SELECT * FROM {NAME} ORDER BY ts DESC NULLS LAST LIMIT 100",
            _MOST_FILES,
        ),
        Case(
            "the last 100 of a range",
            f"SELECT * FROM {NAME} WHERE ts >= TIMESTAMP'{later} 00:00:00'"
            " ORDER BY ts DESC NULLS LAST LIMIT 100",
            _MOST_FILES,
        ),
        Case("greatest of a clustered column", f"SELECT max(ts) FROM {NAME}", _MOST_FILES),
        Case(
            "the last 100 by a scattered column",
            f"SELECT * FROM {NAME} ORDER BY scattered DESC NULLS LAST LIMIT 100",
            most_times=_NO_SLOWER,
        ),
    ]
    with readings(files) as table:
        return [result for case in cases for result in table.compare("topk", "hudi.skipping.topk", case)]
