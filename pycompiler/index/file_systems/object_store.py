"""An index on an object store: S3 and what speaks its protocol, Google Cloud Storage, Azure.

Credentials, region and endpoint come from the environment (`AWS_ACCESS_KEY_ID`, `AWS_ENDPOINT_URL`, …) or
from the machine's own role, as the store's other clients take them.
"""

import io
import os
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from functools import lru_cache
from typing import BinaryIO, Final, cast

import obstore
from obstore.exceptions import AlreadyExistsError, BaseError
from obstore.store import ObjectStore, from_url

from pycompiler.index.file_systems.errors import UnsupportedStorageError
from pycompiler.index.file_systems.interface import INDEX_FOLDER, TEMPORARY_PREFIX, Folder, IndexStorage
from pycompiler.index.file_systems.location import Location
from pycompiler.index.file_systems.random_access import RandomAccess

_TIMEOUT: Final = timedelta(minutes=10)
"""Per request; a whole data file is one request."""

_COMPARED_BYTES: Final = 8 << 20


class Storage(IndexStorage):
    """An index on an object store.

    An object appears whole or not at all, and creating one fails if the name exists (`If-None-Match: *`).
    Some endpoints ignore that header, and publishers would overwrite each other there, so it is tested before
    the first write.

    Raises:
        OSError: The environment's settings are invalid.
    """

    def __init__(self, table: Location) -> None:
        self._table = table
        self._store = _store(table)
        self._location = table.child(INDEX_FOLDER)
        self._proven = False

    def names(self) -> list[str]:
        return folder_in(self._location).names

    def size(self, name: str) -> int:
        with _os_errors():
            return obstore.head(self._store, self._path(name))["size"]

    def modified(self, name: str) -> float:
        with _os_errors():
            return obstore.head(self._store, self._path(name))["last_modified"].timestamp()

    def read(self, name: str, offset: int = 0, length: int | None = None) -> bytes:
        source = File(self._location.child(name))
        source.seek(offset)
        return source.read(-1 if length is None else length)

    @contextmanager
    def create(self, name: str) -> Iterator[BinaryIO]:
        """Buffers what is written in a local file, and uploads it at the end."""
        self._require_put_if_absent()
        with tempfile.TemporaryFile(prefix="hudi-skip-") as sink:
            yield cast(BinaryIO, sink)
            self._put_new(name, cast(BinaryIO, sink))

    def publish(self, name: str, content: bytes) -> None:
        self._require_put_if_absent()
        self._put_new(name, io.BytesIO(content))

    def delete(self, name: str) -> None:
        with _os_errors(), suppress(FileNotFoundError):
            obstore.delete(self._store, self._path(name))

    def _put_new(self, name: str, content: BinaryIO) -> None:
        content.seek(0)
        try:
            self._put(name, content)
        except FileExistsError:
            # The client retries after a lost response, so its own first request may have succeeded. (If
            # another publisher put identical bytes, nothing is lost either.)
            if not self._holds(name, content):
                raise

    def _holds(self, name: str, content: BinaryIO) -> bool:
        size = content.seek(0, io.SEEK_END)
        content.seek(0)
        return self.size(name) == size and all(
            self.read(name, start, _COMPARED_BYTES) == content.read(_COMPARED_BYTES)
            for start in range(0, size, _COMPARED_BYTES)
        )

    def _put(self, name: str, content: bytes | BinaryIO) -> None:
        with _os_errors():
            obstore.put(self._store, self._path(name), content, mode="create", use_multipart=False)

    def _require_put_if_absent(self) -> None:
        """Puts an object twice: the store must refuse the second put."""
        if self._proven:
            return
        marker = f"{TEMPORARY_PREFIX}{uuid.uuid4()}"
        try:
            # Nobody else has this name: if the answer was lost, the store refused the client's next try.
            with suppress(FileExistsError):
                self._put(marker, b"first")
            self._put(marker, b"second")
        except FileExistsError:
            self._proven = True
        finally:
            self.delete(marker)
        if not self._proven:
            raise UnsupportedStorageError(
                f"the index cannot be stored at {self._table}: the store ignores If-None-Match, so"
                " publishers could overwrite each other; use a store with conditional writes"
            )

    def _path(self, name: str) -> str:
        return _key(self._location.child(name))


def folder_in(folder: Location) -> Folder:
    """What a folder holds."""
    with _os_errors():
        listed = obstore.list_with_delimiter(_store(folder), _key(folder))
    return Folder(
        {item["path"].rpartition("/")[2]: item["size"] for item in listed["objects"]},
        tuple(prefix.rstrip("/").rpartition("/")[2] for prefix in listed["common_prefixes"]),
    )


class File(RandomAccess):
    """An object in any store."""

    def __init__(self, location: Location) -> None:
        self._store = _store(location)
        self._path = _key(location)
        with _os_errors():
            super().__init__(obstore.head(self._store, self._path)["size"])

    def _range(self, offset: int, length: int) -> bytes:
        with _os_errors():
            return bytes(obstore.get_range(self._store, self._path, start=offset, length=length))


def _key(location: Location) -> str:
    return location.path.lstrip("/")


@contextmanager
def _os_errors() -> Iterator[None]:
    try:
        yield
    except AlreadyExistsError as error:
        raise FileExistsError(str(error)) from error
    except (BaseError, ValueError) as error:
        # Later lines describe the client's internals.
        raise OSError(f"the object store failed: {str(error).partition(chr(10))[0]}") from error


def _store(location: Location) -> ObjectStore:
    # A client has threads, which do not survive a fork.
    return _store_of(location.scheme, location.authority, os.getpid())


@lru_cache(maxsize=16)
def _store_of(scheme: str, authority: str, process: int) -> ObjectStore:
    # Hadoop's S3 clients use their own schemes.
    url = f"{'s3' if scheme in ('s3a', 's3n') else scheme}://{authority}"
    with _os_errors():
        # Plain HTTP is used only if the environment names such an endpoint.
        return from_url(url, client_options={"timeout": _TIMEOUT, "allow_http": True})
