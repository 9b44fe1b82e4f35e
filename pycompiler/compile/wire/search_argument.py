"""Reads Hive's SearchArgument into the predicate tree."""

from typing import Final

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
    Not,
    Opaque,
    Or,
    Predicate,
)
from pycompiler.compile.predicate.schema import Schema, check_column
from pycompiler.compile.wire.literals import LiteralReader, read_type
from pycompiler.compile.wire.post_order import fold
from pycompiler.thrift_gen import ttypes
from pycompiler.thrift_gen.ttypes import PredicateLeafOperator, SearchArgumentOperator, TruthValue

_COMPARISONS: Final = {
    PredicateLeafOperator.EQUALS: Comparison.EQ,
    PredicateLeafOperator.NULL_SAFE_EQUALS: Comparison.NULL_SAFE_EQ,
    PredicateLeafOperator.LESS_THAN: Comparison.LT,
    PredicateLeafOperator.LESS_THAN_EQUALS: Comparison.LTEQ,
}
_CONSTANTS: Final = {
    TruthValue.YES: Constant(True),
    TruthValue.NO: Constant(False),
    TruthValue.NULL: Constant(None),
}


def from_search_argument(argument: ttypes.SearchArgument, schema: Schema | None = None) -> Predicate:
    """Reads a SearchArgument.

    Unknown operators, and columns that do not match the schema (None: any match), become `Opaque`.

    Raises:
        MalformedFilterError: The nodes are not one well-formed tree.
        FilterTooLargeError: The tree exceeds a limit.
    """
    literals = LiteralReader()
    leaves = [_leaf(leaf, schema, literals) for leaf in argument.leaves or []]
    nodes = argument.nodes or []

    def build(index: int, terms: list[Predicate]) -> Predicate:
        return _node(nodes[index], terms, leaves)

    return fold([node.arity or 0 for node in nodes], build)


def _node(node: ttypes.SearchArgumentNode, terms: list[Predicate], leaves: list[Predicate]) -> Predicate:
    match node.operator, terms:
        case SearchArgumentOperator.AND, [_, *_]:
            return And(tuple(terms))
        case SearchArgumentOperator.OR, [_, *_]:
            return Or(tuple(terms))
        case SearchArgumentOperator.NOT, [term]:
            return Not(term)
        case SearchArgumentOperator.LEAF, []:
            if node.leaf is None or not 0 <= node.leaf < len(leaves):
                raise MalformedFilterError(f"leaf {node.leaf} does not exist: there are {len(leaves)} leaves")
            return leaves[int(node.leaf)]
        case SearchArgumentOperator.CONSTANT, []:
            return _CONSTANTS.get(node.constant) or Opaque("?", "not part of Hive's SearchArgument")
        case operator, _ if operator in SearchArgumentOperator._VALUES_TO_NAMES:
            name = SearchArgumentOperator._VALUES_TO_NAMES[operator]
            raise MalformedFilterError(f"{name} with {len(terms)} children")
    return Opaque("?", f"unknown SearchArgument operator {node.operator}")


def _leaf(leaf: ttypes.PredicateLeaf, schema: Schema | None, literals: LiteralReader) -> Predicate:
    if not leaf.column:
        raise MalformedFilterError("a leaf without a column")
    column = check_column(Column(leaf.column.lower(), read_type(leaf.type)), schema)
    if isinstance(column, Opaque):
        return column
    comparison = _COMPARISONS.get(leaf.operator)
    if comparison is not None:
        return Compare(comparison, column, literals.read(leaf.literal))
    match leaf.operator:
        case PredicateLeafOperator.IS_NULL:
            return IsNull(column)
        case PredicateLeafOperator.IN:
            if leaf.packedLiterals is not None and leaf.literalList is None:
                return In(column, literals.read_packed(leaf.packedLiterals))
            values = literals.read_list(leaf.literalList)
            if not values or leaf.packedLiterals is not None:
                raise MalformedFilterError(f"IN on {column.name} has no values, or two lists of values")
            return In(column, values)
        case PredicateLeafOperator.BETWEEN:
            ends = literals.read_list(leaf.literalList)
            if len(ends) != 2:
                raise MalformedFilterError(f"BETWEEN on {column.name} with {len(ends)} ends")
            return Between(column, *ends)
    return Opaque(column.name, f"unknown predicate leaf operator {leaf.operator}")
