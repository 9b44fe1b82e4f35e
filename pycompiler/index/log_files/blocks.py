"""The blocks of a log file.

Each block is: the magic bytes, its size (8 bytes, big-endian, excluding magic and size), the format version
(4), its kind (4), headers, the content's length (8), the content, footers, and its size again (8), now
including the magic bytes. Headers and footers are a count (4), and for each entry a key (4), a length (4) and
that many bytes.

Any deviation makes the whole file unreadable. Hudi would skip to the next magic bytes, but with which records
it continues cannot be predicted.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Final, TypeAlias

from pycompiler.index.file_systems.random_access import RandomAccess
from pycompiler.index.log_files.errors import LogUnreadableError

_MAGIC: Final = b"#HUDI#"
_VERSION: Final = 1


Source: TypeAlias = Any
"""A seekable file of Python or Arrow, open for reading."""


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
    """The headers that are used, by Hudi's numbers."""

    SCHEMA = 2
    IS_PARTIAL = 7


@dataclass(frozen=True, slots=True)
class Block:
    """A block."""

    kind: BlockKind
    headers: Mapping[int, str]
    offset: int
    length: int


def read_blocks(source: Source, size: int) -> Iterator[Block]:
    """Reads the blocks of a log file in order, without their contents.

    Only `size` bytes are read, because another writer may be appending.
    """
    at = 0
    while at < size:
        reader = SectionReader(source, at, size)
        if reader.take(len(_MAGIC)) != _MAGIC:
            raise LogUnreadableError("a block does not begin with the magic bytes")
        length = reader.int8()
        end = reader.at + length
        if length < 0 or end > size:
            raise LogUnreadableError("a block is longer than the file")
        yield _block(SectionReader(source, reader.at, end), len(_MAGIC) + length)
        at = end


class SectionReader:
    """Reads a section of a file sequentially, and never beyond it."""

    def __init__(self, source: Source, start: int, end: int) -> None:
        self._source = source
        self._end = end
        self.at = start
        source.seek(start)

    def take(self, length: int) -> bytes:
        """Reads exactly `length` bytes."""
        self._advance(length)
        content: bytes = self._source.read(length) if length else b""
        if len(content) != length:
            raise LogUnreadableError("the file is truncated")
        return content

    def int4(self) -> int:
        """Reads 4 bytes as a signed integer."""
        return int.from_bytes(self.take(4), "big", signed=True)

    def int8(self) -> int:
        """Reads 8 bytes as a signed integer."""
        return int.from_bytes(self.take(8), "big", signed=True)

    def skip(self, length: int) -> None:
        """Skips `length` bytes."""
        self._advance(length)
        self._source.seek(self.at)

    def is_at_end(self) -> bool:
        """Whether no bytes are left."""
        return self.at == self._end

    def _advance(self, length: int) -> None:
        if length < 0:
            raise LogUnreadableError("a block has a negative length")
        self.at += length
        if self.at > self._end:
            raise LogUnreadableError("a block is truncated")


class BlockContent(RandomAccess):
    """The content of a block, as a file."""

    def __init__(self, source: Source, block: Block) -> None:
        super().__init__(block.length)
        self._source = source
        self._start, self._end = block.offset, block.offset + block.length

    def _range(self, offset: int, length: int) -> bytes:
        return SectionReader(self._source, self._start + offset, self._end).take(length)


def _block(reader: SectionReader, size_with_magic: int) -> Block:
    version, number = reader.int4(), reader.int4()
    if version != _VERSION:
        raise LogUnreadableError(f"a block has the unknown log format version {version}")
    try:
        kind = BlockKind(number)
    except ValueError as error:
        raise LogUnreadableError(f"a block has the unknown kind {number}") from error
    headers = _metadata(reader)
    length = reader.int8()
    offset = reader.at
    reader.skip(length)
    _metadata(reader)
    if reader.int8() != size_with_magic or not reader.is_at_end():
        raise LogUnreadableError("the sizes at the start and end of a block differ")
    return Block(kind, headers, offset, length)


def _metadata(reader: SectionReader) -> dict[int, str]:
    found: dict[int, str] = {}
    for _ in range(reader.int4()):
        key = reader.int4()
        content = reader.take(reader.int4())
        try:
            found[key] = content.decode("utf-8")
        except UnicodeDecodeError as error:
            raise LogUnreadableError("a header of a block is not UTF-8 text") from error
    return found
