"""Encodes a HudiExpression as a Thrift struct in the compact protocol, and decodes it.

Equal expressions have equal bytes: a field is written only if the node uses it.
"""

from typing import Final

from thrift.protocol.TCompactProtocol import TCompactProtocol, TCompactProtocolAccelerated
from thrift.Thrift import TException
from thrift.transport.TTransport import TMemoryBuffer

from pycompiler.expression.model import (
    FORMAT_VERSION,
    GROUPS,
    PAIRS,
    ColumnPair,
    Group,
    HiveTerm,
    HudiExpression,
    KindQuestion,
    Leaf,
    Never,
    Node,
    Operator,
    Ranges,
    Unknown,
)
from pycompiler.expression.range_list import from_lists, to_lists
from pycompiler.thrift_gen import ttypes
from pycompiler.values.types import HiveType, UnknownTypeError

_OPERATORS: Final = frozenset(int(operator) for operator in Operator)


class ExpressionFormatError(ValueError):
    """This version cannot read the bytes as a HudiExpression, so every file must be kept."""


def to_bytes(expression: HudiExpression) -> bytes:
    """Encodes an expression."""
    struct = ttypes.HudiExpression(
        formatVersion=FORMAT_VERSION,
        minReaderVersion=FORMAT_VERSION,
        fingerprint=expression.fingerprint or None,
        nodes=[_write_node(node) for node in expression.nodes],
    )
    buffer = TMemoryBuffer()
    struct.write(TCompactProtocolAccelerated(buffer))
    return bytes(buffer.getvalue())


def from_bytes(data: bytes) -> HudiExpression:
    """Decodes an expression.

    A node with an unknown operator, type or shape of values becomes `Unknown`, together with its subtree.

    Raises:
        ExpressionFormatError: The bytes cannot be decoded, require a newer reader, or are not one tree.
    """
    struct = _decode(data)
    if not struct.formatVersion or not struct.minReaderVersion:
        raise ExpressionFormatError("the expression states no format version")
    if struct.minReaderVersion > FORMAT_VERSION:
        raise ExpressionFormatError(
            f"the expression needs a reader for format version {struct.minReaderVersion}, but this one reads"
            f" version {FORMAT_VERSION}: upgrade hudi-skip"
        )
    subtrees: list[list[Node]] = []
    for node in struct.nodes or []:
        arity = node.arity or 0
        if not 0 <= arity <= len(subtrees):
            raise ExpressionFormatError(
                f"a node has {arity} children, but only {len(subtrees)} subtrees precede it"
            )
        children = subtrees[len(subtrees) - arity :]
        del subtrees[len(subtrees) - arity :]
        subtrees.append(_read_subtree(node, children))
    if len(subtrees) != 1:
        raise ExpressionFormatError(f"the node list holds {len(subtrees)} trees instead of one")
    return HudiExpression(tuple(subtrees[0]), struct.fingerprint or b"")


def _write_node(node: Node) -> ttypes.ExpressionNode:
    match node:
        case Group():
            return ttypes.ExpressionNode(operator=int(node.operator), arity=node.arity)
        case Leaf():
            return ttypes.ExpressionNode(
                operator=int(node.operator),
                column=node.column,
                type=str(node.type),
                values=list(node.values) or None,
            )
        case Ranges():
            values, bounds = to_lists(node.ranges)
            return ttypes.ExpressionNode(
                operator=int(Operator.RANGES),
                column=node.column,
                type=str(node.type),
                values=values or None,
                bounds=bounds or None,
            )
        case ColumnPair():
            return ttypes.ExpressionNode(
                operator=int(node.operator),
                column=node.column,
                type=str(node.type),
                otherColumn=node.other_column,
                otherType=str(node.other_type),
            )
        case HiveTerm():
            columns = [ttypes.ColumnSchema(name=name, type=str(read_as)) for name, read_as in node.columns]
            return ttypes.ExpressionNode(
                operator=int(Operator.TERM), term=node.index, outcomes=node.outcomes, termColumns=columns
            )
        case KindQuestion():
            columns = [ttypes.ColumnSchema(name=name, type=str(read_as)) for name, read_as in node.asked]
            return ttypes.ExpressionNode(
                operator=int(Operator.QUESTION), kind=node.kind, question=node.question, termColumns=columns
            )
        case Unknown():
            return ttypes.ExpressionNode(operator=int(Operator.UNKNOWN), reason=node.reason or None)
        case Never():
            return ttypes.ExpressionNode(operator=int(Operator.NEVER))


def _decode(data: bytes) -> ttypes.HudiExpression:
    buffer = TMemoryBuffer(data)
    # No string or list can be longer than the input.
    protocol = TCompactProtocol(buffer, string_length_limit=len(data), container_length_limit=len(data))
    struct = ttypes.HudiExpression()
    try:
        struct.read(protocol)
    except (TException, EOFError, ValueError, TypeError, KeyError, IndexError, RecursionError) as error:
        raise ExpressionFormatError(
            f"not a serialized HudiExpression: {type(error).__name__} {error}"
        ) from error
    if buffer.read(1):
        raise ExpressionFormatError("bytes follow the end of the expression")
    return struct


def _read_subtree(node: ttypes.ExpressionNode, children: list[list[Node]]) -> list[Node]:
    if node.operator not in _OPERATORS:
        return [Unknown(f"unknown operator {node.operator}")]
    operator = Operator(node.operator)
    if (operator in GROUPS) is not bool(children):
        raise ExpressionFormatError(f"a node is {operator.name} with {len(children)} children")
    match operator:
        case Operator.AND | Operator.OR:
            group = Group(operator, len(children))
            # Extends the first child's list: a copy at each level would be quadratic in depth.
            subtree = children[0]
            for child in children[1:]:
                subtree.extend(child)
            subtree.append(group)
            return subtree
        case Operator.UNKNOWN:
            return [Unknown(node.reason or "")]
        case Operator.NEVER:
            return [Never()]
    return [_read_leaf(operator, node)]


def _read_leaf(operator: Operator, node: ttypes.ExpressionNode) -> Node:
    try:
        if operator in (Operator.TERM, Operator.QUESTION):
            columns = tuple(
                (column.name or "", HiveType.parse(column.type or "")) for column in node.termColumns or ()
            )
            if operator is Operator.QUESTION:
                return KindQuestion(node.kind or "", node.question or b"", columns)
            return HiveTerm(-1 if node.term is None else node.term, node.outcomes or 0, columns)
        column, read_as, values = node.column or "", HiveType.parse(node.type or ""), tuple(node.values or ())
        if operator is Operator.RANGES:
            return Ranges(column, read_as, from_lists(values, node.bounds or b""))
        if operator in PAIRS:
            return ColumnPair(
                operator, column, read_as, node.otherColumn or "", HiveType.parse(node.otherType or "")
            )
        return Leaf(operator, column, read_as, values)
    except (UnknownTypeError, ValueError) as error:
        return Unknown(str(error))
