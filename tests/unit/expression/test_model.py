from __future__ import annotations

import pytest

from pycompiler.expression.evaluator import evaluate
from pycompiler.expression.model import (
    Group,
    HudiExpression,
    Leaf,
    MalformedExpressionError,
    Never,
    Node,
    Operator,
    Unknown,
    group,
)
from pycompiler.types import HiveType

INT = HiveType.parse("int")
ONE, TWO = bytes(7) + b"\x01", bytes(7) + b"\x02"


@pytest.mark.parametrize(
    "nodes",
    [
        (),
        (Never(), Never()),
        (Group(Operator.AND, 1),),
        (Never(), Group(Operator.AND, 2)),
        (Never(), Never(), Group(Operator.OR, 1)),
    ],
)
def test_what_is_not_one_tree_is_refused(nodes: tuple[Node, ...]) -> None:
    with pytest.raises(MalformedExpressionError):
        HudiExpression(nodes)


@pytest.mark.parametrize(
    ("operator", "values"),
    [
        (Operator.EQ, ()),
        (Operator.EQ, (ONE, TWO)),
        (Operator.IN, ()),
        (Operator.IN, (TWO, ONE)),
        (Operator.NOT_IN, (ONE, ONE)),
        (Operator.IS_NULL, (ONE,)),
        (Operator.EQ, (b"\x01",)),
        (Operator.AND, ()),
        (Operator.NEVER, ()),
    ],
)
def test_a_leaf_has_the_values_that_its_operator_takes(operator: Operator, values: tuple[bytes, ...]) -> None:
    with pytest.raises(ValueError, match=operator.name):
        Leaf(operator, "a", INT, values)


@pytest.mark.parametrize(("operator", "arity"), [(Operator.AND, 0), (Operator.OR, -1), (Operator.EQ, 1)])
def test_a_group_has_children(operator: Operator, arity: int) -> None:
    with pytest.raises(ValueError, match="not a group"):
        Group(operator, arity)


def test_an_expression_knows_its_columns() -> None:
    leaves = [(Leaf(Operator.IS_NULL, name, INT),) for name in ("b", "a", "b")]
    expression = HudiExpression(group(Operator.OR, [*leaves, (Unknown("why"),)]))
    assert expression.columns() == {"a", "b"}
    assert [leaf.column for leaf in expression.leaves()] == ["b", "a", "b"]
    assert expression.root == Group(Operator.OR, 4)


def test_deep_expressions_are_evaluated_compared_and_hashed() -> None:
    nodes: list[Node] = [Leaf(Operator.IS_NULL, "a", INT)]
    for level in range(50_000):
        nodes += [
            Never() if level % 2 else Unknown("why"),
            Group(Operator.OR if level % 2 else Operator.AND, 2),
        ]
    expression, same = HudiExpression(tuple(nodes)), HudiExpression(tuple(nodes))
    assert evaluate(expression, [{}, {}]) == [True, True]
    assert expression == same
    assert hash(expression) == hash(same)
