"""Where an index lives: the few operations on files that reading and publishing need."""

from __future__ import annotations

import errno
import os
import re
import uuid
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Final, Protocol

from pycompiler.index.errors import UnsupportedStorageError

INDEX_FOLDER: Final = ".hoodie/.skipping_index"
"""The index directory, relative to the table."""

TEMPORARY_PREFIX: Final = ".tmp-"
# What file systems without hard links (FAT, some FUSE mounts) answer.
_NO_HARD_LINKS: Final = frozenset({errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS})
_SCHEME: Final = re.compile(r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*):(?P<rest>/.*)")


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


class LocalStorage:
    """An index on a POSIX file system: a local disk, or one that is mounted and has hard links.

    A file is published by `link(2)`, which fails when the name exists; files and the directory are synced
    before it.
    """

    def __init__(self, table: str | Path) -> None:
        self._folder = Path(table) / INDEX_FOLDER

    @property
    def folder(self) -> Path:
        """The index directory."""
        return self._folder

    def names(self) -> list[str]:
        """Names of all files, sorted."""
        try:
            return sorted(os.listdir(self._folder))
        except FileNotFoundError:
            return []

    def size(self, name: str) -> int:
        """Bytes of a file."""
        return (self._folder / name).stat().st_size

    def modified(self, name: str) -> float:
        """Time of the last change."""
        return (self._folder / name).stat().st_mtime

    def read(self, name: str, offset: int = 0, length: int | None = None) -> bytes:
        """Reads a range of bytes."""
        with open(self._folder / name, "rb") as source:
            source.seek(offset)
            return source.read(-1 if length is None else length)

    @contextmanager
    def create(self, name: str) -> Iterator[BinaryIO]:
        """Creates and syncs a file; the directory is made, in the table's `.hoodie`, if there is none."""
        if not self._folder.is_dir():
            self._folder.mkdir(exist_ok=True)
            _sync(self._folder.parent)
        with open(self._folder / name, "xb") as sink:
            yield sink
            sink.flush()
            os.fsync(sink.fileno())
        _sync(self._folder)

    def publish(self, name: str, content: bytes) -> None:
        """Writes a temporary file and links it to its name."""
        temporary = f"{TEMPORARY_PREFIX}{uuid.uuid4()}"
        try:
            with self.create(temporary) as sink:
                sink.write(content)
            self._link(temporary, name)
            _sync(self._folder)
        finally:
            self.delete(temporary)

    def delete(self, name: str) -> None:
        """Removes a file if it is there."""
        with suppress(FileNotFoundError):
            (self._folder / name).unlink()

    def _link(self, temporary: str, name: str) -> None:
        try:
            os.link(self._folder / temporary, self._folder / name)
        except OSError as error:
            if error.errno not in _NO_HARD_LINKS:
                raise
            raise UnsupportedStorageError(
                f"{self._folder} is on a file system without hard links, which publishing an index needs"
            ) from error


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def open_storage(table: str | Path) -> IndexStorage:
    """Gives the storage of a table's index.

    Args:
        table: Root of the table: a path, or a `file:` URI as Hadoop writes it (not percent-encoded).

    Raises:
        UnsupportedStorageError: The table is on a file system on which no index can be published safely.
    """
    return LocalStorage(local_path(table))


def local_path(table: str | Path) -> str:
    """Gives the plain path of a table on a local or mounted file system.

    Raises:
        UnsupportedStorageError: It is on another one.
    """
    text = str(table)
    uri = _SCHEME.fullmatch(text)
    if uri is None:
        return text.rstrip("/") or "/"
    if uri["scheme"].lower() != "file":
        raise UnsupportedStorageError(
            f"no index can be kept on {uri['scheme']}: file systems yet ({text}): only on local and mounted "
            "ones, where a generation is published by an atomic hard link"
        )
    return "/" + uri["rest"].strip("/")
