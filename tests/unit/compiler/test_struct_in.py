from itertools import product
from typing import Any

import pytest

from pycompiler.compiler.compile import compile_predicate
from pycompiler.expression.evaluator import evaluate
from pycompiler.expression.model import Unknown
from pycompiler.expression.render import to_text
from pycompiler.predicate.model import Call, Column, In, Literal, Not, Operand, Predicate
from pycompiler.values.types import HiveType
from tests.contents import one_row

INT, STRING = HiveType.parse("int"), HiveType.parse("string")
STRUCT = HiveType.parse("struct<col1:int,col2:string>")
A, B = Column("a", INT), Column("b", STRING)


def struct(*fields: Operand) -> Call:
    return Call("struct", STRUCT, fields)


def constant(number: int | None, text: str | None) -> Call:
    return struct(Literal(INT, number), Literal(STRING, text))


def keeps(predicate: Predicate, **row: Any) -> bool:
    """Whether a file of this one row is kept."""
    file = {column.name: one_row(column.type, row[column.name]) for column in (A, B)}
    return evaluate(compile_predicate(predicate).expression, [file])[0]


def test_a_tuple_is_found_by_all_of_its_fields() -> None:
    found = In(struct(A, B), (constant(1, "x"), constant(2, "y")))
    assert to_text(compile_predicate(found).expression) == "(a = 1 and b = 'x') or (a = 2 and b = 'y')"
    for a, b in product((None, 1, 2, 3), (None, "x", "y", "z")):
        assert keeps(found, a=a, b=b) is ((a, b) in {(1, "x"), (2, "y")})


def test_null_is_equal_to_null() -> None:
    found = In(struct(A, B), (constant(1, None),))
    assert keeps(found, a=1, b=None)
    assert not keeps(found, a=None, b=None)


def test_of_many_tuples_the_values_of_each_field_are_left() -> None:
    members = tuple(constant(number, f"t{number}") for number in range(1000))
    found = In(struct(A, B), (*members, constant(None, "n")))
    assert keeps(found, a=5, b="t5")
    assert keeps(found, a=None, b="n")
    assert not keeps(found, a=1000, b="t5")
    assert not keeps(found, a=5, b="x")
    assert len(compile_predicate(found).expression.nodes) < 10


def test_a_field_of_another_type_says_nothing_and_the_others_do() -> None:
    found = In(struct(A, B), (struct(Literal(STRING, "1"), Literal(STRING, "x")),))
    assert to_text(compile_predicate(found).expression) == "b = 'x'"


@pytest.mark.parametrize(
    "predicate",
    [
        Not(In(struct(A, B), (constant(1, "x"),))),
        In(struct(A, B), (struct(A, Literal(STRING, "x")),)),
        In(struct(A, B), (struct(Literal(INT, 1)),)),
        In(struct(A, B), (constant(1, "x"), Literal(STRUCT, None))),
        In(struct(A, B), (Column("s", STRUCT),)),
    ],
    ids=str,
)
def test_other_tests_of_structs_say_nothing(predicate: Predicate) -> None:
    assert isinstance(compile_predicate(predicate).expression.root, Unknown)
