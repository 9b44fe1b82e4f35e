"""A table that is clustered by most of its columns, in the order of its keys or against it."""

import datetime as dt
from decimal import Decimal
from typing import Final

from ..tables import Row, TableData

FILES: Final = 24
ROWS_PER_FILE: Final = 20
ROWS: Final = FILES * ROWS_PER_FILE
EMPTY_FILES: Final = 2
"""Files in which `gaps` is NULL in every row."""


def _reading(number: int) -> Row:
    file = number // ROWS_PER_FILE
    return {
        "id": number,
        "k": number - 200,
        "big": -number * 10**10,
        "day": dt.date(2024, 1, 1) + dt.timedelta(days=file),
        "at": dt.datetime(2024, 1, 1) + dt.timedelta(days=file, minutes=number % ROWS_PER_FILE),
        "s": f"{'é' if file > 20 else 'c'}{file:02d}-{'long' * 30}-{number % ROWS_PER_FILE:02d}",
        "amount": Decimal(number - 240) / 4,
        "ratio": number / 8,
        "pair": file // 2,
        "sparse": None if number % 5 == 4 else number,
        "gaps": None if file < EMPTY_FILES else number,
        "scattered": number * 37 % ROWS,
        "n": number * 7 % 11,
    }


READINGS: Final = TableData(
    "readings",
    "id int, k int, big bigint, day date, at timestamp, s string, amount decimal(10,2), ratio double, "
    "pair int, sparse int, gaps int, scattered int, n int",
    "id",
    tuple(tuple(_reading(file * ROWS_PER_FILE + r) for r in range(ROWS_PER_FILE)) for file in range(FILES)),
)
"""`big` descends. `pair` has one value in two files, `sparse` has NULLs in every file."""
