"""Requests as Hive's storage handler makes them."""

from __future__ import annotations

from collections.abc import Sequence

from pycompiler.thrift_gen.constants import PROTOCOL_VERSION
from pycompiler.thrift_gen.ttypes import (
    ColumnSchema,
    CompileRequest,
    FilterNode,
    FilterNodeKind,
    FilterTree,
    Literal,
    TableSchema,
)


def column(name: str) -> FilterNode:
    return FilterNode(kind=FilterNodeKind.COLUMN, type="bigint", name=name)


def constant(value: int) -> FilterNode:
    return FilterNode(
        kind=FilterNodeKind.LITERAL, type="bigint", literal=Literal(type="bigint", integerValue=value)
    )


def call(name: str, arity: int) -> FilterNode:
    return FilterNode(kind=FilterNodeKind.FUNCTION, type="boolean", name=name, arity=arity)


def request(nodes: Sequence[FilterNode], fingerprint: bytes = b"f") -> CompileRequest:
    """A request for a table `(a bigint)`."""
    return CompileRequest(
        protocolVersion=PROTOCOL_VERSION,
        fingerprint=fingerprint,
        filter=FilterTree(list(nodes)),
        schema=TableSchema([ColumnSchema("a", "bigint")]),
    )


def equals(value: int) -> CompileRequest:
    """`a = value`, its fingerprint the value's digits."""
    return request([column("a"), constant(value), call("=", 2)], str(value).encode())


def is_in(values: Sequence[int]) -> CompileRequest:
    """`a IN (values)`."""
    return request([column("a"), *map(constant, values), call("in", len(values) + 1)])


def nested(depth: int) -> CompileRequest:
    """`not (not (… a = 1))`."""
    return request([column("a"), constant(1), call("=", 2), *[call("not", 1)] * depth])
