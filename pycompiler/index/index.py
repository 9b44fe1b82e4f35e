"""Reads the statistics index."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from pycompiler.compile.expression.statistics import ColumnStatistics
from pycompiler.compile.values.types import HiveType
from pycompiler.index.data_file import DataFileReader
from pycompiler.index.errors import IndexDamagedError, IndexMissingError
from pycompiler.index.file_systems.errors import UnsupportedStorageError
from pycompiler.index.file_systems.factory import open_storage
from pycompiler.index.file_systems.interface import IndexStorage
from pycompiler.index.kinds import index_kind
from pycompiler.index.manifest import Manifest, generations, load_manifest
from pycompiler.index.record_rows import paths
from pycompiler.index.records import (
    FILES,
    RANGE,
    RECORD_KEY,
    RECORD_SCHEMA,
    FileGroup,
    IndexedFile,
    apply_record,
)

_ATTEMPTS: Final = 10
_logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class IndexedStatistics:
    """Statistics of one column in one file, valid while the file has this size."""

    file_size: int
    statistics: ColumnStatistics


class StatisticsIndex:
    """One generation of a table's index. It stays readable and unchanged while newer ones are published.

    Every read is checked. Methods that read raise `IndexDamagedError` on any mismatch; then no part of the
    index may be used.
    """

    def __init__(self, storage: IndexStorage, manifest: Manifest) -> None:
        self._storage = storage
        self.manifest: Final = manifest
        self._readers = [DataFileReader(storage, data_file) for data_file in manifest.data_files]

    @staticmethod
    def open(table: str | Path) -> StatisticsIndex:
        """Opens the newest generation of the index of the table with this root: a path or Hadoop URI.

        Raises:
            IndexMissingError: The table has no index.
            IndexDamagedError: The newest manifest is damaged. Older ones are not tried, because they may list
                files that are gone.
            IndexVersionError: This version does not read the index's format.
        """
        try:
            storage = open_storage(table)
        except UnsupportedStorageError as error:
            raise IndexMissingError(f"no statistics index at {table}: {error}") from error
        return StatisticsIndex(storage, newest_manifest(storage, str(table)))

    def files(self) -> dict[str, IndexedFile]:
        """The files with records, by path relative to the table. Some may have left the table since."""
        return {file.path: file for file in self._entries(None) if not file.is_gone}

    def live_files(self, groups: Collection[FileGroup] | None = None) -> dict[str, IndexedFile]:
        """The files that the table had when the index was last updated, by path.

        If file groups are given, the files of others may be missing.
        """
        last = {file.path: file for file in self._entries(groups)}
        return {path: file for path, file in last.items() if not file.is_gone}

    def _entries(self, wanted: Collection[FileGroup] | None) -> Iterator[IndexedFile]:
        """Files in the order of the data files, including marks of files that left."""
        before: list[tuple[int, int]] = []
        for reader in self._readers:
            groups = [
                (group.length, group.crc32) for group in reader.data_file.row_groups if group.kind == FILES
            ]
            if groups == before:
                continue  # The parts of a large build share one table of files.
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

    def rows_of(self, files: Collection[str]) -> pa.Table:
        """The records in force about some files, given by their paths, as a table of `RECORD_SCHEMA`."""
        found = [table for reader in self._readers for table in reader.rows_of(files)]
        rows = pa.concat_tables([RECORD_SCHEMA.empty_table(), *found])
        numbered = rows.append_column("number", pa.array(range(rows.num_rows), pa.int64()))
        last = numbered.group_by(RECORD_KEY).aggregate([("number", "max")])
        return rows.take(last["number_max"])

    def statistics(self, columns: Collection[str]) -> dict[str, dict[str, IndexedStatistics]]:
        """Statistics of columns (lower-case, dotted), by column and by file path relative to the table.

        A file that is missing here, or now has another size, must be kept.
        """
        found: dict[str, dict[str, IndexedStatistics]] = {column: {} for column in columns}
        for reader in self._readers:
            files: list[tuple[str, int, int]] = []
            kinds = [RANGE, *filter(index_kind, reader.kinds(columns) - {RANGE, FILES})]
            for table in reader.rows(kinds, columns):
                files = files or _paths_sizes_and_rows(reader.files())
                for column, file, *record in zip(*(table[name].to_pylist() for name in _FIELDS), strict=True):
                    _add(found[column], column, files[file], *record)
        return found

    def check_presence(self) -> None:
        """Verifies that all data files exist, by listing the directory once."""
        missing = {data_file.name for data_file in self.manifest.data_files} - {*self._storage.names()}
        if missing:
            raise IndexDamagedError(f"{min(missing)} is missing")

    def check(self) -> None:
        """Verifies all checksums."""
        for reader in self._readers:
            reader.check()


_FIELDS: Final = ("column", "file", "type", "kind", "lower", "upper", "null_count", "nan_count", "content")
"""A column and a file's ordinal, and the arguments of `_add`."""


def _paths_sizes_and_rows(files: pa.Table) -> list[tuple[str, int, int]]:
    columns = (paths(files), files["file_size"], files["value_count"])
    return list(zip(*(column.to_pylist() for column in columns), strict=True))


def _add(
    found: dict[str, IndexedStatistics],
    column: str,
    file: tuple[str, int, int],
    type_name: str,
    kind: str,
    *statistics: Any,
) -> None:
    """Merges a record into the statistics from earlier ones, if they describe the same bytes."""
    path, size, rows = file
    hive_type = HiveType.parse(type_name)
    known = ColumnStatistics(hive_type, value_count=rows)
    before = found.get(path)
    if before is not None and before.file_size == size:
        earlier = before.statistics
        if (earlier.type, earlier.value_count) == (hive_type, rows):
            known = earlier
    try:
        known = apply_record(kind, known, *statistics)
    except ValueError as error:
        _logger.warning("ignoring an unreadable index record of %s in %s: %s", column, path, error)
    found[path] = IndexedStatistics(size, known)


def newest_manifest(storage: IndexStorage, table: str) -> Manifest:
    """Loads the manifest with the highest number."""
    for _ in range(_ATTEMPTS):
        numbers = generations(storage)
        if not numbers:
            break
        try:
            return load_manifest(storage, numbers[-1])
        except IndexMissingError:
            continue  # Superseded and cleaned away between the two calls.
    raise IndexMissingError(f"no statistics index at {table}; build one with: hudi-skip index build {table}")
