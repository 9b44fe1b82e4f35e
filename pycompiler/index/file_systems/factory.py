"""Chooses the file system for a location.

Libraries for HDFS and object stores are optional extras, imported on use.
"""

from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Final

import pyarrow as pa
from pyarrow import fs

from pycompiler.index.file_systems.errors import UnsupportedStorageError
from pycompiler.index.file_systems.interface import Folder, IndexStorage
from pycompiler.index.file_systems.local import LocalStorage, folder_in
from pycompiler.index.file_systems.location import Location

HDFS: Final = "hdfs"
OBJECT_STORES: Final = frozenset({"s3", "s3a", "s3n", "gs", "abfs", "abfss"})
"""Schemes of object stores that support put-if-absent requests."""


def open_storage(table: str | Path) -> IndexStorage:
    """Returns the storage of a table's index.

    Args:
        table: Root of the table: a path, or a Hadoop URI (not percent-encoded).

    Raises:
        UnsupportedStorageError: No index can be published safely on the table's file system, or its library
            is not installed.
        OSError: The file system is misconfigured.
    """
    location = Location.parse(str(table))
    if location.is_local:
        return LocalStorage(location.path)
    storage: IndexStorage = _client(location).Storage(location)
    return storage


_LOCAL: Final = fs.LocalFileSystem()


def client_module(location: Location) -> tuple[str, ...]:
    """The extra library for a location's file system, if any."""
    if location.is_local:
        return ()
    return ("hdfs_native",) if location.scheme == HDFS else ("obstore",)


def open_source(path: str) -> pa.NativeFile:
    """Opens a file on any file system for reading.

    Raises:
        FileNotFoundError: The file does not exist.
        UnsupportedStorageError: The file system is not supported; the message says why.
    """
    location = Location.parse(path)
    if location.is_local:
        return _LOCAL.open_input_file(location.path)
    return pa.PythonFile(_client(location).File(location), "r")


def read_whole(file: Location) -> bytes:
    """The content of a small file; raises the errors of `open_source`."""
    with open_source(str(file)) as source:
        content: bytes = source.read()
        return content


def list_folder(folder: Location) -> Folder:
    """What a folder on any file system holds.

    Raises:
        UnsupportedStorageError: The file system is not supported; the message says why.
    """
    found: Folder = folder_in(folder.path) if folder.is_local else _client(folder).folder_in(folder)
    return found


def _client(location: Location) -> ModuleType:
    """The module for a location that is not local."""
    if location.scheme != HDFS and location.scheme not in OBJECT_STORES:
        raise UnsupportedStorageError(
            f"the index cannot be stored on {location.scheme}: file systems ({location}); use a local one, "
            f"{HDFS}: or {', '.join(f'{scheme}:' for scheme in sorted(OBJECT_STORES))}"
        )
    module = "hdfs" if location.scheme == HDFS else "object_store"
    try:
        return import_module(f"{__package__}.{module}")
    except ImportError as error:
        raise UnsupportedStorageError(
            f"{location} needs a library that is not installed here ({error}); run: "
            f"pip install 'hudi-skip[{module.replace('_', '-')}]'"
        ) from error
