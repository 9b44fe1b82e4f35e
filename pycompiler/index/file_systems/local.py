"""An index on local and mounted file systems."""

import errno
import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Final

from pycompiler.index.file_systems.errors import UnsupportedStorageError
from pycompiler.index.file_systems.interface import INDEX_FOLDER, TEMPORARY_PREFIX, Folder, IndexStorage

# Errors from file systems without hard links (FAT, some FUSE mounts).
_NO_HARD_LINKS: Final = frozenset({errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS})


class LocalStorage(IndexStorage):
    """An index on a POSIX file system with hard links, local or mounted.

    A file is published by `link(2)`, which fails if the name exists; file and directory are synced first.
    """

    def __init__(self, table: str | Path) -> None:
        self.folder: Final = Path(table) / INDEX_FOLDER

    def names(self) -> list[str]:
        return folder_in(self.folder).names

    def size(self, name: str) -> int:
        return (self.folder / name).stat().st_size

    def modified(self, name: str) -> float:
        return (self.folder / name).stat().st_mtime

    def read(self, name: str, offset: int = 0, length: int | None = None) -> bytes:
        with open(self.folder / name, "rb") as source:
            source.seek(offset)
            return source.read(-1 if length is None else length)

    @contextmanager
    def create(self, name: str) -> Iterator[BinaryIO]:
        if not self.folder.is_dir():
            self.folder.mkdir(exist_ok=True)
            _sync(self.folder.parent)
        path = self.folder / name
        with whole_or_removed(path), open(path, "xb") as sink:
            yield sink
            sink.flush()
            os.fsync(sink.fileno())
        _sync(self.folder)

    def publish(self, name: str, content: bytes) -> None:
        """Writes a temporary file and links it to its name."""
        temporary = f"{TEMPORARY_PREFIX}{uuid.uuid4()}"
        try:
            with self.create(temporary) as sink:
                sink.write(content)
            self._appear(temporary, name)
            _sync(self.folder)
        finally:
            self.delete(temporary)

    def delete(self, name: str) -> None:
        with suppress(FileNotFoundError):
            (self.folder / name).unlink()

    def _appear(self, temporary: str, name: str) -> None:
        try:
            os.link(self.folder / temporary, self.folder / name)
        except OSError as error:
            if error.errno not in _NO_HARD_LINKS:
                raise
            raise UnsupportedStorageError(
                f"{self.folder} is on a file system without hard links, which publishing an index requires"
            ) from error


@contextmanager
def whole_or_removed(path: Path) -> Iterator[None]:
    """Removes a file that could not be completed, and names it in the error."""
    try:
        yield
    except FileExistsError:
        raise  # The file belongs to another process.
    except BaseException as error:
        # On a full disk, a partial file would block the next attempt.
        with suppress(OSError):
            path.unlink()
        # An error without a number consists of its message only, which a file name would replace.
        if isinstance(error, OSError) and error.errno is not None and error.filename is None:
            error.filename = str(path)
        raise


def folder_in(path: str | Path) -> Folder:
    """What a folder holds."""
    files, folders = {}, []
    with suppress(FileNotFoundError), os.scandir(path) as entries:
        for entry in entries:
            if entry.is_dir():
                folders.append(entry.name)
            else:
                files[entry.name] = 0  # If it is removed meanwhile: a commit must not go unnoticed.
                with suppress(FileNotFoundError):
                    files[entry.name] = entry.stat().st_size
    return Folder(files, tuple(folders))


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
