"""Short ways to write Thrift filters."""

from collections.abc import Sequence

from pycompiler.thrift_gen.ttypes import (
    FilterNode,
    FilterNodeKind,
    FilterTree,
    Literal,
    LiteralList,
    PredicateLeaf,
    PredicateLeafOperator,
    SearchArgument,
    SearchArgumentNode,
    SearchArgumentOperator,
)


def integer(value: int | None, type_name: str = "int") -> Literal:
    return Literal(type=type_name, integerValue=value)


def leaf(
    operator: int, *literals: Literal, column: str = "a", type_name: str = "int", one: Literal | None = None
) -> PredicateLeaf:
    return PredicateLeaf(
        operator=operator, column=column, type=type_name, literal=one, literalList=list(literals) or None
    )


def equals(value: int, column: str = "a") -> PredicateLeaf:
    return leaf(PredicateLeafOperator.EQUALS, column=column, one=integer(value))


def node(operator: int, arity: int = 0, **fields: int) -> SearchArgumentNode:
    return SearchArgumentNode(operator=operator, arity=arity, **fields)


def argument(
    leaves: Sequence[PredicateLeaf], nodes: Sequence[SearchArgumentNode] | None = None
) -> SearchArgument:
    """A SearchArgument; without nodes, of its one leaf."""
    only = [node(SearchArgumentOperator.LEAF, leaf=0)]
    return SearchArgument(leaves=list(leaves), nodes=list(only if nodes is None else nodes))


def column(name: str = "a", type_name: str = "int") -> FilterNode:
    return FilterNode(kind=FilterNodeKind.COLUMN, name=name, type=type_name)


def constant(literal: Literal) -> FilterNode:
    return FilterNode(kind=FilterNodeKind.LITERAL, type=literal.type, literal=literal)


def packed(literals: LiteralList | None, arity: int = 0) -> FilterNode:
    return FilterNode(kind=FilterNodeKind.LITERAL_LIST, arity=arity, literals=literals)


def call(name: str, arity: int, type_name: str = "boolean") -> FilterNode:
    return FilterNode(kind=FilterNodeKind.FUNCTION, name=name, arity=arity, type=type_name)


def tree(*nodes: FilterNode) -> FilterTree:
    return FilterTree(nodes=list(nodes))
