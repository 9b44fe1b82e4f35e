"""A table that is clustered by most of its columns, in the order of its keys or against it."""

import datetime as dt
import random
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


_LETTERS: Final = "aBé\uffff\U0001f600"
"""UTF-8 has them in another order than UTF-16."""


def _drawn(chance: random.Random, file: int, r: int) -> Row:
    """A row near those of its file, with ties and NULLs."""
    near = file * 6 + chance.randrange(9)

    def or_null(value: object, share: float = 0.15) -> object:
        return None if chance.random() < share else value

    return {
        "id": file * DRAWS_PER_FILE + r,
        "a": or_null(near, 1.0 if file == 7 else 0.15),
        "b": or_null((near - 50) * 10**11),
        "day": or_null(dt.date(2024, 1, 1) + dt.timedelta(days=near // 6)),
        "at": or_null(dt.datetime(2024, 1, 1) + dt.timedelta(days=2 * file, hours=near % 7)),
        "s": or_null(
            _LETTERS[file * len(_LETTERS) // DRAWS_FILES] + f"{file:02d}" + chance.choice(("", " ", "z"))
        ),
        "d": or_null(Decimal(near * chance.choice((1, 2)) - 40) / 4),
        "x": chance.randrange(90),
        "g": file // 3,
    }


DRAWS_FILES: Final = 16
DRAWS_PER_FILE: Final = 12
_CHANCE: Final = random.Random(25)

DRAWS: Final = TableData(
    "draws",
    "id int, a int, b bigint, day date, at timestamp, s string, d decimal(9,2), x int, g int",
    "id",
    tuple(tuple(_drawn(_CHANCE, file, r) for r in range(DRAWS_PER_FILE)) for file in range(DRAWS_FILES)),
)
"""Random rows: those of a file are near each other, and those of its neighbours, except by `x`.

`g` has one value in three files.
"""
