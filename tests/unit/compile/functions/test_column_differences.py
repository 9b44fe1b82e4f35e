import pytest
from hypothesis import given, settings

from pycompiler.compile.compiler.compile import compile_predicate
from pycompiler.compile.expression.evaluator import evaluate
from pycompiler.compile.expression.model import ColumnDifference, HudiExpression
from pycompiler.compile.expression.render import to_text
from pycompiler.compile.functions import registry
from pycompiler.compile.functions.column_differences import shifted
from pycompiler.compile.predicate.model import BOOLEAN, Call, Column, Literal, Operand
from pycompiler.compile.sql.from_sql import from_sql
from pycompiler.compile.values.outcomes import NOTHING
from pycompiler.compile.values.types import HiveType

from .column_differences import Case, cases

_INT, _BIGINT, _DATE, _TIMESTAMP = map(HiveType, ("int", "bigint", "date", "timestamp"))
_A, _B, _D, _E = Column("a", _INT), Column("b", _INT), Column("d", _DATE), Column("e", _DATE)
_COLUMNS = {"a": _INT, "b": _INT, "d": _DATE, "e": _DATE, "t": _TIMESTAMP, "u": _TIMESTAMP}


def _plus(operand: Operand, number: int) -> Call:
    return Call("+", _INT, (operand, Literal(_INT, number)))


@settings(max_examples=1000)
@given(cases())
def test_a_file_with_a_matching_row_is_kept_in_both_modes(case: Case) -> None:
    expression = compile_predicate(case.predicate).expression
    is_kept = evaluate(expression, [case.statistics])[0]
    assert is_kept or not case.is_found, f"skipped by {to_text(expression)}"


@pytest.mark.parametrize(
    ("where", "text"),
    [
        ("datediff(d, e) > 30", "datediff(d, e) in {[31, ∞)}"),
        ("NOT (datediff(d, e) > 30)", "datediff(d, e) in {(-∞, 30]}"),
        ("datediff(d, e) IS NULL", "datediff(d, e) in {} or d is null or e is null"),
        ("date_add(d, 30) < e", "datediff(d, e) in {(-∞, -31]}"),
        ("date_add(date_sub(d, 7), 1) != date_sub(e, 6)", "datediff(d, e) in {(-∞, -1], [1, ∞)}"),
        ("datediff(t, u) > 30", "datediff(t, u) in {[31, ∞)}"),
        ("datediff(d, t) = 0", "datediff(d, t) in {[0]}"),
        ("datediff(date_add(t, 7), date_sub(d, 1)) < 0", "datediff(t, d) in {(-∞, -9]}"),
        ("to_date(t) != d", "datediff(t, d) in {(-∞, -1], [1, ∞)}"),
        ("CAST(t AS DATE) < to_date(u)", "datediff(t, u) in {(-∞, -1]}"),
        ("to_date(d) < e", "d < e"),
        ("t < u", "t < u"),
        ("a - b > 5", "a - b in {(-∞, -2147483649], [6, ∞)}"),
        ("a - 5 <= b", "a - b in {(-∞, 5]} or a < -2147483643"),
        ("CAST(a AS BIGINT) - 5 <= b", "a - b in {(-∞, 5]}"),
        ("a + 1 - 1 = b", "a - b in {[0]} or a > 2147483646"),
    ],
)
def test_a_comparison_of_shifted_columns_becomes_a_difference(where: str, text: str) -> None:
    assert to_text(compile_predicate(from_sql(where, _COLUMNS)).expression) == text


@pytest.mark.parametrize(
    "operand",
    [
        Literal(_INT, 1),
        Call("+", _INT, (_A, Literal(BOOLEAN, True))),
        Call("+", _INT, (_A, Literal(_INT, None))),
        Call("+", _INT, (Column("l", _BIGINT), Literal(_INT, 1))),
        Call("-", _INT, (Literal(_INT, 1), _A)),
        Call("+", HiveType("double"), (_A, Literal(HiveType("double"), 1.0))),
        Call("date_add", _TIMESTAMP, (Column("t", _TIMESTAMP), Literal(_INT, 1))),
        Call("cast", _TIMESTAMP, (_D,)),
        Call("cast", _DATE, (Column("s", HiveType("string")),)),
        Call("date_sub", _DATE, (_D, Literal(_INT, -(2**31)))),
        Call("date_add", _DATE, (_D, Literal(_BIGINT, 1))),
        # The sum of these leaves an int for every a.
        _plus(_plus(_plus(_A, 2**31 - 1), 2**31 - 1), 2**31 - 1),
    ],
    ids=str,
)
def test_other_operands_are_no_shifted_columns(operand: Operand) -> None:
    assert shifted(operand) is None


@pytest.mark.parametrize(
    "call",
    [
        Call("-", _INT, (_A, Column("l", _BIGINT))),
        Call("-", HiveType("decimal", precision=11, scale=0), (_A, _B)),
        Call("datediff", _INT, (_D, Column("s", HiveType("string")))),
        Call("datediff", _INT, (_A, _B)),
        Call("-", HiveType("interval_day_time"), (_D, _E)),
    ],
    ids=str,
)
def test_other_differences_have_no_rule(call: Call) -> None:
    assert registry.invert(call, NOTHING) is None


def test_a_difference_outside_the_type_is_always_wanted() -> None:
    found = registry.invert(Call("-", _INT, (_A, _B)), NOTHING)
    assert found is not None
    _, condition = found
    assert isinstance(condition, ColumnDifference)
    assert to_text(HudiExpression((condition,))) == "a - b in {(-∞, -2147483649], [2147483648, ∞)}"


@pytest.mark.parametrize("where", ["to_date(t) < u", "t = date_add(u, 1)", "d < t"])
def test_a_day_and_a_timestamp_are_not_compared(where: str) -> None:
    # Hive compares midnight of the day with the timestamp.
    assert to_text(compile_predicate(from_sql(where, _COLUMNS)).expression).startswith("any [Hive converts")
