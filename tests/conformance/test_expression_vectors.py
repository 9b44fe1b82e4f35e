"""Python's encoder and its text against expression.json. Only Java reads the bytes."""

from typing import Any

import pytest

from pycompiler.compile.expression.render import to_text
from pycompiler.compile.wire.expression import to_bytes

from .expression_tree import tree_of
from .vectors import expression_of, load, vector_id

VECTORS = load("expression.json")
READABLE = [vector for vector in VECTORS if "tree" in vector]
CANONICAL = [vector for vector in READABLE if vector["canonical"]]


def test_there_are_vectors_of_each_kind() -> None:
    assert CANONICAL
    assert len(READABLE) > len(CANONICAL)
    assert len(VECTORS) > len(READABLE)


@pytest.mark.parametrize("vector", CANONICAL, ids=vector_id)
def test_a_tree_is_written_as_the_golden_bytes(vector: dict[str, Any]) -> None:
    expression = expression_of(vector["tree"], bytes.fromhex(vector["fingerprint"]))
    assert to_bytes(expression).hex() == vector["bytes"]


@pytest.mark.parametrize("vector", READABLE, ids=vector_id)
def test_an_expression_is_written_as_a_tree_that_is_read_as_the_same(vector: dict[str, Any]) -> None:
    expression = expression_of(vector["tree"])
    assert expression_of(tree_of(expression)) == expression


@pytest.mark.parametrize("vector", load("expression.json", "texts"), ids=lambda vector: str(vector["text"]))
def test_an_expression_is_shown_as_a_condition(vector: dict[str, Any]) -> None:
    assert to_text(expression_of(vector["tree"])) == vector["text"]
