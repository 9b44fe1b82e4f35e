"""Every row of the table in HIVE-9452's page "Hbase execution plans for RawStore partition filter condition".

`p1` is the first partition column and `c1` … `c4` are the others. Where the page's scan is too wide, the
narrower one stands here, with the reason.
"""

import re
from pathlib import Path

import pytest

from pycompiler.compile.planner.keys import KeyLayout, key_columns
from pycompiler.compile.values.types import HiveType
from pycompiler.thrift_gen import ttypes
from tests.planning import plan_by_expression, plan_by_filter
from tests.unit.compile.wire.thrift_filters import call, column, constant, tree

_INT = HiveType("int")
ONE_COLUMN = KeyLayout(key_columns([("p1", _INT)]))
COLUMNS = KeyLayout(key_columns([("p1", _INT), *((f"c{n}", _INT) for n in range(1, 5))]))


@pytest.mark.parametrize(
    ("text", "plan"),
    [
        ("p1 > 10 and p1 < 20", "Scan(X10+, X20)"),
        ("p1 = 10 and c1 = 1 and c2 = 2 and c3 = 3 and c4 = 4", "Get(X10/1/2/3/4)"),
        # The page scans (X10, X+), which includes everything above 10; keys that begin with 10 end at X10+.
        ("p1 = 10", "Scan(X10, X10+)"),
        # The page merges (X10, X+) and (X, X20). That begins with an unwanted value, reads what lies between
        # 10 and 20 twice, and reads NULL, for which neither holds. Together they are all values.
        ("p1 > 10 or p1 < 20", "Scan(Xnull+, X+)"),
        ("p1 > 20 or p1 < 10", "merge(Scan(Xnull+, X10), Scan(X20+, X+))"),
        ("c1 = 5", "Scan(X, X+) + filter(c1 = 5)"),
        # The page starts at X10, with an unwanted value.
        ("p1 > 10 and c1 = 5", "Scan(X10+, X+) + filter(c1 = 5)"),
        # The page starts at X, where the partition of NULL is, for which `<` is not TRUE.
        ("p1 < 20 and c1 = 5", "Scan(Xnull+, X20) + filter(c1 = 5)"),
        ("p1 > 10 and p1 > 20 and p1 < 30 and p1 < 40", "Scan(X20+, X30)"),
        # The page merges Scan(X20+, X+) and Scan(X10+, X+) + filter, which read what is above 20 twice.
        ("p1 > 10 and (p1 > 20 or c1 = 5)", "merge(Scan(X10+, X20+) + filter(c1 = 5), Scan(X20+, X+))"),
        ("p1 > 10 or c1 = 5", "Scan(X, X+) + filter(p1 > 10 or c1 = 5)"),
        ("c1 = 5 or c2 = 6", "Scan(X, X+) + filter(c1 = 5 or c2 = 6)"),
        (
            "(p1 = 1 and c1 = 5) or (p1 > 7 and c2 = 6)",
            "merge(Scan(X1/5, X1/5+), Scan(X7+, X+) + filter(c2 = 6))",
        ),
        (
            "c1 = 1 and (p1 = 2 or p1 > 3 and c3 = 4)",
            "merge(Scan(X2/1, X2/1+), Scan(X3+, X+) + filter(c1 = 1 and c3 = 4))",
        ),
        ("(p1 = 1 or c1 = 2) and (p1 = 3 or c1 = 4)", "merge(Scan(X1/4, X1/4+), Scan(X3/2, X3/2+))"),
        (
            "(p1 < 1 or p1 > 9) and (c1 = 3 or c2 = 4)",
            "merge(Scan(Xnull+, X1) + filter(c1 = 3 or c2 = 4), Scan(X9+, X+) + filter(c1 = 3 or c2 = 4))",
        ),
        ("p1 != 10", "Scan(Xnull+, X+) + filter(p1 != 10)"),
        ("p1 = 1 and c1 = 2 and c2 > 3 and c3 = 4", "Scan(X1/2/3+, X1/2+) + filter(c3 = 4)"),
        ("p1 = 1 and c1 is null and c2 <= 3", "Scan(X1/null/null+, X1/null/3+)"),
        (
            "p1 in (1, 2) and c1 in (3, 4)",
            "merge(Scan(X1/3, X1/3+), Scan(X1/4, X1/4+), Scan(X2/3, X2/3+), Scan(X2/4, X2/4+))",
        ),
        ("p1 > 20 and p1 < 10", "no scan"),
        ("p1 = 1 and (p1 = 2 or p1 = 3)", "no scan"),
    ],
)
def test_a_filter_has_the_plan_of_the_page_or_a_narrower_one(text: str, plan: str) -> None:
    assert plan_by_filter(text, COLUMNS).text() == plan


@pytest.mark.parametrize(
    ("text", "plan"),
    [
        ("p1 = 10", "Get(X10)"),
        ("p1 = 9 or p1 = 10", "merge(Get(X9), Get(X10))"),
        ("p1 in (3, 1, 2, 1)", "merge(Get(X1), Get(X2), Get(X3))"),
    ],
)
def test_values_of_the_only_column_are_gets(text: str, plan: str) -> None:
    assert plan_by_filter(text, ONE_COLUMN).text() == plan


@pytest.mark.parametrize(
    ("column_type", "text", "plan"),
    [
        # The page has LIKE only as a filter. Keys sort as strings do, so a common prefix is a range.
        ("string", "p1 like 'ab%'", "Scan(X'ab', X'ac')"),
        ("string", "p1 like 'ab'", "Get(X'ab')"),
        # Without a prefix, all that is known is that it is not NULL.
        ("string", "p1 like '%b'", "Scan(Xnull+, X+)"),
        ("string", "substr(p1, 1, 7) = '2013-07'", "Scan(X'2013-07', X'2013-08')"),
        # '10' > 9 in Hive, so the order of strings does not help.
        ("string", "p1 > 9", "Scan(X, X+)"),
        # Years beyond the calendar's 1 to 9999 are not known.
        (
            "date",
            "year(p1) = 2013",
            "merge(Scan(Xnull+, X-719163 days+), Scan(X'2013-01-01', X'2013-12-31'+), "
            "Scan(X2932897 days, X+))",
        ),
        ("int", "cast(p1 as bigint) > 5", "Scan(X5+, X+)"),
        ("int", "false", "no scan"),
    ],
)
def test_the_planner_knows_types_and_functions_as_the_compiler_does(
    column_type: str, text: str, plan: str
) -> None:
    layout = KeyLayout(key_columns([("p1", HiveType(column_type))]))
    assert plan_by_filter(text, layout).text() == plan


def test_of_hives_typed_expression_hive_itself_can_be_the_filter() -> None:
    def text_of(*nodes: ttypes.FilterNode) -> str:
        return plan_by_expression(tree(*nodes), COLUMNS).text()

    two, one = (constant(ttypes.Literal(type="int", integerValue=number)) for number in (2, 1))
    hash_of_c1 = [column("c1"), call("hash", 1, "int"), two, call("=", 2)]
    assert text_of(*hash_of_c1) == "Scan(X, X+) + filter(hive(term 3 over c1))"
    of_a_part = text_of(*hash_of_c1, column("p1"), one, call("=", 2), call("and", 2))
    assert of_a_part == "Scan(X1, X1+) + filter(hive(term 3 over c1))"
    assert text_of(column("d"), call("hash", 1, "int"), two, call("=", 2)) == "Scan(X, X+)"


def test_columns_that_are_no_partition_columns_are_left_to_the_files() -> None:
    schema = {"p1": _INT, "d": _INT}
    assert plan_by_filter("p1 > 10 and d = 5", ONE_COLUMN, schema).text() == "Scan(X10+, X+)"
    assert plan_by_filter("p1 > 10 or d = 5", ONE_COLUMN, schema).text() == "Scan(X, X+)"


def test_a_column_that_the_filter_reads_as_another_type_is_not_planned() -> None:
    schema = {"p1": HiveType("bigint")}
    assert plan_by_filter("p1 > 10", ONE_COLUMN, schema).text() == "Scan(X, X+)"


def test_the_plans_of_the_documentation() -> None:
    text = (Path(__file__).parents[4] / "docs/inside/formats.md").read_text()
    rows = re.findall(r"^\| `(.+)`(?:, `s` the first column)? \| `(.+)` \|$", text, re.MULTILINE)
    assert len(rows) == 12
    two = KeyLayout(key_columns([("p1", _INT), ("c1", _INT)]))
    of_text = KeyLayout(key_columns([("s", HiveType("string")), ("c1", _INT)]))
    for where, plan in rows:
        layout = of_text if where.startswith("s ") else two
        assert plan_by_filter(where, layout).text() == plan, where


@pytest.mark.parametrize("count", [64, 65])
def test_beyond_64_conjunctions_there_is_one_and_the_filter(count: int) -> None:
    text = " or ".join(f"(p1 > {10 * n} and p1 < {10 * n + 5} and c1 = {n})" for n in range(count))
    plan = plan_by_filter(text, COLUMNS)
    if count == 64:
        assert len(plan.members) == 64
    else:
        (only,) = plan.members
        (scan,) = only.split(1)
        assert (scan.start.text(COLUMNS), scan.end.text(COLUMNS)) == ("X0+", "X645")
        assert scan.filter is not None
        assert len(plan.scans()) == 65, "what is wanted of p1 is still known"


@pytest.mark.parametrize(("count", "scans"), [(1_000, 1_000), (1_001, 1)])
def test_beyond_1000_values_one_scan_and_the_filter(count: int, scans: int) -> None:
    members = ", ".join(str(2 * number) for number in range(count))
    assert len(plan_by_filter(f"p1 in ({members})", ONE_COLUMN).scans()) == scans
