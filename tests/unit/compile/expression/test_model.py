from collections.abc import Callable

import pytest

from pycompiler.compile.expression.evaluator import evaluate
from pycompiler.compile.expression.model import (
    ColumnDifference,
    ColumnPair,
    Group,
    HiveTerm,
    HudiExpression,
    Leaf,
    Never,
    Node,
    Operator,
    Ranges,
    Unknown,
    group,
)
from pycompiler.compile.values.range_set import EMPTY, FULL, RangeSet
from pycompiler.compile.values.types import HiveType

INT, BINARY = HiveType("int"), HiveType("binary")
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
    with pytest.raises(ValueError, match="subtrees precede|trees instead of one"):
        HudiExpression(nodes)


@pytest.mark.parametrize(
    ("message", "make", "arguments"),
    [
        ("EQ", Leaf, (Operator.EQ, "a", INT)),
        ("EQ", Leaf, (Operator.EQ, "a", INT, (ONE, TWO))),
        ("EQ", Leaf, (Operator.EQ, "a", INT, (b"\x01",))),
        ("IN", Leaf, (Operator.IN, "a", INT)),
        ("IN", Leaf, (Operator.IN, "a", INT, (TWO, ONE))),
        ("NOT_IN", Leaf, (Operator.NOT_IN, "a", INT, (ONE, ONE))),
        ("IS_NULL", Leaf, (Operator.IS_NULL, "a", INT, (ONE,))),
        ("AND", Leaf, (Operator.AND, "a", INT)),
        ("NEVER", Leaf, (Operator.NEVER, "a", INT)),
        ("not a group", Group, (Operator.AND, 0)),
        ("not a group", Group, (Operator.OR, -1)),
        ("not a group", Group, (Operator.EQ, 1)),
        ("RANGES", Ranges, ("", INT, FULL)),
        ("range", Ranges, ("a", INT, RangeSet.point(b"\x01"))),
        ("range", Ranges, ("a", HiveType("boolean"), RangeSet.below(b"\x02", included=True))),
        ("RANGES", Ranges, ("a", BINARY, FULL)),
        ("EQ", ColumnPair, (Operator.EQ, "a", INT, "b", INT)),
        ("two columns", ColumnDifference, ("a", INT, "", INT, FULL)),
        ("subtract date from int", ColumnDifference, ("a", INT, "b", HiveType("date"), FULL)),
        ("subtract timestamp from int", ColumnDifference, ("a", INT, "b", HiveType("timestamp"), FULL)),
        ("subtract int from date", ColumnDifference, ("a", HiveType("date"), "b", INT, FULL)),
        ("subtract double", ColumnDifference, ("a", HiveType("double"), "b", HiveType("double"), FULL)),
        ("not an encoded bigint", ColumnDifference, ("a", INT, "b", INT, RangeSet.point(b"\x01"))),
        ("LT_COLUMN", ColumnPair, (Operator.LT_COLUMN, "", INT, "b", INT)),
        ("LT_COLUMN", ColumnPair, (Operator.LT_COLUMN, "a", INT, "", INT)),
        ("EQ_COLUMN", ColumnPair, (Operator.EQ_COLUMN, "a", INT, "b", HiveType("double"))),
        ("EQ_COLUMN", ColumnPair, (Operator.EQ_COLUMN, "a", BINARY, "b", BINARY)),
        ("term", HiveTerm, (-1, 1, (("a", INT),))),
        ("term", HiveTerm, (0, 0, (("a", INT),))),
        ("term", HiveTerm, (0, 8, (("a", INT),))),
        ("term", HiveTerm, (0, 1, ())),
        ("term", HiveTerm, (0, 1, (("", INT),))),
        ("term", HiveTerm, (0, 1, (("a", INT), ("a", INT)))),
    ],
)
def test_a_malformed_node_is_refused(
    message: str, make: Callable[..., Node], arguments: tuple[object, ...]
) -> None:
    with pytest.raises(ValueError, match=message):
        make(*arguments)


@pytest.mark.parametrize("read_as", ["double", "int"])
def test_a_set_of_ranges_may_be_empty(read_as: str) -> None:
    assert Ranges("a", HiveType.parse(read_as), EMPTY).ranges.is_empty


def test_an_expression_knows_its_columns() -> None:
    leaves: list[Node] = [
        Leaf(Operator.IS_NULL, "b", INT),
        Ranges("a", INT, FULL),
        ColumnPair(Operator.LT_COLUMN, "c", INT, "b", INT),
        HiveTerm(0, 1, (("e", INT), ("d", INT))),
    ]
    expression = HudiExpression(group(Operator.OR, [*((leaf,) for leaf in leaves), (Unknown("why"),)]))
    assert expression.columns() == {"a", "b", "c", "d", "e"}
    assert list(expression.leaves()) == leaves
    assert expression.root == Group(Operator.OR, 5)


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
