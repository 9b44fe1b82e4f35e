"""Times `count(*)` in Hive, of a table and of ranges: with rows of files counted and without, in turns."""

import datetime as dt
from typing import Final

from ..results import Result
from .readings import FIRST_DAY, NAME, ROWS, Case, readings

_MOST_SECONDS: Final = 0.2
_MOST_FILES: Final = 2


def run(small: bool) -> list[Result]:
    """Writes a table of a file per day, and counts rows of it."""
    files = 40 if small else 1_000
    # The ranges begin or end within a file.
    first, last = files // 5 * ROWS + ROWS // 3, files * 9 // 10 * ROWS + ROWS // 2
    day = FIRST_DAY + dt.timedelta(days=files // 5)
    cases = [
        Case("rows of the table", f"SELECT count(*) FROM {NAME}", 0, _MOST_SECONDS),
        Case(
            "rows of a range of a clustered column",
            f"SELECT count(*) FROM {NAME} WHERE id BETWEEN {first} AND {last}",
            _MOST_FILES,
        ),
        Case("rows since a day", f"SELECT count(*) FROM {NAME} WHERE day >= DATE'{day}'", _MOST_FILES),
        Case("rows since a time", f"SELECT count(*) FROM {NAME} WHERE ts >= TIMESTAMP'{day} 07:00:00'"),
    ]
    with readings(files) as table:
        return [result for case in cases for result in table.compare("counts", "hudi.skipping.counts", case)]
