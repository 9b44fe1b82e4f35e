"""What is compiled from the short form of a list is what is compiled from its literals."""

import math

import pytest

from pycompiler.compile.compiler.compile import compile_predicate
from pycompiler.compile.expression.render import to_text
from pycompiler.compile.predicate.model import (
    Call,
    Column,
    In,
    Literal,
    LiteralList,
    LiteralValue,
    Not,
    Operand,
)
from pycompiler.compile.values.types import HiveType

LISTS: list[tuple[str, str, tuple[LiteralValue, ...]]] = [
    ("int", "int", (3, 1, 3, 2)),
    ("bigint", "int", (3, -1)),
    ("tinyint", "int", (3, 1_000)),
    ("decimal(10,2)", "int", (3, 1)),
    ("double", "int", (3, 1)),
    ("float", "double", (0.1, 0.5)),
    ("double", "double", (0.0, -0.0, 1.5, math.nan, math.inf)),
    ("string", "string", ("b", "a", "\ue000", "")),
    ("string", "int", (3, 1)),
    ("varchar(2)", "string", ("b ", "abc")),
    ("char(3)", "string", ("b", "ab ")),
    ("date", "date", (18_690, -141_432)),
    ("timestamp", "date", (18_690, 0)),
    ("date", "string", ("2021-03-04", "2021-03-05")),
    ("int", "string", ("3", "1")),
]


def as_text(value: Operand, members: tuple[Operand, ...] | LiteralList, *, negated: bool) -> str:
    test = In(value, members, node_index=7)
    compiled = compile_predicate(Not(test) if negated else test)
    return f"{to_text(compiled.expression)} {compiled.unused}"


@pytest.mark.parametrize("negated", [False, True])
@pytest.mark.parametrize(("tested", "type_name", "values"), LISTS)
def test_a_list_means_what_its_literals_mean(
    tested: str, type_name: str, values: tuple[LiteralValue, ...], negated: bool
) -> None:
    hive_type = HiveType.parse(type_name)
    literals = tuple(Literal(hive_type, value) for value in values)
    column = Column("c", HiveType.parse(tested))
    for value in (column, Call("upper", HiveType.parse("string"), (column,)), Literal(hive_type, values[0])):
        one_by_one = as_text(value, literals, negated=negated)
        assert as_text(value, LiteralList(hive_type, values), negated=negated) == one_by_one, value


def test_a_list_in_two_readings_of_a_filter_stands_once() -> None:
    column, hive_type = Column("c", HiveType.parse("int")), HiveType.parse("int")
    test = In(column, LiteralList(hive_type, (3, 1)))
    compiled = compile_predicate(test, also=[test, Not(test)])
    assert to_text(compiled.expression) == "none", "c cannot be in the list and not in it"
    assert to_text(compile_predicate(test, also=[test]).expression) == "c in (1, 3)"
