"""The blocks of a log file.

Each is the magic bytes, its size (8 bytes, big-endian, without these two), the version of the format (4), its
kind (4), headers, the length of its content (8), the content, footers, and its size again (8), now with the
magic bytes. Headers and footers are their number (4), and for each a key (4), a length (4) and so many bytes.

Whatever is not exactly so makes the whole file unreadable. Hudi itself looks for the next magic bytes there:
with which records it goes on is not to be guessed at.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Final, Protocol

from pycompiler.log_files.errors import LogUnreadableError

_MAGIC: Final = b"#HUDI#"
_VERSION: Final = 1
_INT: Final = struct.Struct(">i")
_LONG: Final = struct.Struct(">q")


class Source(Protocol):
    """A file that is open for reading at any place."""

    def seek(self, position: int, /) -> object:
        """Says where the next read begins."""

    def read(self, size: int, /) -> bytes:
        """Reads so much, or up to the end."""


class BlockKind(IntEnum):
    """What a block holds, by Hudi's numbers."""

    COMMAND = 0
    DELETE = 1
    CORRUPT = 2
    AVRO_DATA = 3
    HFILE_DATA = 4
    PARQUET_DATA = 5
    CHANGES = 6


class HeaderKey(IntEnum):
    """Headers that are looked at, by Hudi's numbers."""

    SCHEMA = 2
    IS_PARTIAL = 7


_KINDS: Final = frozenset(int(kind) for kind in BlockKind)


@dataclass(frozen=True, slots=True)
class Block:
    """A block.

    Attributes:
        kind: What it holds.
        headers: Its headers by number.
        offset: Where its content begins in the file.
        length: Bytes of its content.
    """

    kind: BlockKind
    headers: Mapping[int, str]
    offset: int
    length: int


def read_blocks(source: Source, size: int) -> Iterator[Block]:
    """Reads the blocks of a log file one after the other, without their contents.

    Args:
        source: The file.
        size: How much of it there is: another writer may be at it.

    Raises:
        LogUnreadableError: It is not blocks from the beginning to the end.
        OSError: The file system failed.
    """
    at = 0
    while at < size:
        reader = SectionReader(source, at, size)
        if reader.take(len(_MAGIC)) != _MAGIC:
            raise LogUnreadableError("what should be a block does not begin like one")
        length = reader.int8()
        end = reader.at + length
        if length < 0 or end > size:
            raise LogUnreadableError("a block is longer than the file")
        yield _block(SectionReader(source, reader.at, end), len(_MAGIC) + length)
        at = end


class SectionReader:
    """Reads on in a part of a file, which it never leaves.

    Args:
        source: The file.
        start: Where the part begins.
        end: Where it ends.

    Attributes:
        at: Where the next read begins.
    """

    def __init__(self, source: Source, start: int, end: int) -> None:
        self._source = source
        self._end = end
        self.at = start
        source.seek(start)

    def take(self, length: int) -> bytes:
        """Reads exactly so many bytes."""
        if not 0 <= length <= self.left:
            raise LogUnreadableError("a block ends too early")
        content = self._source.read(length) if length else b""
        if len(content) != length:
            raise LogUnreadableError("the file ends too early")
        self.at += length
        return content

    def int4(self) -> int:
        """Reads 4 bytes."""
        value: int = _INT.unpack(self.take(_INT.size))[0]
        return value

    def int8(self) -> int:
        """Reads 8 bytes."""
        value: int = _LONG.unpack(self.take(_LONG.size))[0]
        return value

    def skip(self, length: int) -> None:
        """Goes on behind some bytes."""
        if not 0 <= length <= self.left:
            raise LogUnreadableError("a block ends too early")
        self.at += length
        self._source.seek(self.at)

    @property
    def left(self) -> int:
        """How many bytes are left."""
        return self._end - self.at

    @property
    def is_at_end(self) -> bool:
        """Whether nothing is left."""
        return not self.left


def _block(reader: SectionReader, size_with_magic: int) -> Block:
    version, number = reader.int4(), reader.int4()
    if version != _VERSION:
        raise LogUnreadableError(f"a block is of version {version} of the log format")
    if number not in _KINDS:
        raise LogUnreadableError(f"a block is of the unknown kind {number}")
    headers = _metadata(reader)
    length = reader.int8()
    offset = reader.at
    reader.skip(length)
    _metadata(reader)
    if reader.int8() != size_with_magic or not reader.is_at_end:
        raise LogUnreadableError("the two sizes of a block differ")
    return Block(BlockKind(number), headers, offset, length)


def _metadata(reader: SectionReader) -> dict[int, str]:
    found: dict[int, str] = {}
    for _ in range(reader.int4()):
        key = reader.int4()
        content = reader.take(reader.int4())
        try:
            found[key] = content.decode("utf-8")
        except UnicodeDecodeError as error:
            raise LogUnreadableError("a header of a block is no text") from error
    return found
