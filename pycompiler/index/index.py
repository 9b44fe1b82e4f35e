"""Reading the statistics index."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import pyarrow.compute as pc

from pycompiler.expression.statistics import ColumnStatistics
from pycompiler.index.data_file import DataFileReader
from pycompiler.index.errors import IndexDamagedError, IndexMissingError
from pycompiler.index.kinds import index_kind
from pycompiler.index.layout import paths, widen
from pycompiler.index.manifest import Manifest, generations, load_manifest
from pycompiler.index.records import (
    FILES,
    RANGE,
    FileGroup,
    HoodieMetadataRecord,
    IndexedFile,
    apply_record,
    from_table,
)
from pycompiler.index.storage.errors import UnsupportedStorageError
from pycompiler.index.storage.factory import open_storage
from pycompiler.index.storage.interface import IndexStorage
from pycompiler.values.types import HiveType

_ATTEMPTS: Final = 10
_logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class IndexedStatistics:
    """What the index has on one column in one file: it holds if the file still has the size."""

    file_size: int
    statistics: ColumnStatistics


@dataclass(frozen=True, slots=True)
class CombinedMetadataRecord:
    """All that is known about one base file.

    Attributes:
        file: The file.
        columns: Statistics by column; a column that is missing says nothing.
    """

    file: IndexedFile
    columns: Mapping[str, ColumnStatistics]


class StatisticsIndex:
    """One generation of a table's index. It stays readable, and the same, while newer ones are published.

    Every read is checked; a method that reads raises `IndexDamagedError` if anything disagrees, and then no
    part of the index may be used.
    """

    def __init__(self, storage: IndexStorage, manifest: Manifest) -> None:
        self._storage = storage
        self._manifest = manifest
        self._readers = [DataFileReader(storage, data_file) for data_file in manifest.data_files]

    @staticmethod
    def open(table: str | Path) -> StatisticsIndex:
        """Opens the newest generation.

        Args:
            table: Root of the Hudi table, a path or a URI as Hadoop writes it.

        Raises:
            IndexMissingError: The table has no index.
            IndexDamagedError: The newest manifest isn't whole. Older ones are not tried: they may list files
                that are gone.
            IndexVersionError: It is of a format that this version doesn't read.
            OSError: The file system failed.
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
        """The base files that it has rows of, by path relative to the table. Some may be gone since."""
        return {file.path: file for file in self._entries(None) if not file.has_left}

    def live_files(self, groups: Collection[FileGroup] | None = None) -> dict[str, IndexedFile]:
        """The base files that the table had when the index was last brought up to date, by path.

        Args:
            groups: The file groups that are asked for, beside which there may be others; None for all.
        """
        last = {file.path: file for file in self._entries(groups)}
        return {path: file for path, file in last.items() if not file.has_left}

    def _entries(self, wanted: Collection[FileGroup] | None) -> Iterator[IndexedFile]:
        """Base files as the data files have them one after the other, with the marks of those that left."""
        before: list[tuple[int, int]] = []
        for reader in self._readers:
            groups = [
                (group.length, group.crc32) for group in reader.data_file.row_groups if group.kind == FILES
            ]
            if groups == before:
                continue  # The parts of a big build have the same table of files.
            before = groups
            files = reader.files() if wanted is None else reader.files_of(wanted)
            for row in zip(*(column.to_pylist() for column in files.columns), strict=True):
                yield IndexedFile(*row)

    def columns(self) -> list[str]:
        """Names of all columns that have rows, sorted."""
        names: set[str] = set()
        for reader in self._readers:
            for table in reader.rows():
                names.update(pc.unique(table["column"]).to_pylist())
        return sorted(names)

    def records(
        self, columns: Collection[str] | None = None, kinds: Collection[str] | None = None
    ) -> Iterator[HoodieMetadataRecord]:
        """The records of some columns (None: of all) and kinds (None: all).

        Of records with the same kind, column and file the last is in force; earlier ones come before it.
        """
        for reader in self._readers:
            for table in reader.rows(kinds, columns):
                yield from from_table(widen(table, reader.files()))

    def statistics(self, columns: Collection[str]) -> dict[str, dict[str, IndexedStatistics]]:
        """Statistics of some columns.

        Args:
            columns: Index names of the columns (lower-case, dotted).

        Returns:
            For each of the columns, statistics by path of the file relative to the table. A file that is not
            in it, or has another size by now, has to be kept.
        """
        found: dict[str, dict[str, IndexedStatistics]] = {column: {} for column in columns}
        for reader in self._readers:
            known = _KnownFiles(reader)
            kinds = [RANGE, *filter(index_kind, reader.kinds(columns) - {RANGE, FILES})]
            for table in reader.rows(kinds, columns):
                for row in zip(*(table[name].to_pylist() for name in _SAID), strict=True):
                    known.add(found, *row)
        return found

    def combined(self, columns: Collection[str] | None = None) -> Iterator[CombinedMetadataRecord]:
        """The same, turned round: one record for each base file, by path.

        Args:
            columns: Index names of the columns that it is to have; None for all.
        """
        of_columns = self.statistics(self.columns() if columns is None else columns)
        for path, file in sorted(self.files().items()):
            yield CombinedMetadataRecord(
                file,
                {
                    column: found.statistics
                    for column, by_file in of_columns.items()
                    if (found := by_file.get(path)) is not None and found.file_size == file.size
                },
            )

    def check_presence(self) -> None:
        """Makes sure that all data files are there, with one look at the directory.

        Raises:
            IndexDamagedError: One is missing.
        """
        missing = {data_file.name for data_file in self._manifest.data_files} - {*self._storage.names()}
        if missing:
            raise IndexDamagedError(f"{min(missing)} is missing")

    def check(self) -> None:
        """Compares all checksums.

        Raises:
            IndexDamagedError: Something is missing or fails its checksum.
        """
        for reader in self._readers:
            reader.check()


_SAID: Final = ("column", "file", "type", "kind", "lower", "upper", "null_count", "nan_count", "content")


class _KnownFiles:
    """The base files of a data file, whose rows are put together to statistics."""

    def __init__(self, reader: DataFileReader) -> None:
        self._reader = reader
        self._types: dict[str, HiveType] = {}

    @cached_property
    def _files(self) -> list[tuple[str, int, int]]:
        files = self._reader.files()
        columns = (paths(files), files["file_size"], files["value_count"])
        return list(zip(*(column.to_pylist() for column in columns), strict=True))

    def add(
        self,
        found: dict[str, dict[str, IndexedStatistics]],
        column: str,
        ordinal: int,
        type_name: str,
        kind: str,
        *said: Any,
    ) -> None:
        """Adds what a row says to what earlier ones have said of the same bytes."""
        path, size, rows = self._files[ordinal]
        hive_type = self._types.get(type_name)
        if hive_type is None:
            hive_type = self._types[type_name] = HiveType.parse(type_name)
        before = found[column].get(path)
        if before is not None and (
            before.file_size,
            before.statistics.type,
            before.statistics.value_count,
        ) == (size, hive_type, rows):
            known = before.statistics
        else:
            known = ColumnStatistics(hive_type, value_count=rows)
        try:
            known = apply_record(kind, known, *said)
        except ValueError as error:
            _logger.warning("what the index says of %s in %s can't be read: %s", column, path, error)
        found[column][path] = IndexedStatistics(size, known)


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
