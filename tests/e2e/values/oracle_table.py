"""A table of many small files for random queries.

Most files have a narrow range in every column, so that functions of a column distinguish them. Some have one
value per column, so that Hive's own evaluator decides; the rest have values on which notations and orders
disagree.
"""

import datetime as dt
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from ..tables import EMOJI, INF, LAST_BMP, NAN, Row, TableData, Theme, cycle, utc

ROWS_PER_FILE = 5
NARROW_FILES = 16
CONSTANT_FILES = 6

SCHEMA = (
    "id int, b boolean, ti tinyint, si smallint, i int, bi bigint, f float, d double, m decimal(10,2), "
    "w decimal(25,10), s string, n string, c string, v string, dt date, dt2 date, ts timestamp, "
    "st struct<a:struct<b:int>,x:string>"
)

COLUMNS = (
    "id int, b boolean, ti int, si int, i int, bi bigint, f float, d double, m decimal(10,2), "
    "w decimal(25,10), s string, n string, c char(5), v varchar(5), dt date, dt2 date, ts timestamp, "
    "st struct<a:struct<b:int>,x:string>"
)
"""The same columns as declared in Hive; Hudi has no integers narrower than an int."""

LEAVES = COLUMNS.replace("st struct<a:struct<b:int>,x:string>", "st.a.b int, st.x string")
"""The same columns, with the fields of the struct."""

_WORDS = ("Apple", "apple", "BANANA", "banana split", "Cherry", "date%palm", "date_palm", "egg\\plant")


def _narrow(file: int, r: int) -> Row:
    days = dt.date(2020, 1, 1) + dt.timedelta(days=31 * file + 2 * r)
    word = _WORDS[file % len(_WORDS)]
    return {
        "b": file % 2 == 0,
        "ti": 5 * (file % 30) - 40 + r % 3,
        "si": 300 * file + r,
        "i": 10 * file + r - 60,
        "bi": (file - 8) * 10**10 + r,
        "f": file * 2.5 + r / 8 - 10,
        "d": (file - 6) * 3.25 + r / 16,
        "m": Decimal(1000 * file + 25 * r - 4000).scaleb(-2),
        "w": Decimal(file - 5) * 10**9 + Decimal(r).scaleb(-10),
        "s": f"{word}-{file:02d}{'' if r == 0 else chr(96 + r)}",
        "n": f"{10 * file + r - 20}",
        "c": f"{word[:3]}{'' if r % 2 else ' '}",
        "v": f"{word[:2]}{file}",
        "dt": days,
        "dt2": days + dt.timedelta(days=7 if file % 3 == 0 else -7 if file % 3 == 1 else r - 2),
        "ts": utc(2021, 1, 1) + dt.timedelta(days=20 * file, hours=5 * r, minutes=file, microseconds=r),
        "st": {"a": {"b": 10 * file + r}, "x": f"x{file:02d}"},
    }


def _constant(file: int) -> Row:
    return _narrow(2 * file + 1, 1)


_ALL_NULL: Theme = {column: cycle(None) for column in _narrow(0, 0)}


def _sometimes_null(column: str) -> Callable[[int], Any]:
    return lambda r: None if r % 2 else _narrow(40, r)[column]


_THEMES: tuple[Theme, ...] = (
    _ALL_NULL,
    {column: _sometimes_null(column) for column in _ALL_NULL},
    {
        "ti": cycle(-(2**7), 2**7 - 1),
        "si": cycle(-(2**15)),
        "i": cycle(-(2**31)),
        "bi": cycle(-(2**63)),
    },
    {"ti": cycle(2**7 - 1), "si": cycle(2**15 - 1), "i": cycle(2**31 - 1), "bi": cycle(2**63 - 1)},
    {"ti": cycle(0), "si": cycle(1), "i": cycle(0), "bi": cycle(2**53 + 1), "d": cycle(2.0**53)},
    {"i": cycle(2**24 + 1), "bi": cycle(2**32 + 5, 2**32 + 6), "d": cycle(3e9), "f": cycle(3e9)},
    {"f": cycle(NAN), "d": cycle(NAN)},
    {"f": cycle(1.5, NAN), "d": cycle(NAN, 2.5)},
    {"f": cycle(-0.0), "d": cycle(-0.0), "m": cycle(Decimal("0.00"))},
    {"f": cycle(0.0, 0.1), "d": cycle(0.0, 0.1), "m": cycle(Decimal("0.10"))},
    {"f": cycle(INF), "d": cycle(-INF)},
    {"d": cycle(1e20, -1e300), "f": cycle(1e30)},
    {"m": cycle(Decimal("-1.50"), Decimal("-0.01"), Decimal("0.50"), Decimal("2.50"))},
    {"m": cycle(Decimal("99999999.99")), "w": cycle(Decimal("999999999999999.9999999999"))},
    {"n": cycle("5", "05", "5.0", " 5", "5 ")},
    {"n": cycle("1e2", "0x10", "+7", "-7", "7L")},
    {"n": cycle("abc", "", " ", "NaN", "Infinity")},
    {"n": cycle("2021-02-03", "2021-2-3", " 2021-02-03", "2021-02-30", "2021-02-03 10:00:00")},
    {"n": cycle("99999999999999999999", "9007199254740993", "1.00000000000000000001")},
    {"s": cycle("", " ", "a", "A"), "c": cycle("", "   "), "v": cycle("", " ", "  ")},
    {"s": cycle(EMOJI, EMOJI + "a"), "c": cycle(EMOJI), "v": cycle("a" + EMOJI)},
    {"s": cycle(LAST_BMP), "v": cycle(LAST_BMP)},
    {"s": cycle("Zürich", "ZÜRICH", "straße", "İstanbul", "ılk")},
    {"s": cycle("100%", "100_", "100x", "1\\0"), "v": cycle("a%", "a_", "a\\")},
    {"s": cycle("line\nbreak", "line", "tab\there"), "c": cycle("a\n", "a")},
    {"c": cycle("ab", "ab ", "abc", "abcde", "abcdefgh"), "v": cycle("ab", "ab ", "abcde", "abcdefgh")},
    {"s": cycle("p" * 100, "p" * 99 + "r")},
    {"dt": cycle(dt.date(1969, 12, 31), dt.date(1970, 1, 1)), "dt2": cycle(dt.date(1970, 1, 1))},
    {"dt": cycle(dt.date(1582, 10, 4), dt.date(1582, 10, 15)), "dt2": cycle(dt.date(1500, 3, 1))},
    {"dt": cycle(dt.date(9999, 12, 31)), "dt2": cycle(dt.date(1, 1, 1))},
    {"dt": cycle(dt.date(2020, 2, 29), dt.date(2020, 12, 31)), "dt2": cycle(dt.date(2021, 2, 28))},
    {"ts": cycle(utc(1969, 12, 31, 23, 59, 59, 999_999), utc(1970, 1, 1), utc(1955, 1, 1))},
    {"ts": cycle(utc(2021, 3, 28, 0, 30), utc(2021, 3, 28, 2, 30), utc(2021, 12, 31, 23, 59, 59, 999_999))},
)


def _table() -> TableData:
    files: list[list[Row]] = [[_narrow(n, r) for r in range(ROWS_PER_FILE)] for n in range(NARROW_FILES)]
    files += [[_constant(n)] * ROWS_PER_FILE for n in range(CONSTANT_FILES)]
    for n, theme in enumerate(_THEMES):
        base = [_narrow(20 + n, r) for r in range(ROWS_PER_FILE)]
        files.append([row | {name: make(r) for name, make in theme.items()} for r, row in enumerate(base)])
    return TableData(
        "oracle",
        SCHEMA,
        "id",
        tuple(
            tuple({"id": n * ROWS_PER_FILE + r} | row for r, row in enumerate(file))
            for n, file in enumerate(files)
        ),
    )


ORACLE = _table()

VALUE_SETS = dict.fromkeys(("s", "n", "c", "v", "m", "d", "bi"), "values(max=256)")
"""Columns whose values the index lists: Hive evaluates terms for each of them."""
