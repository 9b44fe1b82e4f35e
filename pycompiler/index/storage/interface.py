"""What reading and publishing need of the file system on which an index lives: a few operations on files."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import BinaryIO, Final, Protocol

INDEX_FOLDER: Final = ".hoodie/.skipping_index"
"""The index directory, relative to the table."""

TEMPORARY_PREFIX: Final = ".tmp-"
"""How files begin that are there for the time of a publication only."""


class IndexStorage(Protocol):
    """Files of one index directory, by plain name.

    An implementation must make `create` durable before it returns, and `publish` atomic and durable: the file
    is there whole or not at all, and of several callers exactly one wins.
    """

    def names(self) -> list[str]:
        """Names of all files; none if there is no index directory."""

    def size(self, name: str) -> int:
        """Bytes of a file.

        Raises:
            FileNotFoundError: There is none of that name.
        """

    def modified(self, name: str) -> float:
        """Time of the last change, in seconds since 1970, by the clock of the file system."""

    def read(self, name: str, offset: int = 0, length: int | None = None) -> bytes:
        """Reads a range, or all from the offset on; fewer bytes than asked for if the file ends."""

    def create(self, name: str) -> AbstractContextManager[BinaryIO]:
        """Opens a new file for writing; it is durable when the block is left without an error.

        Raises:
            FileExistsError: There is one already.
        """

    def publish(self, name: str, content: bytes) -> None:
        """Makes a small file appear, whole, unless the name is taken.

        Raises:
            FileExistsError: Somebody else was faster.
        """

    def delete(self, name: str) -> None:
        """Removes a file; one that is gone already is no error."""
