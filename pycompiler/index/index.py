"""Reading the statistics index."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from pycompiler.expression.statistics import ColumnStatistics
from pycompiler.index.data_file import read_data_file
from pycompiler.index.errors import IndexMissingError, UnsupportedStorageError
from pycompiler.index.manifest import Manifest, generations, load_manifest
from pycompiler.index.records import HoodieMetadataRecord, from_table, relative_path
from pycompiler.index.storage import IndexStorage, open_storage

_FILE_COLUMNS: Final = ("partition", "file_name", "file_id", "commit_time", "file_size", "value_count")
_ATTEMPTS: Final = 10


@dataclass(frozen=True, slots=True)
class IndexedFile:
    """A base file that the index has rows for.

    Attributes:
        partition: Partition path relative to the table.
        file_name: Name of the base file.
        file_id: Hudi's file id.
        commit_time: Instant that wrote the file.
        size: Bytes when it was indexed; the rows hold for a file of this size only.
        rows: Rows of the file.
    """

    partition: str
    file_name: str
    file_id: str
    commit_time: str
    size: int
    rows: int

    @property
    def path(self) -> str:
        """Path relative to the table."""
        return relative_path(self.partition, self.file_name)


@dataclass(frozen=True, slots=True)
class FileStatistics:
    """Statistics of one column in one file, with the size that the file must have for them to hold."""

    file_size: int
    statistics: ColumnStatistics


class StatisticsIndex:
    """One generation of a table's index. It stays readable, and the same, while newer ones are published.

    Every read is checked; a method that reads raises `IndexDamagedError` if anything disagrees, and then no
    part of the index may be used.
    """

    def __init__(self, storage: IndexStorage, manifest: Manifest) -> None:
        self._storage = storage
        self._manifest = manifest

    @staticmethod
    def open(table: str | Path) -> StatisticsIndex:
        """Opens the newest generation.

        Args:
            table: Root of the Hudi table, a path or `file:` URI.

        Raises:
            IndexMissingError: The table has no index.
            IndexDamagedError: The newest manifest isn't whole. Older ones are not tried: they may list files
                that are gone.
            IndexVersionError: It is of a format that this version doesn't read.
        """
        try:
            storage = open_storage(table)
        except UnsupportedStorageError as error:
            raise IndexMissingError(f"no statistics index at {table}: {error}") from error
        return StatisticsIndex(storage, newest_manifest(storage, str(table)))

    @property
    def manifest(self) -> Manifest:
        """What the generation consists of."""
        return self._manifest

    @property
    def generation(self) -> int:
        """Number of the generation."""
        return self._manifest.generation

    def files(self) -> dict[str, IndexedFile]:
        """The base files that have rows, by path relative to the table. Some may be gone since."""
        files: dict[str, IndexedFile] = {}
        for table in self._tables(None):
            distinct = table.select(_FILE_COLUMNS).group_by(list(_FILE_COLUMNS)).aggregate([])
            for row in zip(*(distinct[name].to_pylist() for name in _FILE_COLUMNS), strict=True):
                file = IndexedFile(*row)
                files[file.path] = file
        return files

    def columns(self) -> list[str]:
        """Names of all columns that have rows, sorted."""
        names: set[str] = set()
        for table in self._tables(None):
            names.update(pc.unique(table["column"]).to_pylist())
        return sorted(names)

    def records(self, columns: Collection[str] | None = None) -> Iterator[HoodieMetadataRecord]:
        """The rows of some columns (None: of all).

        Of rows with the same column and file the last is in force; earlier ones are given too, before it.
        """
        for table in self._tables(columns):
            yield from from_table(table)

    def statistics(self, columns: Collection[str]) -> dict[str, dict[str, FileStatistics]]:
        """Statistics of some columns.

        Args:
            columns: Index names of the columns (lower-case, dotted).

        Returns:
            For each of the columns, statistics by path of the file relative to the table. A file that is not
            in it, or has another size by now, has to be kept.
        """
        found: dict[str, dict[str, FileStatistics]] = {column: {} for column in columns}
        for record in self.records(columns):
            found[record.column][record.path] = FileStatistics(record.file_size, record.statistics())
        return found

    def check(self) -> None:
        """Reads everything once.

        Raises:
            IndexDamagedError: Something is missing or fails its checksum.
        """
        for _ in self._tables(None):
            pass

    def _tables(self, columns: Collection[str] | None) -> Iterator[pa.Table]:
        for data_file in self._manifest.data_files:
            yield from read_data_file(self._storage, data_file, columns)


def newest_manifest(storage: IndexStorage, table: str) -> Manifest:
    """Loads the manifest with the highest number.

    Raises:
        IndexMissingError: There is none.
        IndexDamagedError: It isn't whole.
        IndexVersionError: It is of another format.
    """
    for _ in range(_ATTEMPTS):
        numbers = generations(storage)
        if not numbers:
            break
        try:
            return load_manifest(storage, numbers[-1])
        except IndexMissingError:
            continue  # Superseded and cleaned away between the two calls.
    raise IndexMissingError(f"no statistics index at {table}; build one with: hudi-skip index build {table}")
