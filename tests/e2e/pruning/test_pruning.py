"""Selective predicates open only the files that can match, for every type and operator."""

import datetime as dt
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from ..harness.check import Checker
from ..harness.lake import Lake
from ..tables import EVERY_TYPE, SALES, TableData, themed

KEEPS_ALWAYS = {
    "d": {"NaN only", "NaN and small"},
    "f": {"NaN only", "NaN and small"},
    "s": {"5 KB strings", "5 KB and short strings"},
    "day": {"days before 1582", "days around 1582", "year 1"},
}
"""Files without bounds for a column: NaN is in no statistics, long strings have none, old days are unused."""


@pytest.mark.selected(9)
@pytest.mark.parametrize(
    ("predicate", "column", "keeps"),
    [
        ("i = 1015", "i", lambda low, high: low <= 1015 <= high),
        ("i <=> 1015", "i", lambda low, high: low <= 1015 <= high),
        ("i > 1105", "i", lambda low, high: high > 1105),
        ("i >= 1105 and i < 1120", "i", lambda low, high: high >= 1105 and low < 1120),
        ("i <= 1", "i", lambda low, high: low <= 1),
        ("i between 1015 and 1024", "i", lambda low, high: low <= 1024 and high >= 1015),
        ("i in (1015, 1099, 7)", "i", lambda low, high: any(low <= v <= high for v in (1015, 1099, 7))),
        ("i <> 1", "i", lambda low, high: (low, high) != (1, 1)),
        ("not (i in (1, 2))", "i", lambda low, high: (low, high) not in {(1, 1), (2, 2)}),
        ("not (i < 1105)", "i", lambda low, high: high >= 1105),
        ("ti = -29", "ti", lambda low, high: low <= -29 <= high),
        ("si between 205 and 399", "si", lambda low, high: low <= 399 and high >= 205),
        ("l = 5000000000000003", "l", lambda low, high: low <= 5000000000000003 <= high),
        ("l < -15000000000000000", "l", lambda low, high: low < -15000000000000000),
        ("l = 9007199254740993", "l", lambda low, high: low <= 9007199254740993 <= high),
        ("d < 2.0D", "d", lambda low, high: low < 2.0),
        ("d between 1001.5D and 1001.6D", "d", lambda low, high: low <= 1001.6 and high >= 1001.5),
        ("amount = 100.07", "amount", lambda low, high: low <= Decimal("100.07") <= high),
        ("amount < 0", "amount", lambda low, high: low < 0),
        (
            "wide >= 25000000000000000000.5",
            "wide",
            lambda low, high: high >= Decimal("25000000000000000000.5"),
        ),
        ("s = 's03-4'", "s", lambda low, high: low <= "s03-4" <= high),
        ("s in ('s03-4', 's05-1')", "s", lambda low, high: low <= "s03-4" <= high or low <= "s05-1" <= high),
        ("s >= 's44' and s < 's46'", "s", lambda low, high: high >= "s44" and low < "s46"),
        ("z = 'z07'", "z", lambda low, high: low <= "z07" <= high),
        ("day = date '2020-01-15'", "day", lambda low, high: low <= dt.date(2020, 1, 15) <= high),
        (
            "day >= date '1950-01-01' and day < date '1970-01-01'",
            "day",
            lambda low, high: low < dt.date(1970, 1, 1),
        ),
        (
            "year(day) = 2021 and month(day) = 1",
            "day",
            lambda low, high: high >= dt.date(2021, 1, 1) and low < dt.date(2021, 2, 1),
        ),
    ],
)
def test_a_comparison_opens_only_the_files_whose_range_it_meets(
    check: Checker, predicate: str, column: str, keeps: Callable[[Any, Any], bool]
) -> None:
    expected = EVERY_TYPE.naive(column, keeps) | {themed(theme) for theme in KEEPS_ALWAYS.get(column, ())}
    assert len(expected) < len(EVERY_TYPE.files), "the test asks for pruning"
    checked = check(f"select id from every_type where {predicate}").kept(len(expected))
    assert checked.rows, "a predicate that matches no row shows nothing about lost rows"


@pytest.mark.selected(4)
@pytest.mark.parametrize(
    ("predicate", "files"),
    [
        ("i is null", EVERY_TYPE.files_where(lambda row: row["i"] is None)),
        ("i is not null", EVERY_TYPE.files_where(lambda row: row["i"] is not None)),
        ("s is null and d is null", EVERY_TYPE.files_where(lambda row: row["s"] is None)),
        (
            "b = false and i between 1000 and 1035",
            EVERY_TYPE.files_where(lambda row: row["b"] is False and 1000 <= (row["i"] or 0) <= 1035),
        ),
        ("b is null", EVERY_TYPE.files_where(lambda row: row["b"] is None)),
        ("i = 1015 or z = 'z07'", {1, 7}),
        ("i = 1015 and z = 'z07'", set()),
        ("not (i <> 1 or i is null)", {themed("i = 1")}),
        ("i is not distinct from 2", {themed("i = 2")}),
    ],
)
def test_null_tests_and_combinations_open_only_the_files_that_can_match(
    check: Checker, predicate: str, files: set[int]
) -> None:
    check(f"select id from every_type where {predicate}").kept(len(files))


def test_a_timestamp_range_opens_the_files_of_a_few_days(check: Checker) -> None:
    days = "ts >= timestamp '2022-02-10 00:00:00' and ts < timestamp '2022-02-14 00:00:00'"
    checked = check(f"select id from every_type where {days}", spark=False)
    assert 1 <= checked.scan.kept <= 3, (
        f"36 hours on both sides of 4 days meet at most 3 files: {checked.scan.line}"
    )
    assert checked.rows, "some rows are from these days"


def test_a_function_on_a_column_that_says_nothing_keeps_every_file(check: Checker) -> None:
    checked = check("select id from every_type where hour(ts) >= 0")
    assert checked.scan.kept == checked.scan.files, checked.scan.line
    assert checked.rows


def test_the_other_terms_of_a_conjunction_still_skip(check: Checker) -> None:
    check("select id from every_type where abs(i) = 1015 and i < 1020 and i > 1009").kept(1)


def test_a_partition_column_prunes_by_its_stored_values(check: Checker) -> None:
    checked = check("select id, region from sales where region = 'emea' and amount < 150")
    expected = SALES.files_where(lambda row: row["region"] == "emea" and row["amount"] < 150)
    checked.kept(len(expected))


def test_all_columns_of_all_rows_read_alike(check: Checker) -> None:
    columns = "id, b, ti, si, i, l, cast(f as double), d, amount, wide, s, z"
    checked = check(f"select {columns} from every_type where id >= 0")
    assert len(checked.rows) == len(EVERY_TYPE.rows())
    assert checked.scan.kept == checked.scan.files


@pytest.mark.selected(2)
@pytest.mark.parametrize(
    "query",
    [
        "select count(*), max(id), count(distinct s) from every_type where i = -77",
        "select z, count(*) from every_type where i = -77 group by z",
        "select a.id, b.id from every_type a join every_type b on a.i = b.i where a.i = -77",
        "select a.id from every_type a left join every_type b on a.id = b.id and b.i = -77 where a.i = 1015",
        "select id from every_type where i = -77 order by id limit 3",
    ],
    ids=["count", "group by", "join", "left join", "order by"],
)
def test_a_filter_that_keeps_no_file_answers_as_one_without_rows(check: Checker, query: str) -> None:
    checked = check(query)
    assert any(scan.kept == 0 for scan in checked.scans), [scan.line for scan in checked.scans]


RFC_EVENTS = TableData(
    "rfc_events",
    "event_id string, event_name string",
    "event_id",
    (
        ({"event_id": "1", "event_name": "start"}, {"event_id": "2", "event_name": "stop"}),
        ({"event_id": "3", "event_name": "open"}, {"event_id": "4", "event_name": "close"}),
    ),
)
PUSHDOWN_PAGE = TableData(
    "pushdown_page",
    "key int, x int, y string",
    "key",
    (
        ({"key": 50, "x": 1, "y": "xyz"}, {"key": 99, "x": 3, "y": "xyz"}),
        ({"key": 100, "x": 3, "y": "xYz"}, {"key": 150, "x": 4, "y": "xyz"}),
        ({"key": 199, "x": 4, "y": "abc"}, {"key": 200, "x": 5, "y": "abd"}),
    ),
)


def test_the_rfcs_example_query_reads_one_of_two_files(check: Checker, lake: Lake) -> None:
    with check.session.table(lake.write(RFC_EVENTS)) as name:
        checked = check(f"select event_name from {name} where event_id = '1'", spark=False).kept(1)
    assert (checked.rows, checked.scan.files) == ((("start",),), 2)


@pytest.mark.parametrize(
    ("condition", "keys", "files"),
    [("x > 3 AND upper(y) = 'XYZ'", [150], 1), ("key >= 100 AND key < 200", [100, 150, 199], 2)],
)
def test_the_filters_of_hives_page_on_pushdown_skip_files(
    check: Checker, lake: Lake, condition: str, keys: list[int], files: int
) -> None:
    with check.session.table(lake.write(PUSHDOWN_PAGE)) as name:
        checked = check(f"select key from {name} where {condition}", spark=False).kept(files)
    assert sorted(checked.column()) == keys
