from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

from pycompiler.compiler.compile import compile_predicate
from pycompiler.expression.evaluator import evaluate
from pycompiler.expression.model import Unknown
from pycompiler.expression.render import to_text
from pycompiler.predicate.model import (
    Call,
    Column,
    Compare,
    Comparison,
    IsNull,
    Literal,
    Not,
    Opaque,
    Operand,
    Predicate,
)
from pycompiler.values.types import HiveType
from tests.contents import one_row

INT, BIGINT, BOOLEAN = (HiveType.parse(name) for name in ("int", "bigint", "boolean"))
NUMBER, J, B = Column("i", INT), Column("j", INT), Column("b", BOOLEAN)
VALUES = (None, 0, 1, 2, 3)
TRUTHS = (None, False, True)


def number(value: int | None) -> Literal:
    return Literal(INT, value)


def test_of(operator: Comparison, left: Operand, right: int) -> Compare:
    return Compare(operator, left, number(right))


test_of.__test__ = False  # type: ignore[attr-defined]
IS_ONE = test_of(Comparison.EQ, NUMBER, 1)
ABOVE_ONE = test_of(Comparison.GT, J, 1)


def call(name: str, *arguments: Operand) -> Call:
    return Call(name, INT, arguments)


def compare(left: Any, right: Any) -> bool | None:
    return None if left is None or right is None else left == right


CALLS: dict[str, tuple[Call, Callable[[int | None, int | None, bool | None], int | None]]] = {
    "coalesce(i, j, 2)": (
        call("coalesce", NUMBER, J, number(2)),
        lambda i, j, b: next(x for x in (i, j, 2) if x is not None),
    ),
    "coalesce(i, j)": (call("coalesce", NUMBER, J), lambda i, j, b: i if i is not None else j),
    "coalesce(i, null)": (call("coalesce", NUMBER, number(None)), lambda i, j, b: i),
    "if(b, i, 3)": (call("if", B, NUMBER, number(3)), lambda i, j, b: i if b else 3),
    "if(i = 1, 2, j)": (call("if", IS_ONE, number(2), J), lambda i, j, b: 2 if i == 1 else j),
    "when b then 1 when i = 1 then j end": (
        call("when", B, number(1), IS_ONE, J),
        lambda i, j, b: 1 if b else j if i == 1 else None,
    ),
    "when i = 1 then 0 when j > 1 then 1 else 2 end": (
        call("when", IS_ONE, number(0), ABOVE_ONE, number(1), number(2)),
        lambda i, j, b: 0 if i == 1 else 1 if j is not None and j > 1 else 2,
    ),
    "case i when 1 then 2 when j then 3 end": (
        call("case", NUMBER, number(1), number(2), J, number(3)),
        lambda i, j, b: 2 if i == 1 else 3 if compare(i, j) else None,
    ),
    "case i when null then 1 when 2 then j else 0 end": (
        call("case", NUMBER, number(None), number(1), number(2), J, number(0)),
        lambda i, j, b: j if i == 2 else 0,
    ),
    "nullif(i, 1)": (call("nullif", NUMBER, number(1)), lambda i, j, b: None if i == 1 else i),
    "nullif(i, j)": (call("nullif", NUMBER, J), lambda i, j, b: None if compare(i, j) else i),
    "nullif(i, null)": (call("nullif", NUMBER, number(None)), lambda i, j, b: i),
    "if(b is true, 1, 0)": (
        call("if", Call("istrue", BOOLEAN, (B,)), number(1), number(0)),
        lambda i, j, b: 1 if b else 0,
    ),
    "if(b is not true, 1, 0)": (
        call("if", Call("isnottrue", BOOLEAN, (B,)), number(1), number(0)),
        lambda i, j, b: 0 if b else 1,
    ),
    "if((b is false) is false, 1, 0)": (
        call("if", Call("isfalse", BOOLEAN, (Call("isfalse", BOOLEAN, (B,)),)), number(1), number(0)),
        lambda i, j, b: 0 if b is False else 1,
    ),
    "if(b is not false, i, j)": (
        call("if", Call("isnotfalse", BOOLEAN, (B,)), NUMBER, J),
        lambda i, j, b: j if b is False else i,
    ),
}


def keeps(predicate: Predicate, i: int | None, j: int | None, b: bool | None) -> bool:
    """Whether a file of this one row is kept."""
    row = {column.name: one_row(column.type, value) for column, value in ((NUMBER, i), (J, j), (B, b))}
    return evaluate(compile_predicate(predicate).expression, [row])[0]


@pytest.mark.parametrize("text", CALLS)
def test_a_file_of_one_row_is_kept_exactly_if_the_row_passes(text: str) -> None:
    """One row per file: all is known of it, so that what is kept needlessly shows as well."""
    tested, function = CALLS[text]
    needless = 0
    for i, j, b in product(VALUES, VALUES, TRUTHS):
        result = function(i, j, b)
        filters: list[tuple[Predicate, bool | None]] = [
            (IsNull(tested), result is None),
            (Not(IsNull(tested)), result is not None),
        ]
        for value in (0, 1, 2):
            equal, below = test_of(Comparison.EQ, tested, value), test_of(Comparison.LT, tested, value)
            is_equal = None if result is None else result == value
            filters += [(equal, is_equal), (Not(equal), None if is_equal is None else not is_equal)]
            filters.append((below, None if result is None else result < value))
        for predicate, passes in filters:
            is_kept = keeps(predicate, i, j, b)
            assert is_kept or not passes, f"i={i} j={j} b={b}: {text} is {result}, lost by {predicate}"
            needless += is_kept and not passes
    assert needless == 0


def test_a_branch_that_is_not_understood_counts_only_where_it_is_reached() -> None:
    opaque = Opaque("f(x)", "not understood")
    chosen = call("if", IS_ONE, number(5), opaque)
    compiled = compile_predicate(test_of(Comparison.EQ, chosen, 7)).expression
    assert to_text(compiled) == "i != 1 or i is null"


def test_a_test_that_is_not_understood_may_be_anything() -> None:
    chosen = call("if", Opaque("f(x)", "not understood"), number(5), number(6))
    assert to_text(compile_predicate(test_of(Comparison.EQ, chosen, 7)).expression) == "none"
    root = compile_predicate(test_of(Comparison.EQ, chosen, 5)).expression.root
    assert isinstance(root, Unknown)


@pytest.mark.parametrize(
    "chosen",
    [
        Call("coalesce", INT, (Column("i", BIGINT), number(0))),
        Call("nullif", INT, (Column("i", BIGINT), number(0))),
        Call("coalesce", HiveType.parse("char(3)"), (Column("c", HiveType.parse("char(3)")),)),
        Call("case", INT, (NUMBER, Column("x", BIGINT), number(0), number(1))),
        Call("if", INT, (B, NUMBER)),
        Call("when", INT, ()),
    ],
    ids=str,
)
def test_arguments_that_hive_converts_say_nothing(chosen: Call) -> None:
    tested = Compare(Comparison.EQ, chosen, Literal(chosen.type, "a" if chosen.type.length else 0))
    assert isinstance(compile_predicate(tested).expression.root, Unknown)


def test_constants_that_lost_their_nanoseconds_are_not_compared() -> None:
    timestamp = HiveType.parse("timestamp")
    chosen = Call("coalesce", timestamp, (Column("ts", timestamp), Literal(timestamp, 0)))
    later = Compare(Comparison.GT, chosen, Literal(timestamp, 0))
    row = {"ts": one_row(timestamp, None)}
    assert evaluate(compile_predicate(later).expression, [row]) == [True], "200 ns are above 100 ns"


def test_hundreds_of_branches_are_compiled() -> None:
    branches = [
        part for value in range(400) for part in (test_of(Comparison.EQ, NUMBER, value), number(value % 3))
    ]
    compiled = compile_predicate(test_of(Comparison.EQ, call("when", *branches), 2)).expression
    assert evaluate(compiled, [{"i": one_row(INT, 401)}]) == [False]
