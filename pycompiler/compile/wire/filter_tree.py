"""Reads Hive's typed filter tree (`ExprNodeDesc`) into the predicate tree."""

from typing import Final, TypeAlias

from pycompiler.compile.predicate import build
from pycompiler.compile.predicate.errors import MalformedFilterError
from pycompiler.compile.predicate.model import (
    And,
    Between,
    Call,
    Column,
    Comparison,
    In,
    LiteralList,
    Not,
    Opaque,
    Operand,
    Or,
    Predicate,
)
from pycompiler.compile.predicate.schema import Schema, check_column
from pycompiler.compile.predicate.text import describe, shorten
from pycompiler.compile.wire.literals import LiteralReader, read_type
from pycompiler.compile.wire.post_order import fold
from pycompiler.thrift_gen import ttypes
from pycompiler.thrift_gen.ttypes import FilterNodeKind

_COMPARISONS: Final = {operator.value: operator for operator in Comparison}
_FIXED_ARITIES: Final = {
    **dict.fromkeys(_COMPARISONS, 2),
    "not": 1,
    "between": 3,
    "isnull": 1,
    "isnotnull": 1,
    "cast": 1,
}
_LEAST_ARITIES: Final = {"and": 1, "or": 1, "in": 2}
_Part: TypeAlias = Operand | LiteralList
"""What a node stands for; a LITERAL_LIST stands for several operands."""


def from_filter_tree(tree: ttypes.FilterTree, schema: Schema | None = None) -> Predicate:
    """Reads a typed filter tree.

    Unknown kinds of nodes, and columns that do not match the schema (None: any match), become `Opaque`.

    Raises:
        MalformedFilterError: The nodes are not one well-formed tree.
        FilterTooLargeError: The tree exceeds a limit.
    """
    literals = LiteralReader()
    nodes = tree.nodes or []

    def read(index: int, children: list[_Part]) -> _Part:
        return _node(nodes[index], index, children, schema, literals)

    (root,) = _operands([fold([node.arity or 0 for node in nodes], read)])
    return build.condition(root)


def _node(
    node: ttypes.FilterNode,
    index: int,
    children: list[_Part],
    schema: Schema | None,
    literals: LiteralReader,
) -> _Part:
    match node.kind:
        # First, because lists have thousands of literals.
        case FilterNodeKind.LITERAL if not children:
            return literals.read(node.literal)
        case FilterNodeKind.LITERAL_LIST if not children:
            return literals.read_packed(node.literals)
        case FilterNodeKind.COLUMN if not children:
            return check_column(Column(_name(node), read_type(node.type)), schema)
        case FilterNodeKind.FIELD if len(children) == 1:
            return _field(node, _operands(children)[0], schema)
        case FilterNodeKind.FUNCTION:
            return _function(node, index, children, literals)
        case FilterNodeKind.OPAQUE:
            return Opaque("?", shorten(node.name or "not supported on the Hive side"))
        case kind if kind in FilterNodeKind._VALUES_TO_NAMES:
            name = FilterNodeKind._VALUES_TO_NAMES[kind]
            raise MalformedFilterError(f"{name} with {len(children)} children")
    return Opaque("?", f"unknown kind of filter node {node.kind}")


def _operands(parts: list[_Part]) -> list[Operand]:
    operands = [part for part in parts if not isinstance(part, LiteralList)]
    if len(operands) < len(parts):
        raise MalformedFilterError("a list of literals outside an IN")
    return operands


def _members(parts: list[_Part], literals: LiteralReader) -> tuple[Operand, ...] | LiteralList:
    literals.check_members(sum(len(part) if isinstance(part, LiteralList) else 1 for part in parts))
    match parts:
        case [LiteralList() as only]:
            return only
    return tuple(
        operand for part in parts for operand in (part if isinstance(part, LiteralList) else (part,))
    )


def _name(node: ttypes.FilterNode) -> str:
    if not node.name:
        raise MalformedFilterError("a column, field or function without a name")
    return str(node.name).lower()


def _field(node: ttypes.FilterNode, parent: Operand, schema: Schema | None) -> Operand:
    name = _name(node)
    if isinstance(parent, Column):
        return check_column(Column(f"{parent.name}.{name}", read_type(node.type)), schema)
    return Opaque(f"{describe(parent)}.{name}", "a field of an expression that is not a column")


def _function(node: ttypes.FilterNode, index: int, children: list[_Part], literals: LiteralReader) -> Operand:
    name = _name(node)
    if len(children) != _FIXED_ARITIES.get(name, len(children)) or len(children) < _LEAST_ARITIES.get(
        name, 0
    ):
        raise MalformedFilterError(f"{name} with {len(children)} arguments")
    if name == "in":
        (value,) = _operands(children[:1])
        return In(value, _members(children[1:], literals), index)
    operands = _operands(children)
    match name, operands:
        case "and", _:
            return And(tuple(map(build.condition, operands)))
        case "or", _:
            return Or(tuple(map(build.condition, operands)))
        case "not", [term]:
            return Not(build.condition(term))
        case "between", [value, low, high]:
            return Between(value, low, high, index)
        case "isnull", [value]:
            return build.null_test(value, index)
        case "isnotnull", [value]:
            return Not(build.null_test(value))
        case _, [left, right] if name in _COMPARISONS:
            return build.comparison(_COMPARISONS[name], left, right, index)
    return Call(name, read_type(node.type), tuple(operands), index)
