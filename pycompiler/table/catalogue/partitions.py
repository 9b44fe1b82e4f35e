"""A table's partitions and their keys, from its index."""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from pycompiler.compile.planner.keys import MAX_KEY_BYTES, EncodedValue, KeyColumn, KeyLayout, ended
from pycompiler.compile.planner.sorted_partitions import constant_values
from pycompiler.compile.values.types import read_by_default
from pycompiler.index.collect.partition_values import PartitionColumns
from pycompiler.index.file_systems.location import Location
from pycompiler.index.index import IndexedStatistics, StatisticsIndex
from pycompiler.index.manifest import Manifest, SeenTimeline
from pycompiler.index.records import IndexedFile
from pycompiler.table.catalogue.errors import CatalogueError
from pycompiler.table.properties import TableProperties

_FORMAT_VERSION: Final = 2
"""Keys of version 1 may have values that other files of the partition have, but not its path."""
_LONGEST_NUMBER: Final = b"f" * 16
"""Placeholder for a publication's number in row keys (io.hudiskip.hbase.RowKeys), as long as any real one."""


@dataclass(frozen=True, slots=True)
class Partition:
    """A partition with files: their number, total size, and the instant of the last commit that wrote one.

    It has no key if its values are not proven constant, or if its path has others, which readers return.
    """

    path: str
    key: bytes | None
    files: int
    bytes: int
    instant: str

    @property
    def description(self) -> str:
        """The partition's description in the catalogue, for people."""
        return f"{self.files} {self.bytes} {self.instant}"


@dataclass(frozen=True, slots=True)
class Generation:
    """All partitions of a table with files, after exactly the instants that its index has seen.

    Those with a key come first, in key order.
    """

    columns: tuple[KeyColumn, ...]
    partitions: tuple[Partition, ...]
    manifest: Manifest
    timeline: SeenTimeline

    @property
    def unkeyed(self) -> int:
        """Number of partitions without a key, which every plan leaves."""
        return sum(partition.key is None for partition in self.partitions)

    def document(self) -> bytes:
        """The metadata that readers of the catalogue need."""
        content: dict[str, Any] = {
            "format_version": _FORMAT_VERSION,
            "generation": self.manifest.generation,
            "instant": self.manifest.instant,
            "columns": [{"name": column.name, "type": str(column.type)} for column in self.columns],
            "partitions": len(self.partitions),
            "unkeyed": self.unkeyed,
            "live": asdict(self.manifest.live),
            "timeline": self.timeline.document(),
        }
        return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()


def read_generation(table: Location) -> Generation:
    """Reads the partitions of a copy-on-write table from the newest generation of its index."""
    properties = TableProperties.read(table)
    if not properties.is_copy_on_write:
        raise CatalogueError(
            f"{table} is a merge-on-read table; catalogues support copy-on-write tables only"
        )
    if not properties.partition_columns:
        raise CatalogueError(f"{table} has no partition columns; only partitioned tables can be published")
    index = StatisticsIndex.open(str(table))
    manifest = index.manifest
    files = index.live_files()
    counted = (len(files), sum(file.size for file in files.values()))
    if manifest.timeline is None or counted != (manifest.live.files, manifest.live.bytes):
        raise CatalogueError(
            f"the index of {table} does not record its commits; rebuild it: hudi-skip index build {table}"
        )
    statistics = index.statistics(properties.partition_columns)
    columns = _columns(properties.partition_columns, statistics, files)
    row_prefix = ended(str(table).encode()) + ended(_LONGEST_NUMBER)
    layout = KeyLayout(columns, MAX_KEY_BYTES - len(row_prefix))
    written = PartitionColumns.written_by(properties.partition_fields, properties.all)
    partitions = sorted(
        _partitions(layout, files, statistics, written),
        key=lambda of: (of.key is None, of.key or b"", of.path),
    )
    return Generation(columns, tuple(partitions), manifest, manifest.timeline)


def _columns(
    names: Sequence[str],
    statistics: Mapping[str, Mapping[str, IndexedStatistics]],
    files: Mapping[str, IndexedFile],
) -> tuple[KeyColumn, ...]:
    """The columns, with the types of the newest file that has statistics of them.

    Even if Hive reads another type, no answer becomes wrong: readers compare the types.
    """
    columns = []
    for name in names:
        newest = max(
            (path for path in statistics[name] if path in files),
            key=lambda path: (files[path].commit_time, path),
            default=None,
        )
        if newest is None:
            raise CatalogueError(
                f"the index has no values for the partition column {name};"
                f" rebuild it with --add-index {name}=range"
            )
        columns.append(KeyColumn(name, read_by_default(statistics[name][newest].statistics.type)))
    return tuple(columns)


def _partitions(
    layout: KeyLayout,
    files: Mapping[str, IndexedFile],
    statistics: Mapping[str, Mapping[str, IndexedStatistics]],
    written: PartitionColumns,
) -> Iterator[Partition]:
    by_path: defaultdict[str, list[IndexedFile]] = defaultdict(list)
    for file in files.values():
        by_path[file.partition].append(file)
    for path, of_partition in by_path.items():
        known = [
            {
                column: of_file.statistics
                for column, by_file in statistics.items()
                if (of_file := by_file.get(file.path)) is not None and of_file.file_size == file.size
            }
            for file in of_partition
        ]
        yield Partition(
            path,
            layout.key_if_any(_with_path(path, constant_values(layout, known), layout, written)),
            len(of_partition),
            sum(file.size for file in of_partition),
            max(file.commit_time for file in of_partition),
        )


def _with_path(
    path: str, values: tuple[EncodedValue, ...] | None, layout: KeyLayout, written: PartitionColumns
) -> tuple[EncodedValue, ...] | None:
    """The values, unless readers may return others in place of those in the files: the path's."""
    of_path = written.constants(path, {column.name: column.type for column in layout.columns})
    of_files = {column.name: value for column, value in zip(layout.columns, values or (), strict=False)}
    may_differ = any(
        of_path.get(column.name) != of_files.get(column.name)
        for column in layout.columns
        if column.name in of_path or written.may_have(column.name, column.type)
    )
    return None if may_differ else values
