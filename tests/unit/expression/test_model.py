import pytest

from pycompiler.expression.evaluator import evaluate
from pycompiler.expression.model import (
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
from pycompiler.values.range_set import EMPTY, FULL, RangeSet
from pycompiler.values.types import HiveType

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
    with pytest.raises(ValueError, match="subtrees precede|trees instead of one"):
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


@pytest.mark.parametrize(
    ("column", "read_as", "ranges"),
    [
        ("", "int", FULL),
        ("a", "int", RangeSet.point(b"\x01")),
        ("a", "boolean", RangeSet.below(b"\x02", included=True)),
        ("a", "binary", FULL),
    ],
)
def test_ranges_have_a_column_and_values_of_its_type(column: str, read_as: str, ranges: RangeSet) -> None:
    with pytest.raises(ValueError, match=r"RANGES|range"):
        Ranges(column, HiveType.parse(read_as), ranges)


@pytest.mark.parametrize("read_as", ["double", "int"])
def test_there_may_be_no_ranges_for_nan_or_what_no_column_has(read_as: str) -> None:
    assert Ranges("a", HiveType.parse(read_as), EMPTY).ranges.is_empty


@pytest.mark.parametrize(
    ("operator", "column", "read_as", "other_column", "other_type"),
    [
        (Operator.EQ, "a", "int", "b", "int"),
        (Operator.LT_COLUMN, "", "int", "b", "int"),
        (Operator.LT_COLUMN, "a", "int", "", "int"),
        (Operator.EQ_COLUMN, "a", "int", "b", "double"),
        (Operator.EQ_COLUMN, "a", "binary", "b", "binary"),
    ],
)
def test_a_pair_has_two_columns_of_one_encoding(
    operator: Operator, column: str, read_as: str, other_column: str, other_type: str
) -> None:
    with pytest.raises(ValueError, match=operator.name):
        ColumnPair(operator, column, HiveType.parse(read_as), other_column, HiveType.parse(other_type))


@pytest.mark.parametrize(
    ("index", "outcomes", "columns"),
    [(-1, 1, ["a"]), (0, 0, ["a"]), (0, 8, ["a"]), (0, 1, []), (0, 1, [""]), (0, 1, ["a", "a"])],
)
def test_a_term_has_an_index_outcomes_and_columns(index: int, outcomes: int, columns: list[str]) -> None:
    with pytest.raises(ValueError, match="term"):
        HiveTerm(index, outcomes, tuple((name, INT) for name in columns))


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
