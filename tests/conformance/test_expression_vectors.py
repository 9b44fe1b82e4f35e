"""Python's codec and its text against expression.json."""

from typing import Any

import pytest

from pycompiler.expression.render import to_text
from pycompiler.wire.expression import ExpressionFormatError, from_bytes, to_bytes

from .expression_tree import tree_of
from .vectors import expression_of, load, vector_id, without_reasons

VECTORS = load("expression.json")
READABLE = [vector for vector in VECTORS if "tree" in vector]
CANONICAL = [vector for vector in READABLE if vector["canonical"]]
REFUSED = [vector for vector in VECTORS if "error" in vector]


def test_there_are_vectors_of_each_kind() -> None:
    assert CANONICAL
    assert len(READABLE) > len(CANONICAL)
    assert REFUSED
    assert len(READABLE) + len(REFUSED) == len(VECTORS)


@pytest.mark.parametrize("vector", READABLE, ids=vector_id)
def test_bytes_are_read_as_the_tree_of_the_vector(vector: dict[str, Any]) -> None:
    expected = expression_of(vector["tree"], bytes.fromhex(vector["fingerprint"]))
    read = from_bytes(bytes.fromhex(vector["bytes"]))
    if not vector["canonical"]:
        read, expected = without_reasons(read), without_reasons(expected)
    assert read == expected


@pytest.mark.parametrize("vector", CANONICAL, ids=vector_id)
def test_a_tree_is_written_as_the_golden_bytes(vector: dict[str, Any]) -> None:
    expression = expression_of(vector["tree"], bytes.fromhex(vector["fingerprint"]))
    assert to_bytes(expression).hex() == vector["bytes"]


@pytest.mark.parametrize("vector", REFUSED, ids=vector_id)
def test_bytes_are_refused(vector: dict[str, Any]) -> None:
    with pytest.raises(ExpressionFormatError):
        from_bytes(bytes.fromhex(vector["bytes"]))
        pytest.fail(f"should be refused: {vector['error']}")


@pytest.mark.parametrize("vector", READABLE, ids=vector_id)
def test_an_expression_is_written_as_a_tree_that_is_read_as_the_same(vector: dict[str, Any]) -> None:
    expression = expression_of(vector["tree"])
    assert expression_of(tree_of(expression)) == expression


@pytest.mark.parametrize("vector", load("expression.json", "texts"), ids=lambda vector: str(vector["text"]))
def test_an_expression_is_shown_as_a_condition(vector: dict[str, Any]) -> None:
    assert to_text(expression_of(vector["tree"])) == vector["text"]
