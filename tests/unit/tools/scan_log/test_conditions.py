"""Conditions from the log mean what the log says: they compile to the expression that they come from."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pycompiler.compile.compiler.compile import compile_predicate
from pycompiler.compile.expression.render import to_text
from pycompiler.compile.sql.from_sql import from_sql
from pycompiler.compile.values.types import HiveType
from pycompiler.tools.scan_log.conditions import sql_condition

SCHEMA = {
    "day": HiveType("date"),
    "due": HiveType("date"),
    "at": HiveType("timestamp"),
    "n": HiveType("int"),
    "m": HiveType("int"),
    "price": HiveType.parse("decimal(9,2)"),
    "x": HiveType("double"),
    "s": HiveType("string"),
    "is_late": HiveType("boolean"),
    "place.city": HiveType("string"),
    "_hoodie_commit_time": HiveType("string"),
}


def logged(where: str) -> str:
    """The expression of a condition, as the log has it."""
    return to_text(compile_predicate(from_sql(where, SCHEMA)).expression)


@pytest.mark.parametrize(
    "where",
    [
        "n = 5",
        "n > -5 and n <= 7",
        "n between 5 and 9 or n = 77 or n > 1000",
        "n <> 5 and n <> 7",
        "n in (1, 3, 5, 7)",
        "n not in (1, 3)",
        "s is null or day is not null",
        "day between date '2026-07-03' and date '2026-08-01'",
        "price > 1.50 and price < 7",
        "x > 0.5",
        "is_late = true",
        "s = 'O''Hare'",
        r"s = 'a\\b'",
        "s like 'a%' and upper(s) = 'AB'",
        "s = '} or (x) in {[1, 2]}'",
        "s in ('a, b', 'c)')",
        "place.city = 'Lima'",
        "not (datediff(day, due) between 0 and 3) and (datediff(day, at) = 1 or n = 5)",
        "`_hoodie_commit_time` > '2026' and n = 5",
        "n < 5 or (s = 'a' and (day = date '2026-01-01' or n > 9))",
    ],
)
def test_a_logged_condition_means_the_same(where: str) -> None:
    expression = logged(where)
    condition = sql_condition(expression)
    assert condition is not None, f"nothing was made of: {expression}"
    assert logged(condition) == expression


def test_a_condition_on_a_timestamp_may_keep_more() -> None:
    """The compiler widens ranges of timestamps by the differences of time zones, and does so again."""
    expression = logged("at >= '2026-07-03 12:00:00' and at < '2026-07-04 00:00:00'")
    assert expression == "at in {['2026-07-02 00:00:00', '2026-07-05 12:00:00']}"
    condition = sql_condition(expression)
    assert condition == "((at >= '2026-07-02 00:00:00' AND at <= '2026-07-05 12:00:00'))"


def test_days_that_sql_cannot_write_are_left_out() -> None:
    expression = logged("year(day) = 2026 and n = 1")
    assert "-719163 days" in expression
    condition = sql_condition(expression)
    assert condition == "((day >= '2026-01-01' AND day <= '2026-12-31')) and n = 1"


@given(
    st.text(st.characters(max_codepoint=0xD7FF, exclude_categories=["Cc", "Cs", "Zl", "Zp"]), max_size=12),
    st.sampled_from(["s = {}", "s >= {}", "s in ({}, 'b', {})", "s = {} or n in (1, 2, 3)"]),
)
def test_any_string_comes_back(value: str, template: str) -> None:
    """But for control characters, which the log replaces."""
    quoted = "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"
    expression = logged(template.format(quoted, quoted))
    condition = sql_condition(expression)
    assert condition is not None or "…" in value, f"nothing was made of: {expression}"
    assert condition is None or "any" in expression.split() or logged(condition) == expression


def test_a_logged_difference_is_one() -> None:
    assert sql_condition("n = 5 and (n - m in {[6, 9]})") == "n = 5 and (((n - m >= 6 AND n - m <= 9)))"


@pytest.mark.parametrize(
    "expression",
    [
        "",
        "n in (1, 2, 3, 4, 5, … 3 more)",
        "s = 'aaa…'",
        "first 3 by n asc nulls last: <= 18",
        "day = 5 days",
        "day in {[2932897 days, ∞)}",
        "n = ",
    ],
)
def test_what_the_log_cut_is_no_condition(expression: str) -> None:
    assert sql_condition(expression) is None


@pytest.mark.parametrize(
    ("expression", "condition"),
    [
        ("n = 5 and hive(term 3 over n, s)", "n = 5 and TRUE"),
        ("n = 5 and any [it has (brackets), and more]", "n = 5 and TRUE"),
        ("n = 5 or (any and s = 'any')", "n = 5 or (TRUE and s = 'any')"),
        ("h3(lat, lon) may match 17 bytes and n = 5", "TRUE and n = 5"),
        ("none", "FALSE"),
        ("n in {}", "FALSE"),
        ("n - m in {} or datediff(day, at) in {}", "TRUE or TRUE"),
    ],
)
def test_what_the_log_does_not_spell_out_keeps_every_file(expression: str, condition: str) -> None:
    assert sql_condition(expression) == condition
