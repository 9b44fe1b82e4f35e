"""Requests as Hive's storage handler makes them."""

from collections.abc import Sequence

from pycompiler.thrift_gen.constants import PROTOCOL_VERSION
from pycompiler.thrift_gen.ttypes import ColumnSchema, CompileRequest, FilterNode, TableSchema
from tests.unit.compile.wire.thrift_filters import call, column, constant, integer, tree

A = column("a", "bigint")


def bigint(value: int) -> FilterNode:
    return constant(integer(value, "bigint"))


def request(nodes: Sequence[FilterNode], fingerprint: bytes = b"f") -> CompileRequest:
    """A request for a table `(a bigint)`."""
    return CompileRequest(
        protocolVersion=PROTOCOL_VERSION,
        fingerprint=fingerprint,
        filter=tree(*nodes),
        schema=TableSchema([ColumnSchema("a", "bigint")]),
    )


def equals(value: int) -> CompileRequest:
    """`a = value`, its fingerprint the value's digits."""
    return request([A, bigint(value), call("=", 2)], str(value).encode())


def is_in(values: Sequence[int]) -> CompileRequest:
    """`a IN (values)`."""
    return request([A, *map(bigint, values), call("in", len(values) + 1)])
