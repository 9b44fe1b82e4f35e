"""Rewrites the footer of a Parquet file, a Thrift struct, to say something else.

Fields are known by their numbers in Parquet's `parquet.thrift`.
"""

import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeAlias

from thrift.protocol.TCompactProtocol import TCompactProtocol
from thrift.Thrift import TType
from thrift.transport.TTransport import TMemoryBuffer

Fields: TypeAlias = dict[int, tuple[int, Any]]
"""The fields of a struct: the Thrift type and the value by number. A list is the type and the values of its
elements."""

ROWS: Final = 3
"""Of the file, and of a row group."""
VALUES: Final = 5
COMPRESSED_SIZE: Final = 7
DATA_PAGE: Final = 9
STATISTICS: Final = 12
NULLS: Final = 3
MAXIMA: Final = (1, 5)
"""The deprecated field and the present one."""
MINIMA: Final = (2, 6)

_NAMES: Final = {
    TType.BOOL: "Bool",
    TType.BYTE: "Byte",
    TType.I16: "I16",
    TType.I32: "I32",
    TType.I64: "I64",
    TType.DOUBLE: "Double",
    TType.STRING: "Binary",
}


class Footer:
    """A footer whose fields may be replaced."""

    def __init__(self, fields: Fields) -> None:
        self.fields = fields

    @property
    def groups(self) -> list[Fields]:
        """The row groups."""
        groups: list[Fields] = self.fields[4][1][1]
        return groups

    def chunks(self, group: int) -> list[Fields]:
        """The metadata of a row group's column chunks."""
        return [chunk[3][1] for chunk in self.groups[group][1][1][1]]

    def chunk(self, group: int, column: int) -> Fields:
        """The metadata of a column chunk."""
        return self.chunks(group)[column]

    def statistics(self, group: int, column: int) -> Fields:
        """The statistics of a column chunk."""
        statistics: Fields = self.chunk(group, column)[STATISTICS][1]
        return statistics


def put(fields: Fields, number: int, value: Any) -> None:
    """Replaces the value of a field that is there."""
    fields[number] = fields[number][0], value


def rewrite(path: Path, change: Callable[[Footer], object]) -> None:
    """Changes the footer of a file; its pages stay as they are."""
    content = path.read_bytes()
    (length,) = struct.unpack("<I", content[-8:-4])
    footer = Footer(_read(TCompactProtocol(TMemoryBuffer(content[-8 - length : -8])), TType.STRUCT))
    change(footer)
    written = TMemoryBuffer()
    _write(TCompactProtocol(written), TType.STRUCT, footer.fields)
    size = struct.pack("<I", len(written.getvalue()))
    path.write_bytes(content[: -8 - length] + written.getvalue() + size + content[-4:])
    # Hadoop would compare the file with the checksum of what was there before.
    path.with_name(f".{path.name}.crc").unlink(missing_ok=True)


def _read(protocol: TCompactProtocol, kind: int) -> Any:
    match kind:
        case TType.STRUCT:
            fields: Fields = {}
            protocol.readStructBegin()
            while (header := protocol.readFieldBegin())[1] != TType.STOP:
                fields[header[2]] = header[1], _read(protocol, header[1])
                protocol.readFieldEnd()
            protocol.readStructEnd()
            return fields
        case TType.LIST:
            element, count = protocol.readListBegin()
            values = [_read(protocol, element) for _ in range(count)]
            protocol.readListEnd()
            return element, values
        case _:
            return getattr(protocol, f"read{_NAMES[kind]}")()


def _write(protocol: TCompactProtocol, kind: int, value: Any) -> None:
    match kind:
        case TType.STRUCT:
            protocol.writeStructBegin("")
            for number, (of_field, content) in sorted(value.items()):
                protocol.writeFieldBegin("", of_field, number)
                _write(protocol, of_field, content)
                protocol.writeFieldEnd()
            protocol.writeFieldStop()
            protocol.writeStructEnd()
        case TType.LIST:
            element, values = value
            protocol.writeListBegin(element, len(values))
            for each in values:
                _write(protocol, element, each)
            protocol.writeListEnd()
        case _:
            getattr(protocol, f"write{_NAMES[kind]}")(value)
