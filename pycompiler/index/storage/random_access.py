"""Files of the index as the Parquet library wants them: seekable, and of checked bytes only."""

from __future__ import annotations

import io

from pycompiler.index.storage.interface import IndexStorage


class RandomAccess(io.RawIOBase):
    """A seekable file of known size over a `_range` method, which is asked for bytes that are there only."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self._size = size
        self._position = 0

    def readable(self) -> bool:
        """Always."""
        return True

    def seekable(self) -> bool:
        """Always."""
        return True

    def tell(self) -> int:
        """Where the next read begins."""
        return self._position

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Says where the next read begins."""
        self._position = (
            offset + {io.SEEK_SET: 0, io.SEEK_CUR: self._position, io.SEEK_END: self._size}[whence]
        )
        return self._position

    def read(self, size: int = -1) -> bytes:
        """Reads on, to the end of the file if no size is given."""
        left = max(self._size - self._position, 0)
        wanted = left if size < 0 else min(size, left)
        content = self._range(self._position, wanted) if wanted else b""
        self._position += len(content)
        return content

    def _range(self, offset: int, length: int) -> bytes:
        raise NotImplementedError


class StorageFile(RandomAccess):
    """A file of the index directory."""

    def __init__(self, storage: IndexStorage, name: str, size: int) -> None:
        super().__init__(size)
        self._storage = storage
        self._name = name

    def _range(self, offset: int, length: int) -> bytes:
        return self._storage.read(self._name, offset, length)


class CheckedFile(RandomAccess):
    """A file of which only some parts are in memory; what lies outside them can't be read."""

    def __init__(self, size: int) -> None:
        super().__init__(size)
        self._parts: dict[int, bytes | memoryview] = {}

    def show(self, offset: int, content: bytes | memoryview) -> None:
        """Puts a part into its place."""
        self._parts[offset] = content

    def hide(self, offset: int) -> None:
        """Takes the part that begins there away."""
        del self._parts[offset]

    def _range(self, offset: int, length: int) -> bytes:
        for start, content in self._parts.items():
            if start <= offset and offset + length <= start + len(content):
                return bytes(content[offset - start : offset - start + length])
        raise OSError(f"bytes {offset} to {offset + length} were not read")
