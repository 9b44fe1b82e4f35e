"""The short form of the members of an IN."""

import pytest

from pycompiler.compile.predicate.errors import MalformedFilterError
from pycompiler.compile.predicate.model import Column, In, Literal, LiteralValue
from pycompiler.compile.predicate.text import describe
from pycompiler.compile.values.types import HiveType
from pycompiler.compile.wire.filter_tree import from_filter_tree
from pycompiler.compile.wire.search_argument import from_search_argument
from pycompiler.thrift_gen.ttypes import (
    FilterNode,
    FilterNodeKind,
    FilterTree,
    LiteralList,
    PredicateLeaf,
    PredicateLeafOperator,
)

from .thrift_filters import argument, call, column, constant, integer, packed, tree

INT = HiveType.parse("int")
NUMBERS = LiteralList(type="int", integerValues=[3, 1])
VALUES: list[tuple[LiteralList, tuple[LiteralValue, ...]]] = [
    (NUMBERS, (3, 1)),
    (LiteralList(type="bigint", integerValues=[-(2**63)]), (-(2**63),)),
    (LiteralList(type="double", doubleValues=[-0.5, 0.0]), (-0.5, 0.0)),
    (LiteralList(type="varchar(5)", stringValues=[b"", "\U0001f600".encode()]), ("", "\U0001f600")),
    (LiteralList(type="date", dateValues=[-719_162, 0]), (-719_162, 0)),
]


def packed_leaf(
    literals: LiteralList, operator: int = PredicateLeafOperator.IN, **fields: object
) -> PredicateLeaf:
    return PredicateLeaf(operator=operator, column="a", type=literals.type, packedLiterals=literals, **fields)


def members_of(thrift: FilterTree) -> list[object]:
    predicate = from_filter_tree(thrift)
    assert isinstance(predicate, In), predicate
    return list(predicate.members)


@pytest.mark.parametrize(("thrift", "values"), VALUES)
def test_a_list_of_each_type_is_read_exactly(thrift: LiteralList, values: tuple[LiteralValue, ...]) -> None:
    expected = [Literal(HiveType.parse(thrift.type), value) for value in values]
    assert members_of(tree(column("a", thrift.type), packed(thrift), call("in", 2))) == expected
    leaf = from_search_argument(argument([packed_leaf(thrift)]))
    assert isinstance(leaf, In)
    assert list(leaf.members) == expected


def test_lists_stand_among_other_members_in_order() -> None:
    thrift = tree(
        column(), packed(NUMBERS), constant(integer(None)), column("b"), packed(NUMBERS), call("in", 5)
    )
    three, one = Literal(INT, 3), Literal(INT, 1)
    assert members_of(thrift) == [three, one, Literal(INT, None), Column("b", INT), three, one]


def test_an_in_of_a_list_is_described_as_one_of_literals() -> None:
    numbers = LiteralList(type="int", integerValues=list(range(7)))
    predicate = from_filter_tree(tree(column(), packed(numbers), call("in", 2)))
    assert describe(predicate) == "a in (0, 1, 2, 3, 4, … 2 more)"


MALFORMED_LISTS = [
    None,
    LiteralList(),
    LiteralList(type="int"),
    LiteralList(type="int", integerValues=[]),
    LiteralList(integerValues=[1]),
    LiteralList(type="frobnicate", integerValues=[1]),
    LiteralList(type="int", doubleValues=[1.0]),
    LiteralList(type="date", integerValues=[1]),
    LiteralList(type="int", integerValues=[1], dateValues=[1]),
    LiteralList(type="decimal(5,2)", integerValues=[1]),
    LiteralList(type="timestamp", integerValues=[1]),
    LiteralList(type="binary", stringValues=[b"a"]),
    LiteralList(type="string", stringValues=[b"a", b"\xff"]),
]
FIELD = FilterNode(kind=FilterNodeKind.FIELD, name="f", arity=1, type="int")


@pytest.mark.parametrize(
    "nodes",
    [
        *([column(), packed(thrift), call("in", 2)] for thrift in MALFORMED_LISTS),
        # A list is nothing but members of an IN. Above all it must not be taken for one member, or for none.
        [packed(NUMBERS)],
        [packed(NUMBERS), constant(integer(1)), call("in", 2)],
        [column(), packed(NUMBERS), call("=", 2)],
        [column(), constant(integer(1)), packed(NUMBERS), call("between", 3)],
        [packed(NUMBERS), call("not", 1)],
        [packed(NUMBERS), FIELD, call("isnull", 1)],
        [column(), packed(NUMBERS, arity=1), call("in", 1)],
    ],
)
def test_a_malformed_or_misplaced_list_is_refused(nodes: list[FilterNode]) -> None:
    with pytest.raises(MalformedFilterError):
        from_filter_tree(tree(*nodes))


@pytest.mark.parametrize(
    "leaf",
    [
        packed_leaf(NUMBERS, literalList=[integer(1)]),
        packed_leaf(LiteralList(type="int")),
        packed_leaf(NUMBERS, PredicateLeafOperator.BETWEEN),
        packed_leaf(NUMBERS, PredicateLeafOperator.EQUALS),
    ],
)
def test_a_leaf_with_another_list_than_it_should_have_is_refused(leaf: PredicateLeaf) -> None:
    with pytest.raises(MalformedFilterError):
        from_search_argument(argument([leaf]))
