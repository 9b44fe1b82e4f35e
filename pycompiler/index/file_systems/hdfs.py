"""An index on HDFS, through a client of the NameNode's protocol that needs neither a JVM nor libhdfs.

It is configured like Hadoop's own client: `core-site.xml` and `hdfs-site.xml` in `HADOOP_CONF_DIR`, and
`HADOOP_USER_NAME` or Kerberos tickets from the environment.
"""

import io
import os
import re
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from typing import BinaryIO, Final, cast

from hdfs_native import Client, FileWriter, WriteOptions
from typing_extensions import Buffer

from pycompiler.index.file_systems.interface import INDEX_FOLDER, TEMPORARY_PREFIX, Folder, IndexStorage
from pycompiler.index.file_systems.location import Location
from pycompiler.index.file_systems.random_access import RandomAccess

# How the client shows two of its errors. A quoted text has no line breaks: they are escaped.
_REFUSED_BY_SERVER: Final = re.compile(r'RPCError\("(?P<kind>[^"]*)", "(?P<message>(?:[^"\\]|\\.)*)"')
_NO_TICKET: Final = re.compile(r'GSSAPIError\(.*"(?P<message>(?:[^"\\]|\\.)*)"\)$')
_NO_PERMISSION: Final = "org.apache.hadoop.security.AccessControlException"


class Storage(IndexStorage):
    """An index on HDFS.

    A file is published by renaming it, which the NameNode does under its lock and refuses if the name exists.
    By then all data nodes have synced the file's blocks to disk.

    Raises:
        OSError: The name service or host is unknown.
    """

    def __init__(self, table: Location) -> None:
        self._client = _client(table.authority)
        self._location = table.child(INDEX_FOLDER)

    def names(self) -> list[str]:
        return folder_in(self._location).names

    def size(self, name: str) -> int:
        with _plain_errors():
            return self._client.get_file_info(self._path(name)).length

    def modified(self, name: str) -> float:
        with _plain_errors():
            return self._client.get_file_info(self._path(name)).modification_time / 1000

    def read(self, name: str, offset: int = 0, length: int | None = None) -> bytes:
        source = File(self._location.child(name))
        source.seek(offset)
        return source.read(-1 if length is None else length)

    @contextmanager
    def create(self, name: str) -> Iterator[BinaryIO]:
        with _plain_errors():
            try:
                sink = self._client.create(self._path(name), WriteOptions(create_parent=False))
            except FileNotFoundError:
                # Whoever may write the table's metadata may read and write its index.
                metadata = self._client.get_file_info(self._location.path.rpartition("/")[0])
                self._client.mkdirs(self._location.path, metadata.permission)
                sink = self._client.create(self._path(name), WriteOptions(create_parent=False))
        writer = _Sink(sink)
        try:
            yield cast(BinaryIO, writer)
            with _plain_errors():
                sink.hsync()
        except BaseException:
            with suppress(OSError):
                writer.close()
            raise
        writer.close()

    def publish(self, name: str, content: bytes) -> None:
        """Writes a temporary file and renames it."""
        temporary = f"{TEMPORARY_PREFIX}{uuid.uuid4()}"
        try:
            with self.create(temporary) as sink:
                sink.write(content)
            try:
                self._appear(temporary, name)
            except FileNotFoundError:
                # The client retries after a lost response. If the rename had succeeded, the temporary file is
                # gone and its content has the name.
                if self.read(name) != content:
                    raise
        except BaseException:
            with suppress(OSError):
                self.delete(temporary)
            raise

    def delete(self, name: str) -> None:
        with _plain_errors():
            self._client.delete(self._path(name))

    def _appear(self, temporary: str, name: str) -> None:
        with _plain_errors():
            self._client.rename(self._path(temporary), self._path(name), overwrite=False)

    def _path(self, name: str) -> str:
        return self._location.child(name).path


def folder_in(folder: Location) -> Folder:
    """What a folder holds."""
    with _plain_errors():
        try:
            listed = [
                (status.path.rpartition("/")[2], status)
                for status in _client(folder.authority).list_status(folder.path)
            ]
        except FileNotFoundError:
            listed = []
    return Folder(
        {name: status.length for name, status in listed if not status.isdir},
        tuple(name for name, status in listed if status.isdir),
    )


class File(RandomAccess):
    """A file on HDFS."""

    def __init__(self, location: Location) -> None:
        with _plain_errors():
            self._source = _client(location.authority).read(location.path)
            super().__init__(len(self._source))

    def _range(self, offset: int, length: int) -> bytes:
        with _plain_errors():
            return self._source.read_range(offset, length)


class _Sink(io.RawIOBase):
    def __init__(self, sink: FileWriter) -> None:
        super().__init__()
        self._sink = sink

    def writable(self) -> bool:
        return True

    def write(self, content: Buffer) -> int:
        with _plain_errors():
            return self._sink.write(content)

    def close(self) -> None:
        if not self.closed:
            super().close()
            with _plain_errors():
                self._sink.close()


@contextmanager
def _plain_errors() -> Iterator[None]:
    """Converts all failures to one-line OSErrors; the NameNode's messages end with a Java stack trace."""
    try:
        yield
    except OSError as error:
        raise type(error)(_first_line(error)) from error
    except RuntimeError as error:
        text = str(error)
        if refused := _REFUSED_BY_SERVER.match(text):
            kind, message = refused.group("kind", "message")
            plain = message.split(r"\n")[0].replace(r"\"", '"')
            raise (PermissionError if kind == _NO_PERMISSION else OSError)(f"HDFS: {plain}") from error
        if no_ticket := _NO_TICKET.match(text):
            message = no_ticket["message"]
            raise PermissionError(f"HDFS: {message}; get a Kerberos ticket with kinit") from error
        raise OSError(f"HDFS: {_first_line(error)}") from error


def _first_line(error: Exception) -> str:
    return next(iter(str(error).splitlines()), type(error).__name__)


def _client(authority: str) -> Client:
    # A client has threads, which do not survive a fork.
    return _client_of(authority, os.getpid())


@lru_cache(maxsize=16)
def _client_of(authority: str, process: int) -> Client:
    spark_user = os.environ.get("SPARK_USER")
    if spark_user is not None:
        # The user for whom Spark's executors act may differ from the one they run as.
        os.environ.setdefault("HADOOP_USER_NAME", spark_user)
    with _plain_errors():
        return Client(f"hdfs://{authority}")
