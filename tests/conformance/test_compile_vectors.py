"""Compiles the conditions of compile.json and compares the expressions."""

from typing import Any

import pytest

from pycompiler.compile.compiler.compile import compile_predicate
from pycompiler.compile.sql.from_sql import Dialect, from_sql
from pycompiler.compile.values.types import HiveType

from .vectors import expression_of, load, vector_id, without_reasons


@pytest.mark.parametrize("dialect", Dialect)
@pytest.mark.parametrize("vector", load("compile.json"), ids=vector_id)
def test_a_condition_becomes_the_expression_of_the_vector(vector: dict[str, Any], dialect: Dialect) -> None:
    schema = {name: HiveType.parse(text) for name, text in vector["columns"].items()}
    compiled = compile_predicate(from_sql(vector["where"], schema, dialect=dialect))
    assert without_reasons(compiled.expression) == without_reasons(expression_of(vector["tree"]))
    assert [{"term": unused.term, "reason": unused.reason} for unused in compiled.unused] == vector["unused"]
