"""Content of a `values` record: encoded values, ascending, each after its length (docs/inside/formats.md)."""

from collections.abc import Sequence


def serialize_values(values: Sequence[bytes]) -> bytes:
    """Serializes distinct encoded values, given in ascending order."""
    content = bytearray()
    for value in values:
        length = len(value)
        while length > 0x7F:
            content.append(length & 0x7F | 0x80)
            length >>= 7
        content.append(length)
        content += value
    return bytes(content)


def parse_values(content: bytes) -> tuple[bytes, ...]:
    """Parses what `serialize_values` wrote."""
    values: list[bytes] = []
    position = 0
    while position < len(content):
        length = shift = 0
        while True:
            if position >= len(content) or shift > 28:
                raise ValueError("a length is not terminated")
            byte = content[position]
            position += 1
            length |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                break
        value = content[position : position + length]
        position += length
        if len(value) != length or (values and values[-1] >= value):
            raise ValueError("values are truncated, or not ascending")
        values.append(value)
    return tuple(values)
