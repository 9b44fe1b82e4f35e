"""The file operations that reading and publishing an index need."""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import BinaryIO, Final, Protocol

INDEX_FOLDER: Final = ".hoodie/.skipping_index"
"""The index directory, relative to the table."""

TEMPORARY_PREFIX: Final = ".tmp-"
"""Name prefix of files that exist only during a publication."""


@dataclass(frozen=True, slots=True)
class Folder:
    """What a folder holds, on any file system; nothing if there is no such folder.

    Attributes:
        files: Bytes of its files, by name.
        folders: Names of the folders in it.
    """

    files: Mapping[str, int]
    folders: tuple[str, ...]

    @property
    def names(self) -> list[str]:
        """Names of its files, sorted."""
        return sorted(self.files)


class IndexStorage(Protocol):
    """Files of one index directory, by plain name.

    Implementations must make `create` durable before it returns, and `publish` atomic and durable: the file
    appears whole or not at all, and exactly one of several callers wins.
    """

    def names(self) -> list[str]:
        """Names of all files, sorted; empty if there is no index directory."""

    def size(self, name: str) -> int:
        """Bytes of a file.

        Raises:
            FileNotFoundError: The file does not exist.
        """

    def modified(self, name: str) -> float:
        """Time of the last change, in seconds since 1970, by the file system's clock."""

    def read(self, name: str, offset: int = 0, length: int | None = None) -> bytes:
        """Reads up to `length` bytes from the offset on (None: all); fewer at the end of the file."""

    def create(self, name: str) -> AbstractContextManager[BinaryIO]:
        """Opens a new file for writing; it is durable once the block exits without an error.

        Creates the index directory below the table's `.hoodie` if necessary.

        Raises:
            FileExistsError: The file already exists.
        """

    def publish(self, name: str, content: bytes) -> None:
        """Makes a small file appear as a whole, unless the name is taken.

        Raises:
            FileExistsError: Another caller was faster.
        """

    def delete(self, name: str) -> None:
        """Removes a file if it exists."""
