from itertools import product
from typing import Any

import pytest

from pycompiler.compile.compiler.compile import compile_predicate
from pycompiler.compile.expression.evaluator import evaluate
from pycompiler.compile.expression.model import HudiExpression, Unknown
from pycompiler.compile.expression.render import to_text
from pycompiler.compile.predicate.model import Call, Column, In, Literal
from pycompiler.compile.sql.from_sql import from_sql
from pycompiler.compile.values.types import HiveType
from tests.contents import one_row

STRUCT = HiveType.parse("struct<col1:int,col2:string>")
SCHEMA = {"a": HiveType("int"), "b": HiveType("string"), "s": STRUCT}


def compiled(where: str) -> HudiExpression:
    return compile_predicate(from_sql(where, SCHEMA)).expression


def keeps(expression: HudiExpression, **row: Any) -> bool:
    """Whether a file of this one row is kept."""
    return evaluate(expression, [{name: one_row(SCHEMA[name], value) for name, value in row.items()}])[0]


def test_a_tuple_is_found_by_all_of_its_fields() -> None:
    found = compiled("(a, b) in ((1, 'x'), (2, 'y'))")
    assert to_text(found) == "(a = 1 and b = 'x') or (a = 2 and b = 'y')"
    for a, b in product((None, 1, 2, 3), (None, "x", "y", "z")):
        assert keeps(found, a=a, b=b) is ((a, b) in {(1, "x"), (2, "y")})


def test_null_is_equal_to_null() -> None:
    found = compiled("(a, b) in ((1, null))")
    assert keeps(found, a=1, b=None)
    assert not keeps(found, a=None, b=None)


def test_of_many_tuples_the_values_of_each_field_are_left() -> None:
    members = ", ".join(f"({number}, 't{number}')" for number in range(1000))
    found = compiled(f"(a, b) in ({members}, (null, 'n'))")
    assert keeps(found, a=5, b="t5")
    assert keeps(found, a=None, b="n")
    assert not keeps(found, a=1000, b="t5")
    assert not keeps(found, a=5, b="x")
    assert len(found.nodes) < 10


def test_a_field_of_another_type_says_nothing_and_the_others_do() -> None:
    assert to_text(compiled("(a, b) in ((true, 'x'))")) == "b = 'x'"


@pytest.mark.parametrize(
    "where", ["not ((a, b) in ((1, 'x')))", "(a, b) in ((a, 'x'))", "(a, b) in (struct(1))", "(a, b) in (s)"]
)
def test_other_tests_of_structs_say_nothing(where: str) -> None:
    assert isinstance(compiled(where).root, Unknown)


def test_a_null_among_the_structs_says_nothing() -> None:
    fields = (Column("a", SCHEMA["a"]), Column("b", SCHEMA["b"]))
    constant = (Literal(SCHEMA["a"], 1), Literal(SCHEMA["b"], "x"))
    members = (Call("struct", STRUCT, constant), Literal(STRUCT, None))
    found = compile_predicate(In(Call("struct", STRUCT, fields), members))
    assert isinstance(found.expression.root, Unknown)
