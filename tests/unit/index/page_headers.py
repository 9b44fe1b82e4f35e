"""Headers of Parquet pages, which pyarrow does not show."""

from typing import Any

from thrift.protocol.TCompactProtocol import TCompactProtocol
from thrift.Thrift import TType
from thrift.transport.TTransport import TMemoryBuffer

# Fields of `PageHeader` and `DataPageHeader` in parquet.thrift.
_COMPRESSED_SIZE = 3
_DATA_PAGE_HEADER = 5
_ROWS = 1


def rows_of_data_pages(chunk: bytes) -> list[int]:
    """Number of rows of each data page of a column chunk."""
    rows = []
    start = 0
    while start < len(chunk):
        transport = TMemoryBuffer(chunk[start:])
        header = _fields(TCompactProtocol(transport))
        if _DATA_PAGE_HEADER in header:
            rows.append(header[_DATA_PAGE_HEADER][_ROWS])
        start += transport.cstringio_buf.tell() + header[_COMPRESSED_SIZE]
    return rows


def _fields(protocol: Any) -> dict[int, Any]:
    """A struct by the numbers of its fields: integers and structs, other fields are left out."""
    found: dict[int, Any] = {}
    protocol.readStructBegin()
    while True:
        _, kind, number = protocol.readFieldBegin()
        if kind == TType.STOP:
            break
        if kind == TType.I32:
            found[number] = protocol.readI32()
        elif kind == TType.STRUCT:
            found[number] = _fields(protocol)
        elif kind == TType.STRING:
            protocol.readBinary()
        else:
            protocol.skip(kind)
        protocol.readFieldEnd()
    protocol.readStructEnd()
    return found
