"""Encodes a HudiExpression as a Thrift struct in the compact protocol.

Equal expressions have equal bytes: a field is written only if the node uses it.
"""

from collections.abc import Sequence
from typing import Any, Final

from thrift.protocol.TCompactProtocol import TCompactProtocolAccelerated
from thrift.transport.TTransport import TMemoryBuffer

from pycompiler.compile.expression.model import (
    FORMAT_VERSION,
    ColumnDifference,
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
    ReadColumn,
    Unknown,
)
from pycompiler.compile.values.range_set import RangeSet
from pycompiler.thrift_gen import ttypes

_HAS_LOW: Final = 1
_LOW_INCLUDED: Final = 2
_HAS_HIGH: Final = 4
_HIGH_INCLUDED: Final = 8


def to_bytes(expression: HudiExpression) -> bytes:
    """Encodes an expression."""
    struct = ttypes.HudiExpression(
        formatVersion=FORMAT_VERSION,
        minReaderVersion=FORMAT_VERSION,
        fingerprint=expression.fingerprint or None,
        nodes=[_write_node(node) for node in expression.nodes],
    )
    return compact(struct)


def compact(struct: Any) -> bytes:
    """Encodes a generated struct in the compact protocol."""
    buffer = TMemoryBuffer()
    struct.write(TCompactProtocolAccelerated(buffer))
    return bytes(buffer.getvalue())


def _write_node(node: Node) -> ttypes.ExpressionNode:
    match node:
        case Group():
            return ttypes.ExpressionNode(operator=int(node.operator), arity=node.arity)
        case Leaf():
            return _write_test(node.operator, node.columns, list(node.values))
        case Ranges():
            return _write_test(Operator.RANGES, node.columns, *to_lists(node.ranges))
        case ColumnPair():
            return _write_test(node.operator, node.columns)
        case ColumnDifference():
            return _write_test(Operator.DIFFERENCE, node.columns, *to_lists(node.differences))
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


def _write_test(
    operator: Operator, columns: Sequence[ReadColumn], values: Sequence[bytes] = (), bounds: bytes = b""
) -> ttypes.ExpressionNode:
    """A test of one column or of two."""
    (column, read_as), *others = columns
    node = ttypes.ExpressionNode(
        operator=int(operator), column=column, type=str(read_as), values=values or None, bounds=bounds or None
    )
    for other, other_type in others:
        node.otherColumn, node.otherType = other, str(other_type)
    return node


def to_lists(ranges: RangeSet) -> tuple[list[bytes], bytes]:
    """Each range's low and high end, empty if unbounded; and a byte per range that flags which ends exist."""
    values: list[bytes] = []
    bounds = bytearray()
    for range_ in ranges.ranges:
        low, high = range_.low, range_.high
        values += [b"" if low is None else low.value, b"" if high is None else high.value]
        low_flags = 0 if low is None else _HAS_LOW | (_LOW_INCLUDED if low.included else 0)
        high_flags = 0 if high is None else _HAS_HIGH | (_HIGH_INCLUDED if high.included else 0)
        bounds.append(low_flags | high_flags)
    return values, bytes(bounds)
