"""Values at which orders and notations differ between Hive, Parquet, Java and Python lose no row."""

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest

from tests.drawing.literals import quoted

from ..harness.check import Checker, assert_naive_loses
from ..harness.engines import FETCH, TEZ
from ..tables import EMOJI, EVERY_TYPE, INJECTION, LAST_BMP, LONG, PADDED, themed

ROWS = {"vectorised": TEZ, "row by row": FETCH}


def _utf16(text: str) -> bytes:
    return text.encode("utf-16-be")


# ---------------------------------------------------------------- strings


@pytest.mark.selected(8)
@pytest.mark.parametrize(
    "value",
    [
        INJECTION,
        "back\\slash",
        "back\\'tick\\\\",
        'dou"ble',
        "line\nbreak",
        "tab\there",
        "percent%_\\%",
        "",
        EMOJI,
        EMOJI + "a",
        LAST_BMP,
        "Zürich",
        "é",
        LONG + "a",
        LONG + "z",
        "r",
        "p" * 99 + "r",
    ],
    ids=lambda value: ascii(value[:12]),
)
def test_an_equal_string_is_found_in_its_file(check: Checker, value: str) -> None:
    checked = check(f"select id from every_type where s = {quoted(value)}")
    needed = EVERY_TYPE.files_where(lambda row: row["s"] == value)
    assert {EVERY_TYPE.file_of(key) for key in checked.column()} == needed
    assert checked.scan.kept <= len(needed) + 4, (
        f"no more than the files with long strings beside it: {checked.scan.line}"
    )


def test_a_quote_in_a_constant_is_no_second_conjunct(check: Checker) -> None:
    # Hive prints the filter as (s = 'x' and z = '1'): a parser of that text would look for s = 'x'.
    checked = check(f"select id from every_type where s = {quoted(INJECTION)}")
    naive = EVERY_TYPE.naive("s", lambda low, high: low <= "x" <= high)
    assert_naive_loses(checked, EVERY_TYPE, naive, why="the filter as text reads s = 'x'")


@pytest.mark.selected(6)
@pytest.mark.parametrize("operator", ["<", "<=", ">", ">=", "<>", "="])
@pytest.mark.parametrize("value", [EMOJI, LAST_BMP, "Zürich", "s05-3", ""], ids=ascii)
def test_strings_are_compared_as_hive_does(check: Checker, operator: str, value: str) -> None:
    check(f"select id from every_type where s {operator} {quoted(value)}")


def test_emoji_sort_after_the_last_of_the_bmp_in_utf_8(check: Checker) -> None:
    checked = check(f"select id from every_type where s > {quoted(LAST_BMP)}")
    utf16 = {
        n
        for n, file in enumerate(EVERY_TYPE.files)
        if any(row["s"] is not None and _utf16(row["s"]) > _utf16(LAST_BMP) for row in file)
    }
    assert_naive_loses(checked, EVERY_TYPE, utf16, why="in UTF-16 an emoji is below U+FFFF")


def test_a_string_longer_than_a_bound_is_not_cut_away(check: Checker) -> None:
    checked = check(f"select id from every_type where s > {quoted('p' * 80)} and s < 'q'")
    assert {EVERY_TYPE.file_of(key) for key in checked.column()} == {themed("100 byte strings")}
    cut = EVERY_TYPE.naive("s", lambda low, high: high[:64] > "p" * 80 and low < "q")
    assert_naive_loses(checked, EVERY_TYPE, cut, why="a maximum that was cut without rounding up")


# ---------------------------------------------------------------- char and varchar


@pytest.mark.selected(9)
@pytest.mark.parametrize(
    "predicate",
    [
        "{} = 'ab'",
        "{} = 'ab   '",
        "{} in ('ab', 'zz')",
        "{} = 'abcde'",
        "{} < 'ab'",
        "{} <= 'ab'",
        "{} > 'ab'",
        "{} >= 'abcde'",
        "{} <= 'abcde'",
        "{} <> 'ab'",
        "{} not in ('ab', '')",
        "{} = ''",
        "{} between 'ab' and 'abcde'",
        "{} is null",
        "cast({} as string) = 'abcde'",
        "{} = cast('abcde' as char(5))",
        "{} <= cast('abcde' as varchar(5))",
    ],
)
@pytest.mark.parametrize("column", ["c", "v"])
@pytest.mark.parametrize("cbo", ["true", "false"])
def test_char_and_varchar_columns_lose_no_row(check: Checker, predicate: str, column: str, cbo: str) -> None:
    check(
        f"select id, {column} from padded where {predicate.format(column)}",
        {"hive.cbo.enable": cbo},
        spark=False,
    )


@pytest.mark.parametrize(("column", "value"), [("c", "ab"), ("v", "abcde")])
def test_padding_and_truncation_would_mislead_a_comparison_of_stored_bounds(
    check: Checker, column: str, value: str
) -> None:
    # 'ab   ' equals 'ab' as a char; 'abcdefgh' is read as 'abcde' as a varchar(5).
    checked = check(f"select id from padded where {column} = '{value}'", spark=False)
    assert_naive_loses(
        checked, PADDED, PADDED.naive(column, lambda low, high: low <= value <= high), why=column
    )
    checked.skips()


# ---------------------------------------------------------------- floating point


@pytest.mark.selected(2)
@pytest.mark.parametrize("rows", ROWS)
@pytest.mark.parametrize("column", ["d", "f"])
def test_nan_is_greater_than_all_and_in_no_bound(check: Checker, column: str, rows: str) -> None:
    query = f"select id from every_type where {column} > 5000"
    # Only Hive's row mode has NaN above everything, as Spark has it.
    checked = check(query, ROWS[rows], spark=rows == "row by row")
    if rows == "row by row":
        naive = EVERY_TYPE.naive(column, lambda low, high: high > 5000)
        assert_naive_loses(
            checked, EVERY_TYPE, naive, why="NaN is greater than everything and in no statistics"
        )


@pytest.mark.selected(5)
@pytest.mark.parametrize("rows", ROWS)
@pytest.mark.parametrize(
    "predicate",
    [
        "{} <> 1.5",
        "not ({} <= 5)",
        "not ({} < 1000)",
        "{} = cast('NaN' as double)",
        "{} <> cast('NaN' as double)",
        "{} < cast('Infinity' as double)",
        "{} >= cast('Infinity' as double)",
        "{} not in (1.5, 2.5)",
        "{} not between 0 and 1000",
        "{} is null",
        "{} = 0.0",
        "{} < 0.0",
        "{} in (0.0D, 7.0D)",
        "{} not in (0.0D, 7.0D)",
        "{} <=> 0.0",
        "not ({} <=> 0.0)",
        "{} = 0.1",
    ],
)
def test_floating_point_comparisons_lose_no_row(check: Checker, predicate: str, rows: str) -> None:
    # Tez takes its time for each query, and a float is compared as a double is.
    for column in ("d", "f") if rows == "row by row" else ("d",):
        check(f"select id from every_type where {predicate.format(column)}", ROWS[rows], spark=False)


@pytest.mark.parametrize("column", ["d", "f"])
def test_minus_zero_equals_zero(check: Checker, column: str) -> None:
    checked = check(f"select id from every_type where {column} = 0.0D")
    files = {EVERY_TYPE.file_of(key) for key in checked.column()}
    assert files == {themed("-0.0"), themed("0.0")}
    checked.skips()


# ---------------------------------------------------------------- dates


def _days(literal: str) -> str:
    return f"date '{literal}'"


@pytest.mark.selected(3)
@pytest.mark.parametrize(
    "predicate",
    [
        "day < date '1582-10-15'",
        "day <= date '1582-10-04'",
        "day = date '1582-10-15'",
        "day >= date '1582-10-05' and day <= date '1582-10-25'",
        "day > date '1500-01-01' and day < date '1500-12-31'",
        "day < date '0100-01-01'",
        "day <> date '1969-12-31' and day < date '1970-01-01'",
        "day between date '1582-12-20' and date '1583-02-01'",
    ],
)
def test_days_before_the_gregorian_calendar_lose_no_row(check: Checker, predicate: str) -> None:
    # Hive shows such days up to ten off from what Spark wrote, so only Hive is asked.
    checked = check(f"select id from every_type where {predicate}", spark=False)
    checked.skips()


def test_hives_calendar_shifts_days_out_of_the_stored_bounds(check: Checker) -> None:
    """Control: some day before 1582 is shown as another one than its file's bounds say."""
    rows = check.run("select id, cast(day as string) from every_type where day < date '1600-01-01'").rows
    shown = dict(rows)
    stored = {
        row["id"]: row["day"].isoformat()
        for row in EVERY_TYPE.rows()
        if row["day"] and row["day"] < dt.date(1600, 1, 1)
    }
    assert shown.keys() == stored.keys()
    assert any(shown[key] != stored[key] for key in stored), "Hive shows all of them as they are stored"


# ---------------------------------------------------------------- integers and decimals at their ends


@pytest.mark.selected(4)
@pytest.mark.parametrize(
    ("predicate", "matches"),
    [
        ("ti = -128", lambda row: row["ti"] == -128),
        ("si > 32766", lambda row: row["si"] is not None and row["si"] > 32766),
        ("i < -2147483647", lambda row: row["i"] is not None and row["i"] < -2147483647),
        ("l >= 9223372036854775807L", lambda row: row["l"] == 2**63 - 1),
        ("l = 9007199254740993L", lambda row: row["l"] == 2**53 + 1),
        ("amount = -1.5", lambda row: row["amount"] is not None and float(row["amount"]) == -1.5),
        ("wide < -1", lambda row: row["wide"] is not None and row["wide"] < -1),
    ],
)
def test_the_ends_of_a_type_are_found(
    check: Checker, predicate: str, matches: Callable[[dict[str, Any]], bool]
) -> None:
    checked = check(f"select id from every_type where {predicate}")
    assert {EVERY_TYPE.file_of(key) for key in checked.column()} == EVERY_TYPE.files_where(matches)
    checked.skips()
