"""Thrift structs as bytes."""

from typing import Any

from thrift.protocol.TCompactProtocol import TCompactProtocolAccelerated
from thrift.transport.TTransport import TMemoryBuffer


def compact(struct: Any) -> bytes:
    """A generated struct in the compact protocol."""
    buffer = TMemoryBuffer()
    struct.write(TCompactProtocolAccelerated(buffer))
    return bytes(buffer.getvalue())
