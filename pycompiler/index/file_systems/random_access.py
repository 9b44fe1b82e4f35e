"""Seekable file objects for the Parquet library."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing_extensions import Buffer


class RandomAccess(io.RawIOBase):
    """A seekable file of known size over `_range`, which is called only for existing bytes."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self._size = size
        self._position = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        self._position = (
            offset + {io.SEEK_SET: 0, io.SEEK_CUR: self._position, io.SEEK_END: self._size}[whence]
        )
        return self._position

    def read(self, size: int = -1) -> bytes:
        """Reads up to `size` bytes; to the end of the file if negative."""
        left = max(self._size - self._position, 0)
        wanted = left if size < 0 else min(size, left)
        content = self._range(self._position, wanted) if wanted else b""
        self._position += len(content)
        return content

    def readinto(self, buffer: Buffer) -> int:
        target = memoryview(buffer)
        content = self.read(len(target))
        target[: len(content)] = content
        return len(content)

    def _range(self, offset: int, length: int) -> bytes:
        raise NotImplementedError


class CheckedFile(RandomAccess):
    """A file of which one checked part is in memory; other parts cannot be read."""

    def __init__(self, size: int) -> None:
        super().__init__(size)
        self.show(0, b"")

    def show(self, offset: int, content: bytes | memoryview) -> None:
        """Replaces the part that can be read."""
        self._start = offset
        self._content = content

    def _range(self, offset: int, length: int) -> bytes:
        start = offset - self._start
        if start < 0 or start + length > len(self._content):
            raise OSError(f"bytes {offset} to {offset + length} were not read")
        return bytes(self._content[start : start + length])
