"""Work and size are bounded however a filter is nested, and omitted terms are reported."""

from collections.abc import Callable
from functools import reduce

import pytest

from pycompiler.compile.compiler.compile import Compilation, compile_predicate
from pycompiler.compile.compiler.expression_builder import MAX_WRITTEN_OUT
from pycompiler.compile.expression.evaluator import evaluate
from pycompiler.compile.expression.model import Leaf
from pycompiler.compile.expression.statistics import ColumnStatistics
from pycompiler.compile.sql.from_sql import from_sql
from pycompiler.compile.values.types import HiveType
from tests.contents import one_row

INT = HiveType("int")
COLUMNS = 64


def compiled(where: str) -> Compilation:
    return compile_predicate(from_sql(where, {f"a{number}": INT for number in range(COLUMNS)}))


def constant(value: int) -> ColumnStatistics:
    return one_row(INT, value)


def nested(depth: int, level: Callable[[str, int], str], innermost: str = "a0") -> str:
    return reduce(level, range(1, depth), innermost)


@pytest.mark.parametrize(
    "where",
    [
        nested(40, lambda inner, n: f"nvl({inner}, a{n})") + " > 5",
        nested(40, lambda inner, n: f"case when {inner} > 3 then a{n} else a{n} + 1 end") + " > 5",
        nested(40, lambda inner, n: f"if({inner}, a{n} > 1, a{n} < 0)", "a0 > 1"),
        nested(40, lambda inner, n: f"({inner} {'and' if n % 2 else 'or'} a{n} = {n})", "(a0 = 1)")
        + " is null",
    ],
    ids=["coalesce", "case", "if", "null of and and or"],
)
def test_work_that_doubles_with_every_level_is_given_up(where: str) -> None:
    found = compiled(where)
    assert [unused.reason for unused in found.unused] == [
        "deriving a condition on the columns takes too many steps"
    ]


def test_what_is_beside_a_term_that_is_given_up_still_skips_files() -> None:
    deep = nested(40, lambda inner, n: f"nvl({inner}, a{n})")
    expression = compiled(f"{deep} > 5 and a1 = 3").expression
    assert evaluate(expression, [{"a1": constant(3)}, {"a1": constant(4)}]) == [True, False]


def _choices(levels: int, path: str, bound: int) -> str:
    """ORs of two ANDs, nested, over columns that trees with other bounds have as well."""
    column = f"a{int('1' + path, 2)}"
    if levels == 0:
        return f"{column} < {bound + 5}"
    branches = (f"{column} > {bound} and {_choices(levels - 1, path + bit, bound)}" for bit in "01")
    return "(" + " or ".join(f"({branch})" for branch in branches) + ")"


@pytest.mark.parametrize("levels", range(1, 5))
def test_ands_of_nested_ors_are_not_written_out_without_bound(levels: int) -> None:
    where = " and ".join(_choices(levels, "", bound) for bound in range(6))
    expression = compiled(where).expression
    assert len(expression.nodes) < MAX_WRITTEN_OUT
    first_choices = [f"a{2**level}" for level in range(levels)]
    passing = {column: constant(7) for column in first_choices} | {f"a{2**levels}": constant(3)}
    failing = {f"a{number}": constant(0) for number in range(COLUMNS)}
    assert evaluate(expression, [passing, failing]) == [True, False]


def test_a_long_list_is_not_copied_into_every_choice() -> None:
    members = ", ".join(map(str, range(0, 20_000, 2)))
    choices = " or ".join(f"(a0 > {n} and a1 = {n})" for n in range(60))
    expression = compiled(f"a0 in ({members}) and ({choices})").expression
    values = sum(len(node.values) for node in expression.nodes if isinstance(node, Leaf))
    assert values < 10_000 + MAX_WRITTEN_OUT
