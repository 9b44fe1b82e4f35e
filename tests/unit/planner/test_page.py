"""Every row of the table in HIVE-9452's page "Hbase execution plans for RawStore partition filter condition".

`p1` is the first partition column and `c1` … `c4` are the others. Where the page's scan is too wide, the
narrower one stands here, with the reason.
"""

import re
from pathlib import Path

import pytest

from pycompiler.planner.keys import KeyLayout, key_columns
from pycompiler.predicate.model import (
    And,
    Between,
    Call,
    Column,
    Compare,
    In,
    IsNull,
    Literal,
    Not,
    Operand,
    Or,
)
from pycompiler.sql.from_sql import from_sql
from pycompiler.thrift_gen import ttypes
from pycompiler.values.types import HiveType, ValueKind
from tests.planning import plan_by_expression, plan_by_filter
from tests.unit.wire.thrift_filters import call, column, constant, tree

_INT = HiveType("int")
ONE_COLUMN = KeyLayout("lake", "flights", key_columns([("p1", _INT)]))
COLUMNS = KeyLayout("lake", "flights", key_columns([("p1", _INT), *((f"c{n}", _INT) for n in range(1, 5))]))


def planned(text: str, layout: KeyLayout = COLUMNS) -> str:
    """The plan of a filter string, which is that of Hive's typed expression as well."""
    by_filter = plan_by_filter(text, layout).text()
    schema = {key.name: key.type for key in layout.columns}
    assert plan_by_expression(tree(*_nodes(from_sql(text, schema))), layout).text() == by_filter
    return by_filter


def _nodes(operand: Operand) -> list[ttypes.FilterNode]:
    """An operand as the handler sends it."""

    def node(name: str, *operands: Operand) -> list[ttypes.FilterNode]:
        return [*(part for child in operands for part in _nodes(child)), call(name, len(operands))]

    match operand:
        case Column(name, hive_type):
            return [column(name, str(hive_type))]
        case Literal(hive_type, value):
            literal = ttypes.Literal(type=str(hive_type))
            if isinstance(value, str):
                literal.stringValue = value.encode()
            elif hive_type.kind is ValueKind.DATE:
                literal.dateValue = value
            else:
                literal.integerValue = value
            return [constant(literal)]
        case And(terms):
            return node("and", *terms)
        case Or(terms):
            return node("or", *terms)
        case Not(term):
            return node("not", term)
        case Compare(operator, left, right):
            return node(operator.value, left, right)
        case In(value, members):
            return node("in", value, *members)
        case Between(value, low, high):
            return node("between", value, low, high)
        case IsNull(value):
            return node("isnull", value)
        case Call(name, hive_type, arguments):
            found = node(name, *arguments)
            found[-1].type = str(hive_type)
            return found
    raise AssertionError(f"not in these filters: {operand}")


def test_a_range_of_the_first_column() -> None:
    assert planned("p1 > 10 and p1 < 20") == "Scan(X10+, X20)"


def test_one_value_of_the_only_column() -> None:
    assert planned("p1 = 10", ONE_COLUMN) == "Get(X10)"


def test_all_partition_columns_specified() -> None:
    assert planned("p1 = 10 and c1 = 1 and c2 = 2 and c3 = 3 and c4 = 4") == "Get(X10/1/2/3/4)"


def test_one_value_of_the_first_of_several_columns() -> None:
    # The page scans (X10, X+), all that is above 10 as well; what begins with 10 ends at X10+.
    assert planned("p1 = 10") == "Scan(X10, X10+)"


def test_two_values_of_the_only_column() -> None:
    assert planned("p1 = 9 or p1 = 10", ONE_COLUMN) == "merge(Get(X9), Get(X10))"


def test_two_ranges_of_the_first_column() -> None:
    # The page merges (X10, X+) and (X, X20), which begins with a value that is not wanted, reads what lies
    # between 10 and 20 twice, and reads NULL, for which neither holds. Together they are all values.
    assert planned("p1 > 10 or p1 < 20") == "Scan(Xnull+, X+)"
    assert planned("p1 > 20 or p1 < 10") == "merge(Scan(Xnull+, X10), Scan(X20+, X+))"


def test_a_condition_on_other_columns() -> None:
    assert planned("c1 = 5") == "Scan(X, X+) + filter(c1 = 5)"


def test_the_first_column_above_a_value_and_a_condition() -> None:
    # The page starts at X10, with a value that is not wanted.
    assert planned("p1 > 10 and c1 = 5") == "Scan(X10+, X+) + filter(c1 = 5)"


def test_the_first_column_below_a_value_and_a_condition() -> None:
    # The page starts at X, where the partition of NULL is, for which `<` is not TRUE.
    assert planned("p1 < 20 and c1 = 5") == "Scan(Xnull+, X20) + filter(c1 = 5)"


def test_several_bounds_of_the_first_column() -> None:
    assert planned("p1 > 10 and p1 > 20 and p1 < 30 and p1 < 40") == "Scan(X20+, X30)"


def test_an_or_below_an_and() -> None:
    # The page merges Scan(X20+, X+) and Scan(X10+, X+) + filter, which read what is above 20 twice.
    assert (
        planned("p1 > 10 and (p1 > 20 or c1 = 5)")
        == "merge(Scan(X10+, X20+) + filter(c1 = 5), Scan(X20+, X+))"
    )


def test_an_or_of_which_one_side_needs_the_whole_table() -> None:
    assert planned("p1 > 10 or c1 = 5") == "Scan(X, X+) + filter(p1 > 10 or c1 = 5)"
    assert planned("c1 = 5 or c2 = 6") == "Scan(X, X+) + filter(c1 = 5 or c2 = 6)"


def test_any_other_or_merges_the_results() -> None:
    assert (
        planned("(p1 = 1 and c1 = 5) or (p1 > 7 and c2 = 6)")
        == "merge(Scan(X1/5, X1/5+), Scan(X7+, X+) + filter(c2 = 6))"
    )


def test_a_condition_and_an_or_are_written_out() -> None:
    assert (
        planned("c1 = 1 and (p1 = 2 or p1 > 3 and c3 = 4)")
        == "merge(Scan(X2/1, X2/1+), Scan(X3+, X+) + filter(c1 = 1 and c3 = 4))"
    )


def test_an_or_and_an_or_are_all_four_pairs() -> None:
    assert (
        planned("(p1 = 1 or c1 = 2) and (p1 = 3 or c1 = 4)") == "merge(Scan(X1/4, X1/4+), Scan(X3/2, X3/2+))"
    )
    assert (
        planned("(p1 < 1 or p1 > 9) and (c1 = 3 or c2 = 4)")
        == "merge(Scan(Xnull+, X1) + filter(c1 = 3 or c2 = 4), Scan(X9+, X+) + filter(c1 = 3 or c2 = 4))"
    )


def test_not_equal_is_a_filter() -> None:
    assert planned("p1 != 10") == "Scan(Xnull+, X+) + filter(p1 != 10)"


def test_like_is_a_filter_unless_it_begins_with_text() -> None:
    layout = KeyLayout("lake", "flights", key_columns([("p1", HiveType("string"))]))
    # The page has LIKE as a filter only: keys are in the order of strings, and what begins alike is a range.
    assert plan_by_filter("p1 like 'ab%'", layout).text() == "Scan(X'ab', X'ac')"
    assert plan_by_filter("p1 like 'ab'", layout).text() == "Get(X'ab')"
    # Without a prefix all that is known is that it is not NULL.
    assert plan_by_filter("p1 like '%b'", layout).text() == "Scan(Xnull+, X+)"


def test_equality_on_the_first_columns_then_a_range_on_the_next() -> None:
    assert planned("p1 = 1 and c1 = 2 and c2 > 3 and c3 = 4") == "Scan(X1/2/3+, X1/2+) + filter(c3 = 4)"
    assert planned("p1 = 1 and c1 is null and c2 <= 3") == "Scan(X1/null/null+, X1/null/3+)"


def test_in_is_merged_gets() -> None:
    assert planned("p1 in (3, 1, 2, 1)", ONE_COLUMN) == "merge(Get(X1), Get(X2), Get(X3))"
    assert (
        planned("p1 in (1, 2) and c1 in (3, 4)")
        == "merge(Scan(X1/3, X1/3+), Scan(X1/4, X1/4+), Scan(X2/3, X2/3+), Scan(X2/4, X2/4+))"
    )


def test_contradictions_read_nothing() -> None:
    for text in ("p1 > 20 and p1 < 10", "p1 = 1 and (p1 = 2 or p1 = 3)"):
        assert planned(text) == "no scan", text
    assert plan_by_filter("false", COLUMNS).text() == "no scan"


def test_what_the_compiler_knows_of_functions_serves_here_too() -> None:
    of_days = KeyLayout("lake", "flights", key_columns([("day", HiveType("date"))]))
    # Years beyond the calendar's 1 to 9999 are not known.
    year = "merge(Scan(Xnull+, X-719163 days+), Scan(X'2013-01-01', X'2013-12-31'+), Scan(X2932897 days, X+))"
    assert plan_by_filter("year(day) = 2013", of_days).text() == year
    of_text = KeyLayout("lake", "flights", key_columns([("day", HiveType("string"))]))
    assert plan_by_filter("substr(day, 1, 7) = '2013-07'", of_text).text() == "Scan(X'2013-07', X'2013-08')"
    assert plan_by_filter("cast(p1 as bigint) > 5", ONE_COLUMN).text() == "Scan(X5+, X+)"


def test_of_hives_typed_expression_hive_itself_can_be_the_filter() -> None:
    def text_of(*nodes: ttypes.FilterNode) -> str:
        return plan_by_expression(tree(*nodes), COLUMNS).text()

    two, one = (constant(ttypes.Literal(type="int", integerValue=number)) for number in (2, 1))
    hash_of_c1 = [column("c1"), call("hash", 1, "int"), two, call("=", 2)]
    assert text_of(*hash_of_c1) == "Scan(X, X+) + filter(hive(term 3 over c1))"
    of_a_part = text_of(*hash_of_c1, column("p1"), one, call("=", 2), call("and", 2))
    assert of_a_part == "Scan(X1, X1+) + filter(hive(term 3 over c1))"
    assert text_of(column("d"), call("hash", 1, "int"), two, call("=", 2)) == "Scan(X, X+)"


def test_what_hive_compares_in_another_order_is_not_planned() -> None:
    of_text = KeyLayout("lake", "flights", key_columns([("p1", HiveType("string"))]))
    assert plan_by_filter("p1 > 9", of_text).text() == "Scan(X, X+)", "'10' > 9 in Hive"


def test_columns_that_are_no_partition_columns_are_left_to_the_files() -> None:
    schema = {"p1": _INT, "d": _INT}
    assert plan_by_filter("p1 > 10 and d = 5", ONE_COLUMN, schema).text() == "Scan(X10+, X+)"
    assert plan_by_filter("p1 > 10 or d = 5", ONE_COLUMN, schema).text() == "Scan(X, X+)"


def test_a_column_that_the_filter_reads_as_another_type_is_not_planned() -> None:
    schema = {"p1": HiveType("bigint")}
    assert plan_by_filter("p1 > 10", ONE_COLUMN, schema).text() == "Scan(X, X+)"


def test_the_plans_of_the_documentation() -> None:
    text = (Path(__file__).parents[3] / "docs/inside/formats.md").read_text()
    rows = re.findall(r"^\| `(.+)`(?:, `s` the first column)? \| `(.+)` \|$", text, re.MULTILINE)
    assert len(rows) == 12
    two = KeyLayout("lake", "flights", key_columns([("p1", _INT), ("c1", _INT)]))
    of_text = KeyLayout("lake", "flights", key_columns([("s", HiveType("string")), ("c1", _INT)]))
    for where, plan in rows:
        layout = of_text if where.startswith("s ") else two
        assert plan_by_filter(where, layout).text() == plan, where


@pytest.mark.parametrize("count", [64, 65])
def test_beyond_64_conjunctions_there_is_one_and_the_filter(count: int) -> None:
    text = " or ".join(f"(p1 > {10 * n} and p1 < {10 * n + 5} and c1 = {n})" for n in range(count))
    plan = plan_by_filter(text, COLUMNS)
    if count == 64:
        assert len(plan.plans()) == 64
    else:
        (only,) = plan.plans()
        assert (only.start.text(COLUMNS), only.end.text(COLUMNS)) == ("X0+", "X645")
        assert only.filter is not None
        assert len(plan.scans()) == 65, "what is wanted of p1 is still known"


@pytest.mark.parametrize(("count", "scans"), [(1_000, 1_000), (1_001, 1)])
def test_beyond_1000_values_one_scan_and_the_filter(count: int, scans: int) -> None:
    members = ", ".join(str(2 * number) for number in range(count))
    assert len(plan_by_filter(f"p1 in ({members})", ONE_COLUMN).scans()) == scans
