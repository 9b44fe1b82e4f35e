"""The data of the end-to-end tests: rows grouped by the base file that they are written to.

Each table is a list of files, each file a list of rows, so that a test knows which file holds which row
and what a naive reader of minimum and maximum would have skipped. Files are narrow in every column, apart
from those with a theme (a NaN, an all-NULL file, one integer only) that a trap needs.
"""

import datetime as dt
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

Row = dict[str, Any]

ROWS_PER_FILE = 20

LONG = "q" * 5000
"""Longer than the 4 KB up to which Parquet writers keep a minimum and a maximum."""

EMOJI = "\U0001f600"
"""Above U+FFFF: after it in UTF-8, before it in UTF-16."""

LAST_BMP = "\uffff"
INJECTION = "x' and z = '1"
"""Hive prints it without escaping, and then it reads as two conjuncts."""


@dataclass(frozen=True, slots=True)
class TableData:
    """One table: its Spark DDL schema, its key, its partition column and the rows of each base file."""

    name: str
    schema: str
    key: str
    files: tuple[tuple[Row, ...], ...]
    partition: str | None = None

    def rows(self) -> list[Row]:
        """All rows, file by file."""
        return [row for file in self.files for row in file]

    def file_of(self, key: Any) -> int:
        """The number of the file that holds the row with this key."""
        return next(n for n, file in enumerate(self.files) for row in file if row[self.key] == key)

    def files_where(self, predicate: Callable[[Row], bool]) -> set[int]:
        """The files with at least one row for which `predicate` is true: a reader must open these."""
        return {n for n, file in enumerate(self.files) if any(predicate(row) for row in file)}

    def naive(self, column: str, keeps: Callable[[Any, Any], bool]) -> set[int]:
        """The files that a naive reader of minimum and maximum keeps; it leaves NULL and NaN out of both.

        `keeps(minimum, maximum)` is the naive rule. An all-NULL file has no bounds and is skipped.
        """
        kept = set()
        for n, file in enumerate(self.files):
            values = [row[column] for row in file if row[column] is not None and row[column] == row[column]]
            if values and keeps(min(values), max(values)):
                kept.add(n)
        return kept


EVERY_TYPE_SCHEMA = (
    "id int, b boolean, ti tinyint, si smallint, i int, l bigint, f float, d double, amount decimal(10,2), "
    "wide decimal(30,6), s string, z string, day date, ts timestamp"
)


def utc(year: int, month: int, day: int, *time: int) -> dt.datetime:
    """An instant that Spark stores alike in every time zone of this process."""
    hour, minute, second, microsecond = (*time, 0, 0, 0, 0)[:4]
    return dt.datetime(year, month, day, hour, minute, second, microsecond, tzinfo=dt.timezone.utc)


def _ordinary(file: int, r: int) -> Row:
    """A row of a file without a theme: each column in a range of its own for each file."""
    step = r % 10
    return {
        "b": file % 2 == 0,
        "ti": file - 30,
        "si": 100 * file + step,
        "i": 1000 + 10 * file + step,
        "l": (file - 20) * 10**15 + step,
        "f": 1000.0 + file + step / 32,
        "d": 1000.0 + file * 1.5 + step / 1024,
        "amount": Decimal(10_000 * file + 7 * step).scaleb(-2),
        "wide": Decimal(file - 20) * Decimal(10) ** 18 + Decimal(step).scaleb(-6),
        "s": f"s{file:02d}-{step}",
        "z": f"z{file:02d}",
        "day": dt.date(2020, 1, 1) + dt.timedelta(days=10 * file + step),
        "ts": utc(2022, 1, 1) + dt.timedelta(days=10 * file, minutes=37 * step),
    }


def cycle(*values: Any) -> Callable[[int], Any]:
    return lambda r: values[r % len(values)]


def _sometimes_null(column: str) -> Callable[[int], Any]:
    return lambda r: None if r % 4 == 3 else _ordinary(60, r)[column]


Theme = Mapping[str, Callable[[int], Any]]

NAN, INF = float("nan"), float("inf")

_NULLS: Theme = {column: cycle(None) for column in _ordinary(0, 0)}
_SOME_NULLS: Theme = {column: _sometimes_null(column) for column in _NULLS}

THEMES: dict[str, Theme] = {
    "all NULL": _NULLS,
    "some NULL": _SOME_NULLS,
    "i = 1": {"i": cycle(1), "b": cycle(True)},
    "i = 2": {"i": cycle(2), "b": cycle(False)},
    "i = -1": {"i": cycle(-1)},
    "i = 0, b mixed": {"i": cycle(0), "b": cycle(True, False, None)},
    "least integers": {
        "ti": cycle(-(2**7)),
        "si": cycle(-(2**15)),
        "i": cycle(-(2**31)),
        "l": cycle(-(2**63)),
    },
    "greatest integers": {
        "ti": cycle(2**7 - 1),
        "si": cycle(2**15 - 1),
        "i": cycle(2**31 - 1),
        "l": cycle(2**63 - 1),
    },
    "l beyond doubles": {"l": cycle(2**53 + 1)},
    "s = 05": {"s": cycle("05")},
    "s = 5.0": {"s": cycle("5.0")},
    "s = ' 5'": {"s": cycle(" 5")},
    "s = 7.00": {"s": cycle("7.00")},
    "quotes": {"s": cycle(INJECTION), "z": cycle("other")},
    "backslash": {"s": cycle("back\\slash", "back\\'tick\\\\", 'dou"ble')},
    "control characters": {"s": cycle("line\nbreak", "tab\there", "percent%_\\%")},
    "empty string": {"s": cycle("")},
    "emoji": {"s": cycle(EMOJI, EMOJI + "a")},
    "last of the BMP": {"s": cycle(LAST_BMP)},
    "umlauts": {"s": cycle("Zürich", "Ångström", "é")},
    "5 KB strings": {"s": cycle(LONG + "a", LONG + "b")},
    "5 KB and short strings": {"s": cycle("r", LONG + "z")},
    "100 byte strings": {"s": cycle("p" * 100, "p" * 99 + "r")},
    "NaN only": {"f": cycle(NAN), "d": cycle(NAN)},
    "NaN and small": {"f": cycle(1.5, NAN), "d": cycle(1.5, NAN, 2.5)},
    "-0.0": {"f": cycle(-0.0), "d": cycle(-0.0)},
    "0.0": {"f": cycle(0.0), "d": cycle(0.0)},
    "infinite": {"f": cycle(INF, -INF), "d": cycle(INF, -INF)},
    "f = 0.1": {"f": cycle(0.1), "d": cycle(0.1)},
    "negative decimals": {
        "amount": cycle(Decimal("-1.50"), Decimal("-0.01"), Decimal("0.00")),
        "wide": cycle(Decimal("-1.5")),
    },
    "days before 1970": {"day": cycle(dt.date(1969, 12, 31), dt.date(1950, 6, 1))},
    "days before 1582": {"day": cycle(dt.date(1500, 3, 1), dt.date(1582, 10, 4))},
    "days around 1582": {"day": cycle(dt.date(1582, 10, 1), dt.date(1582, 10, 15), dt.date(1582, 12, 31))},
    "year 1": {"day": cycle(dt.date(1, 1, 1))},
    # Berlin puts its clocks forward at 01:00 UTC of this night and back at 01:00 UTC of the other one.
    "clocks forward": {"ts": lambda r: utc(2021, 3, 28, 0, 0) + dt.timedelta(minutes=10 * r)},
    "clocks back": {"ts": lambda r: utc(2021, 10, 31, 0, 0) + dt.timedelta(minutes=10 * r)},
    "microseconds": {"ts": lambda r: utc(2021, 6, 1, 12, 0, 0, 999_980 + r % 20)},
    "times before 1970": {"ts": cycle(utc(1969, 12, 31, 23, 59, 59, 999_999), utc(1955, 1, 1))},
}

ORDINARY_FILES = 12


def _every_type() -> TableData:
    themes: list[Theme] = [{} for _ in range(ORDINARY_FILES)] + list(THEMES.values())
    files = tuple(
        tuple(
            {"id": n * ROWS_PER_FILE + r}
            | {
                column: theme[column](r) if column in theme else value
                for column, value in _ordinary(n, r).items()
            }
            for r in range(ROWS_PER_FILE)
        )
        for n, theme in enumerate(themes)
    )
    return TableData("every_type", EVERY_TYPE_SCHEMA, "id", files)


def themed(name: str) -> int:
    """The number of the file of `every_type` with this theme."""
    return ORDINARY_FILES + list(THEMES).index(name)


EVERY_TYPE = _every_type()

REGIONS = ("apac", "emea", "latam", "na")

SALES = TableData(
    "sales",
    "id int, amount int, day date, region string",
    "id",
    tuple(
        tuple(
            {
                "id": 1000 * p + 10 * n + r,
                "amount": 100 * n + r,
                "day": dt.date(2023, 1, 1) + dt.timedelta(days=30 * n + r),
                "region": region,
            }
            for r in range(10)
        )
        for p, region in enumerate(REGIONS)
        for n in range(6)
    ),
    partition="region",
)

CUSTOMERS = TableData(
    "customers",
    "cust int, name string, segment string",
    "cust",
    tuple(
        tuple({"cust": 10 * n + r, "name": f"name-{n:02d}-{r}", "segment": f"segment{n}"} for r in range(10))
        for n in range(8)
    ),
)

ORDERS = TableData(
    "orders",
    "ord int, cust int, qty int",
    "ord",
    tuple(
        tuple({"ord": 100 * n + r, "cust": (4 * n + r) % 80, "qty": n} for r in range(10)) for n in range(16)
    ),
)

PADDED = TableData(
    "padded",
    "id int, c string, v string",
    "id",
    tuple(
        tuple({"id": 10 * n + r, "c": value, "v": value} for r in range(10))
        for n, value in enumerate(
            (
                "ab",
                "ab   ",
                "ab  x",
                "abc",
                "abcde",
                "abcdefgh",
                "abcdeZ",
                "ab\u0001",
                "zz",
                "zzzzzzzz",
                "",
                "   ",
            )
        )
    ),
)
"""Strings declared in Hive as char(5) and varchar(5)."""

TABLES = (EVERY_TYPE, SALES, CUSTOMERS, ORDERS, PADDED)
