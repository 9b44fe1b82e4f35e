"""A fact table that is clustered by its keys, and dimensions whose filters choose few of them."""

import datetime as dt
from typing import Final

from ..tables import Row, TableData

FILES: Final = 24
KEYS_PER_FILE: Final = 10
ROWS_PER_FILE: Final = 20
FIRST_DAY: Final = dt.date(2024, 1, 1)
BIG: Final = 10**10

RARE: Final = (33, 36, 153)
"""Keys of the dimension that `kind = 'rare'` chooses."""
FILES_OF_RARE: Final = len({key // KEYS_PER_FILE for key in RARE})


def _keys(file: int, key: int) -> Row:
    return {
        "k": key,
        "big": key * BIG,
        "day": FIRST_DAY + dt.timedelta(days=file),
        "s": f"c{file:02d}",
    }


def _visit(file: int, r: int) -> Row:
    number = file * ROWS_PER_FILE + r
    key = file * KEYS_PER_FILE + r % KEYS_PER_FILE
    return {
        "id": number,
        **_keys(file, key),
        "scattered": number * 37 % (FILES * ROWS_PER_FILE),
        "sparse": None if r % 5 == 4 else key,
        "n": number * 7 % 11,
    }


VISITS: Final = TableData(
    "visits",
    "id int, k int, big bigint, day date, s string, scattered int, sparse int, n int",
    "id",
    tuple(tuple(_visit(file, r) for r in range(ROWS_PER_FILE)) for file in range(FILES)),
)
"""A file has its own ten keys, one day and one string; `scattered` is in no order, `sparse` has NULLs."""


def _kind(key: int) -> str:
    return "rare" if key in RARE else "odd" if key % 2 else "even"


def _place(number: int) -> Row:
    if number == 79:
        return {"pid": number, "k": None, "big": None, "day": None, "s": None, "kind": "rare", "n": None}
    key = 3 * number
    return {"pid": number, **_keys(key // KEYS_PER_FILE, key), "kind": _kind(key), "n": number % 11}


PLACES: Final = TableData(
    "places",
    "pid int, k int, big bigint, day date, s string, kind string, n int",
    "pid",
    tuple(tuple(_place(10 * file + r) for r in range(10)) for file in range(8)),
)
"""Every third key, in the order of the keys; one row has NULLs only and is rare."""
