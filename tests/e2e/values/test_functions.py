"""Each family of functions opens just the files that hold an answer."""

import datetime as dt
import re
from decimal import Decimal

import pytest

from pycompiler.compile.sql.aggregates import AGGREGATES

from ..harness.check import Checker
from ..harness.lake import Lake
from ..harness.session import Session
from ..tables import Row, TableData, utc

ROWS_PER_FILE = 5
WORDS = (
    "Alpha",
    "BETA",
    "gamma",
    "Delta",
    "epsilon",
    "Zeta",
    "ETA",
    "theta",
    "Iota",
    "kappa",
    "Lambda",
    "mu",
)
"""One for each file: a column that is constant in all of them."""


def _row(file: int, r: int) -> Row:
    # Four files a year: February, May, August, November.
    day = dt.date(2019 + file // 4, 3 * (file % 4) + 2, 10 + r)
    return {
        "id": file * ROWS_PER_FILE + r,
        "d": day,
        "ship_date": day + dt.timedelta(days=20 if file % 4 == 0 else -20),
        "commit_date": day,
        "ts": utc(day.year, day.month, day.day, 12, 30, r),
        "i": None if r == 4 else 100 * file + r,
        "l": 10**10 * file + r,
        "x": file + r / 16,
        "m": Decimal(1000 * file + r).scaleb(-2),
        "s": f"Item_{file:02d}%{r}",
        "t": f"Item_{file:02d}%{r}",
        "word": WORDS[file],
        "number": file,
        "st": {"a": {"b": 10 * file + r}, "x": f"x{file:02d}"},
    }


FUNCTIONS = TableData(
    "functions",
    "id int, d date, ship_date date, commit_date date, ts timestamp, i int, l bigint, x double, "
    "m decimal(10,2), s string, t string, word string, number int, "
    "st struct<a:struct<b:int>,x:string>",
    "id",
    tuple(tuple(_row(file, r) for r in range(ROWS_PER_FILE)) for file in range(len(WORDS))),
)

DATES = [
    ("year(d) = 2020", 4),
    ("year(d) + 1 > 2021", 4),
    ("month(d) = 8", 3),
    ("month(d) in (2, 8) and d < date '2020-06-01'", 3),
    ("quarter(d) = 2", 3),
    ("day(d) < 10", 0),
    ("date_format(d, 'yyyy-MM') = '2020-08'", 1),
    ("date_format(d, 'yyyyMMdd') between '20200501' and '20200831'", 2),
    ("to_date(ts) = date '2021-05-12'", 1),
    ("cast(ts as date) >= date '2021-08-01'", 2),
    ("cast(d as timestamp) < timestamp '2019-03-01 00:00:00'", 1),
    ("date_add(d, 30) between date '2020-03-11' and date '2020-03-13'", 1),
    ("datediff(d, '2021-11-09') > 0", 1),
    ("last_day(d) = '2020-02-29'", 1),
    ("trunc(d, 'MM') = '2020-02-01'", 1),
    ("floor(ts to month) = timestamp '2020-02-01 00:00:00'", 1),
    ("d >= '2021-06-15'", 2),
    ("d > timestamp '2021-08-13 12:00:00'", 2),
    ("ts < '2019-03-01'", 1),
    ("year(d) = 2020 and not (month(d) > 2)", 1),
]

STRINGS = [
    (r"s like 'Item\\_03%'", 1),
    (r"s like 'Item\\_03\\%2'", 1),
    ("s not like 'Item%'", 0),
    ("s rlike '^Item_07'", 1),
    ("substr(s, 1, 7) = 'Item_05'", 1),
    ("substr(s, 1, 6) in ('Item_1', 'none')", 2),
    ("concat('x-', s) = 'x-Item_04%1'", 1),
    ("concat(s, '-x') >= 'Item_10%0-x'", 2),
    ("upper(word) = 'BETA'", 1),
    ("lower(word) in ('alpha', 'gamma', 'none')", 2),
    ("cast(d as string) like '2020-%'", 4),
    ("cast(word as varchar(3)) = 'Alp'", 1),
    ("cast(ts as string) like '2020-05-%'", 1),
    ("substr(d, 1, 7) = '2021-08'", 1),
    ("d like '2019-%'", 4),
    ("cast(i as string) like '110_'", 1),
    ("replace(s, '%', '-') = 'Item_04-1'", 1),
    ("length(s) = 0", 0),
]

NUMBERS = [
    ("i + 5 = 308", 1),
    ("i * -2 < -2000", 2),
    ("100 - i = -1", 1),
    ("-i > -100", 1),
    ("abs(i) = 702", 1),
    ("i / 100 >= 10", 2),
    ("floor(x) = 5", 1),
    ("ceil(x) = 12", 1),
    ("round(m, 0) = 70", 1),
    ("cast(x as int) = 9", 1),
    ("cast(i as bigint) = 1002", 1),
    ("cast(l as double) > 100000000000.5D", 2),
    ("l > 109999999999.5", 1),
    ("m = 30.01D", 1),
    ("x < 0.5BD", 1),
    ("i % 1000 = 702", 1),
    ("i % 100 > 50", 0),
    ("pmod(i, 1000) between 301 and 303", 1),
    ("i div 100 = 7", 1),
    ("greatest(i, 1000) > 1000", 2),
    ("least(number, 3) < 2", 2),
]

OTHERS = [
    ("ship_date > commit_date", 3),
    ("not (ship_date > commit_date)", 9),
    ("ship_date = commit_date", 0),
    ("datediff(ship_date, commit_date) > 10", 3),
    ("date_add(commit_date, 10) < ship_date", 3),
    ("datediff(ship_date, ts) > 10", 3),
    ("to_date(ts) > ship_date", 9),
    ("cast(ts as date) = date_sub(ship_date, 9)", 0),
    ("number + 1 > i", 1),
    ("i - number not between 50 and 1080", 2),
    ("(number, s) in ((1, 'Item_01%0'), (2, 'Item_02%3'))", 2),
    ("(number, s) in ((1, 'Item_02%0'), (2, 'Item_01%3'))", 0),
    ("coalesce(number, 0) = 7", 1),
    ("coalesce(i, -1) between 501 and 502", 1),
    ("if(number > 5, number, 0) > 9", 2),
    ("case when number < 3 then 'low' when number < 6 then 'middle' else 'high' end = 'middle'", 3),
    ("(i > 1002) is true", 2),
    ("st.a.b = 32", 1),
    ("ST.A.B > 100 and st.X = 'x11'", 1),
    ("i in (101, 502, NULL)", 2),
    ("number not in (0, 1, 2, 3, 4, 5, 6, 7, 8, 9)", 2),
    ("number not in (1, NULL)", 0),
    ("(number = 3) is null", 0),
    ("i = 101 or i = 702 or number = 3", 3),
]

CONSTANT = [
    ("reverse(word) = 'ahplA'", 1),
    ("length(word) = 2", 1),
    ("md5(word) = md5('kappa')", 1),
    ("word like '%eta'", 2),
    ("instr(word, 'a') = 2 and number % 3 = 0", 1),
    ("concat(word, cast(number as string)) = 'Zeta5'", 1),
    ("case word when 'mu' then 1 when 'Iota' then 2 end > 0", 2),
    ("number * number = 49", 1),
    ("not (pmod(number, 4) <> 3)", 3),
]


FEW = [
    ("t like '%07_2'", 1),
    ("not (t like '%m_%')", 0),
    ("instr(t, '_11%3') > 0", 1),
    ("substr(t, 6) = '05%0'", 1),
    ("upper(reverse(t)) like '1%20%'", 1),
    ("dayofweek(d) = 1", 7),
    ("months_between(d, date '2019-08-11') = 0", 1),
    ("next_day(d, 'TU') = date '2020-02-18'", 1),
    ("(i * i) % 10007 = 1", 1),
    ("coalesce(i * 3, -1) in (303, 606)", 2),
    ("(l % 7) * 1000 + l % 1000 = 3002", 2),
    ("m * m = 900.6001", 1),
]
"""Conditions without a rule, on columns whose values the index knows: integers and days by their
bounds, the others by value sets."""

VALUE_SETS = {"t": "values(max=256)", "m": "values(max=256)"}


@pytest.fixture(scope="module")
def functions(lake: Lake, session: Session) -> None:
    session.create_table(lake.write(FUNCTIONS, VALUE_SETS), name=FUNCTIONS.name)


def _assert_opened(
    check: Checker, predicate: str, files: int, settings: dict[str, str] | None = None
) -> None:
    checked = check(f"select id from functions where {predicate}", settings, spark=False)
    needed = {FUNCTIONS.file_of(key) for key in checked.column()}
    assert len(needed) == files, f"the test's own count is wrong: {sorted(needed)}"
    checked.kept(files)


@pytest.mark.selected(12)
@pytest.mark.usefixtures("functions")
@pytest.mark.parametrize(("predicate", "files"), DATES + STRINGS + NUMBERS + OTHERS)
def test_a_function_of_a_column_opens_only_files_with_an_answer(
    check: Checker, predicate: str, files: int
) -> None:
    # Without the CBO nothing is folded to an empty plan, and each filter reaches the handler.
    _assert_opened(check, predicate, files, {"hive.cbo.enable": "false"})


@pytest.mark.usefixtures("functions")
def test_a_wildcard_ends_the_prefix_of_a_pattern(check: Checker) -> None:
    checked = check("select id from functions where s like 'Item_03%'", spark=False)
    assert {FUNCTIONS.file_of(key) for key in checked.column()} == {3}
    checked.kept(len(FUNCTIONS.files))


@pytest.mark.selected(6)
@pytest.mark.usefixtures("functions")
@pytest.mark.parametrize(("predicate", "files"), CONSTANT)
@pytest.mark.parametrize("cbo", ["true", "false"])
def test_hive_itself_decides_where_a_column_is_constant_in_a_file(
    check: Checker, predicate: str, files: int, cbo: str
) -> None:
    _assert_opened(check, predicate, files, {"hive.cbo.enable": cbo})


@pytest.mark.selected(4)
@pytest.mark.usefixtures("functions")
@pytest.mark.parametrize(("predicate", "files"), FEW)
def test_hive_itself_decides_where_a_column_has_few_values_in_a_file(
    check: Checker, predicate: str, files: int
) -> None:
    _assert_opened(check, predicate, files, {"hive.cbo.enable": "false"})


@pytest.mark.selected(3)
@pytest.mark.usefixtures("functions")
@pytest.mark.parametrize(
    "predicate",
    [
        "i < 300 and i > 500",
        "d < date '2020-01-01' and d > date '2021-03-01'",
        "word = 'Alpha' and word = 'BETA'",
        "i in (1, 2) and not (i < 10)",
        "s like 'Item%' and s < 'Apple'",
        "i is null and i > 5",
    ],
)
def test_a_contradiction_opens_no_file(check: Checker, predicate: str) -> None:
    checked = check(f"select id from functions where {predicate}", {"hive.cbo.enable": "false"}, spark=False)
    assert not checked.kept(0).rows
    # A filter that is TRUE for no row needs no listing, and no statistics either.
    assert all("generation=" not in scan.line for scan in checked.scans), [s.line for s in checked.scans]


@pytest.mark.usefixtures("functions")
def test_the_server_log_explains_a_query_on_demand(check: Checker) -> None:
    query = "select id from functions where quarter(d) = 2 and i + 5 > 508 and hour(ts) < 24"
    position = check.log.position()
    check.run(query, {"hudi.skipping.explain": "true"}).kept(1)
    _, _, explanation = check.log.since(position).partition("hudi-skip explain ")
    lines = [" ".join(line.split()) for line in explanation.splitlines()]
    assert "files 1 of 12 kept" in lines and "files kept by each part:" in lines, explanation
    rewritten = [line for line in lines if line.startswith("Quarter: quarter(d) = 2 -> ")]
    assert rewritten and "'1900-04-01', '1900-06-30'" in rewritten[0], explanation
    assert any("i + 5" in line.partition(" -> ")[0] and "504" in line for line in lines), explanation
    assert any(line.startswith("hour(ts) < 24: ") for line in lines[lines.index("not used:") :]), explanation
    assert any(line.startswith("3 ") for line in lines), f"the part of the date keeps 3 files: {explanation}"
    position = check.log.position()
    check.run(query)
    assert "hudi-skip explain" not in check.log.since(position), "nobody asked for it"


def test_explain_knows_hives_aggregates(session: Session) -> None:
    implementation = "DESCRIBE FUNCTION EXTENDED `{}`"
    # Those whose names are no words are operators; `$sum0` has no other name.
    names = [name for (name,) in session.rows("SHOW FUNCTIONS") if re.fullmatch(r"\$?\w+", name)]
    found = {
        name
        for name in names
        if re.search(r"Function class:\S+\.(Generic)?UDAF", session.text(implementation.format(name)))
    }
    assert found == AGGREGATES
