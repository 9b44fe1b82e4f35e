from collections.abc import Callable
from itertools import product
from typing import Any, TypeAlias

import pytest

from pycompiler.compile.compiler.compile import compile_predicate
from pycompiler.compile.expression.evaluator import evaluate
from pycompiler.compile.expression.model import Unknown
from pycompiler.compile.expression.render import to_text
from pycompiler.compile.predicate.model import (
    Call,
    Column,
    Compare,
    Comparison,
    Literal,
    Opaque,
    Operand,
)
from pycompiler.compile.sql.from_sql import from_sql
from pycompiler.compile.values.types import HiveType
from tests.contents import one_row

INT, BIGINT, BOOLEAN = (HiveType.parse(name) for name in ("int", "bigint", "boolean"))
SCHEMA = {"i": INT, "j": INT, "b": BOOLEAN}
NUMBER, B = Column("i", INT), Column("b", BOOLEAN)
VALUES = (None, 0, 1, 2, 3)
TRUTHS = (None, False, True)
Number: TypeAlias = int | None


def number(value: int | None) -> Literal:
    return Literal(INT, value)


def compare(left: Any, right: Any) -> bool | None:
    return None if left is None or right is None else left == right


CALLS: dict[str, Callable[[Number, Number, bool | None], Number]] = {
    "coalesce(i, j, 2)": lambda i, j, b: next(x for x in (i, j, 2) if x is not None),
    "coalesce(i, j)": lambda i, j, b: i if i is not None else j,
    "coalesce(i, null)": lambda i, j, b: i,
    "if(b, i, 3)": lambda i, j, b: i if b else 3,
    "if(i = 1, 2, j)": lambda i, j, b: 2 if i == 1 else j,
    "case when b then 1 when i = 1 then j end": lambda i, j, b: 1 if b else j if i == 1 else None,
    "case when i = 1 then 0 when j > 1 then 1 else 2 end": lambda i, j, b: (
        0 if i == 1 else 1 if j is not None and j > 1 else 2
    ),
    "case i when 1 then 2 when j then 3 end": lambda i, j, b: 2 if i == 1 else 3 if compare(i, j) else None,
    "case i when null then 1 when 2 then j else 0 end": lambda i, j, b: j if i == 2 else 0,
    "nullif(i, 1)": lambda i, j, b: None if i == 1 else i,
    "nullif(i, j)": lambda i, j, b: None if compare(i, j) else i,
    "nullif(i, null)": lambda i, j, b: i,
    "if(b is true, 1, 0)": lambda i, j, b: 1 if b else 0,
    "if(b is not true, 1, 0)": lambda i, j, b: 0 if b else 1,
    "if((b is false) is false, 1, 0)": lambda i, j, b: 0 if b is False else 1,
    "if(b is not false, i, j)": lambda i, j, b: j if b is False else i,
}
TESTS: dict[str, Callable[[Number], bool | None]] = {
    "{} is null": lambda x: x is None,
    "{} is not null": lambda x: x is not None,
    "{} = 0": lambda x: compare(x, 0),
    "not ({} = 0)": lambda x: None if x is None else x != 0,
    "{} < 0": lambda x: None if x is None else x < 0,
    "{} = 1": lambda x: compare(x, 1),
    "not ({} = 1)": lambda x: None if x is None else x != 1,
    "{} < 1": lambda x: None if x is None else x < 1,
    "{} = 2": lambda x: compare(x, 2),
    "not ({} = 2)": lambda x: None if x is None else x != 2,
    "{} < 2": lambda x: None if x is None else x < 2,
}


@pytest.mark.parametrize("text", CALLS)
def test_a_file_of_one_row_is_kept_exactly_if_the_row_passes(text: str) -> None:
    """One row per file: everything is known of it, so files that are kept needlessly show as well."""
    rows = list(product(VALUES, VALUES, TRUTHS))
    files = [
        {name: one_row(SCHEMA[name], value) for name, value in zip(SCHEMA, row, strict=True)} for row in rows
    ]
    results = [CALLS[text](*row) for row in rows]
    for test, passes in TESTS.items():
        where = test.format(text)
        kept = evaluate(compile_predicate(from_sql(where, SCHEMA)).expression, files)
        for row, result, is_kept in zip(rows, results, kept, strict=True):
            assert is_kept is (passes(result) is True), f"{where} for {row}, where {text} is {result}"


def call(name: str, *arguments: Operand) -> Call:
    return Call(name, INT, arguments)


def equal(left: Operand, right: int) -> Compare:
    return Compare(Comparison.EQ, left, number(right))


def test_a_branch_that_is_not_understood_counts_only_where_it_is_reached() -> None:
    opaque = Opaque("f(x)", "not understood")
    chosen = call("if", equal(NUMBER, 1), number(5), opaque)
    compiled = compile_predicate(equal(chosen, 7)).expression
    assert to_text(compiled) == "i != 1 or i is null"


def test_a_test_that_is_not_understood_may_be_anything() -> None:
    chosen = call("if", Opaque("f(x)", "not understood"), number(5), number(6))
    assert to_text(compile_predicate(equal(chosen, 7)).expression) == "none"
    root = compile_predicate(equal(chosen, 5)).expression.root
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
    branches = [part for value in range(400) for part in (equal(NUMBER, value), number(value % 3))]
    compiled = compile_predicate(equal(call("when", *branches), 2)).expression
    assert evaluate(compiled, [{"i": one_row(INT, 401)}]) == [False]
