import pytest

from pycompiler.compile.predicate.errors import MalformedFilterError
from pycompiler.compile.predicate.model import (
    And,
    Between,
    Column,
    Compare,
    Comparison,
    Constant,
    In,
    IsNull,
    Literal,
    Not,
    Opaque,
    Or,
    Predicate,
)
from pycompiler.compile.values.types import HiveType
from pycompiler.compile.wire.search_argument import from_search_argument
from pycompiler.thrift_gen.ttypes import (
    PredicateLeaf,
    PredicateLeafOperator,
    SearchArgument,
    SearchArgumentNode,
    SearchArgumentOperator,
    TruthValue,
)

from .thrift_filters import argument, equals, integer, leaf, node

INT = HiveType.parse("int")
A = Column("a", INT)
LEAF, NOT, AND, OR, CONSTANT = (
    SearchArgumentOperator.LEAF,
    SearchArgumentOperator.NOT,
    SearchArgumentOperator.AND,
    SearchArgumentOperator.OR,
    SearchArgumentOperator.CONSTANT,
)


def number(value: int | None) -> Literal:
    return Literal(INT, value)


LEAVES: list[tuple[PredicateLeaf, Predicate]] = [
    (equals(1), Compare(Comparison.EQ, A, number(1))),
    (
        leaf(PredicateLeafOperator.NULL_SAFE_EQUALS, one=integer(None)),
        Compare(Comparison.NULL_SAFE_EQ, A, number(None)),
    ),
    (leaf(PredicateLeafOperator.LESS_THAN, one=integer(1)), Compare(Comparison.LT, A, number(1))),
    (leaf(PredicateLeafOperator.LESS_THAN_EQUALS, one=integer(1)), Compare(Comparison.LTEQ, A, number(1))),
    (leaf(PredicateLeafOperator.IN, integer(2), integer(1)), In(A, (number(2), number(1)))),
    (leaf(PredicateLeafOperator.BETWEEN, integer(1), integer(2)), Between(A, number(1), number(2))),
    (leaf(PredicateLeafOperator.IS_NULL), IsNull(A)),
    (leaf(PredicateLeafOperator.IS_NULL, column="A"), IsNull(A)),
]


@pytest.mark.parametrize(("thrift", "expected"), LEAVES)
def test_every_leaf_operator_is_read(thrift: PredicateLeaf, expected: Predicate) -> None:
    assert from_search_argument(argument([thrift])) == expected


def test_the_tree_over_the_leaves_is_read_in_post_order() -> None:
    nodes = [
        node(LEAF, leaf=1),
        node(NOT, 1),
        node(LEAF, leaf=0),
        node(LEAF, leaf=1),
        node(AND, 2),
        node(OR, 2),
    ]
    first, second = Compare(Comparison.EQ, A, number(1)), Compare(Comparison.EQ, A, number(2))
    expected = Or((Not(second), And((first, second))))
    assert from_search_argument(argument([equals(1), equals(2)], nodes)) == expected


@pytest.mark.parametrize(
    ("value", "truth"),
    [(TruthValue.YES, True), (TruthValue.NO, False), (TruthValue.NULL, None)],
)
def test_constants_are_read(value: int, truth: bool | None) -> None:
    assert from_search_argument(argument([], [node(CONSTANT, constant=value)])) == Constant(truth)


@pytest.mark.parametrize(
    "nodes",
    [
        [node(CONSTANT, constant=TruthValue.YES_NO_NULL)],
        [node(CONSTANT, constant=TruthValue.YES_NO)],
        [node(CONSTANT, constant=99)],
        [node(99)],
        [node(LEAF, leaf=0), node(99, 1)],
        [SearchArgumentNode()],
    ],
)
def test_what_is_left_open_or_not_known_is_opaque(nodes: list[SearchArgumentNode]) -> None:
    assert isinstance(from_search_argument(argument([equals(1)], nodes)), Opaque)


def test_an_unknown_leaf_operator_is_opaque() -> None:
    assert isinstance(from_search_argument(argument([leaf(99, one=integer(1))])), Opaque)


@pytest.mark.parametrize("schema", [{}, {"b": INT}, {"a": HiveType.parse("string")}])
def test_a_column_that_the_schema_does_not_bear_out_is_opaque(schema: dict[str, HiveType]) -> None:
    assert isinstance(from_search_argument(argument([equals(1)]), schema), Opaque)


@pytest.mark.parametrize(
    "malformed",
    [
        SearchArgument(),
        argument([equals(1)], []),
        argument([], [node(LEAF, leaf=0)]),
        argument([equals(1)], [node(LEAF, leaf=-1)]),
        argument([equals(1)], [node(LEAF)]),
        argument([equals(1)], [node(LEAF, leaf=0), node(LEAF, leaf=0)]),
        argument([equals(1)], [node(LEAF, leaf=0), node(AND, 2)]),
        argument([equals(1)], [node(LEAF, leaf=0), node(AND, -1)]),
        argument([equals(1)], [node(AND, 0)]),
        argument([equals(1)], [node(LEAF, leaf=0), node(LEAF, leaf=0), node(NOT, 2)]),
        argument([equals(1)], [node(LEAF, leaf=0), node(LEAF, 1, leaf=0)]),
        argument([leaf(PredicateLeafOperator.EQUALS)]),
        argument([leaf(PredicateLeafOperator.IN)]),
        argument([leaf(PredicateLeafOperator.BETWEEN, integer(1))]),
        argument([leaf(PredicateLeafOperator.BETWEEN, integer(1), integer(2), integer(3))]),
        argument([leaf(PredicateLeafOperator.IS_NULL, column="")]),
        argument([leaf(PredicateLeafOperator.IS_NULL, type_name="frobnicate")]),
        argument([PredicateLeaf(operator=PredicateLeafOperator.IS_NULL, column="a")]),
    ],
)
def test_what_is_malformed_is_refused(malformed: SearchArgument) -> None:
    with pytest.raises(MalformedFilterError):
        from_search_argument(malformed)
