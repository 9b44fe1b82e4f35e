"""From a location to its file system: the index of a table there, and base files.

What HDFS and object stores need is installed with an extra of its own, and loaded when it is used.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import pyarrow as pa
from pyarrow import fs

from pycompiler.index.storage.errors import UnsupportedStorageError
from pycompiler.index.storage.interface import IndexStorage
from pycompiler.index.storage.local import LocalStorage, names_in
from pycompiler.index.storage.location import Location

if TYPE_CHECKING:
    from types import ModuleType

HDFS: Final = "hdfs"
OBJECT_STORES: Final = frozenset({"s3", "s3a", "s3n", "gs", "abfs", "abfss"})
"""Schemes of stores of which put-if-absent is known to be one of their requests."""


def open_storage(table: str | Path) -> IndexStorage:
    """Gives the storage of a table's index.

    Args:
        table: Root of the table: a path, or a URI as Hadoop writes it (not percent-encoded).

    Raises:
        UnsupportedStorageError: The table is on a file system on which no index can be published safely, or
            the library for it is not installed.
        OSError: The file system's settings are not right.
    """
    location = Location.parse(str(table))
    if location.is_local:
        return LocalStorage(location.path)
    storage: IndexStorage
    if location.scheme == HDFS:
        storage = _hdfs(location).HdfsStorage(location)
    else:
        storage = _object_store(location).ObjectStorage(location)
    return storage


def client_module(location: Location) -> tuple[str, ...]:
    """The library that a place's file system is reached with, besides those that every place needs."""
    if location.is_local:
        return ()
    return ("hdfs_native",) if location.scheme == HDFS else ("obstore",)


def open_source(path: str) -> pa.NativeFile:
    """Opens a file for reading at any place.

    Args:
        path: A path, or a URI as Hadoop writes it.

    Raises:
        FileNotFoundError: There is none.
        OSError: The file system failed.
        UnsupportedStorageError: Files of this file system can't be read; the message says why.
    """
    location = Location.parse(path)
    if location.is_local:
        return fs.LocalFileSystem().open_input_file(location.path)
    if location.scheme == HDFS:
        return pa.PythonFile(_hdfs(location).HdfsFile(location), "r")
    return pa.PythonFile(_object_store(location).ObjectFile(location), "r")


def list_names(folder: Location) -> list[str]:
    """Names of the files in a folder at any place, sorted; none if there is no such folder.

    Raises:
        OSError: The file system failed.
        UnsupportedStorageError: Folders of this file system can't be listed; the message says why.
    """
    names: list[str]
    if folder.is_local:
        names = names_in(folder.path)
    elif folder.scheme == HDFS:
        names = _hdfs(folder).names_in(folder)
    else:
        names = _object_store(folder).names_in(folder)
    return names


def _hdfs(location: Location) -> ModuleType:
    try:
        from pycompiler.index.storage import hdfs
    except ImportError as error:
        raise _not_installed(location, "hdfs", error) from error
    return hdfs


def _object_store(location: Location) -> ModuleType:
    if location.scheme not in OBJECT_STORES:
        raise UnsupportedStorageError(
            f"no index can be kept on {location.scheme}: file systems ({location}): only on local and "
            f"mounted ones, on {HDFS}: and on {', '.join(f'{scheme}:' for scheme in sorted(OBJECT_STORES))}"
        )
    try:
        from pycompiler.index.storage import object_store
    except ImportError as error:
        raise _not_installed(location, "object-store", error) from error
    return object_store


def _not_installed(location: Location, extra: str, error: ImportError) -> UnsupportedStorageError:
    return UnsupportedStorageError(
        f"{location} needs a library that is not installed here ({error}); in the checkout run: "
        f"pip install '.[{extra}]'"
    )
