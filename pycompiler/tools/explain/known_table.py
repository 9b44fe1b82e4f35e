"""What a query knows of a table before it opens a file: its current files, and statistics of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from pycompiler.compile.expression.evaluator import FileStatistics, evaluate
from pycompiler.compile.expression.model import HudiExpression
from pycompiler.compile.expression.statistics import ColumnStatistics
from pycompiler.compile.values.types import RECORDED_MILLIS, TIMESTAMP, HiveType, ValueKind
from pycompiler.index.collect.partition_values import PartitionColumns
from pycompiler.index.file_systems.location import Location
from pycompiler.index.index import IndexedStatistics, StatisticsIndex
from pycompiler.table.files import FileSlice, TableFile, table_slices
from pycompiler.table.timeline import Timeline


@dataclass(frozen=True, slots=True)
class KnownStatistics:
    """Statistics of some columns.

    Attributes:
        by_file: The statistics of each of the table's files, by lower-case column.
        obstacles: Why Hudi's own statistics of a column are not used, or not for each file, by column; for a
            table without an index.
    """

    by_file: Mapping[TableFile, FileStatistics]
    obstacles: Mapping[str, str] = field(default_factory=dict)

    def keeps(self, expression: HudiExpression) -> Mapping[TableFile, bool]:
        """Whether an expression keeps each file, by what is known of its columns."""
        return dict(zip(self.by_file, evaluate(expression, list(self.by_file.values())), strict=True))


ReadStatistics: TypeAlias = Callable[[frozenset[str]], KnownStatistics]
"""Reads the statistics of some columns, by their lower-case names."""


@dataclass(frozen=True, slots=True)
class KnownTable:
    """The current file slices of a table, and the statistics by which a query skips them.

    Attributes:
        source: Where the statistics come from, in the words of the handler's log.
        has_statistics: Whether the source has any.
        generation: Generation of the index; None if there is no index.
        instant: Last instant that the source has seen.
        slices: The file slices, by path.
        complete: False if there may be more slices, because the index does not cover archived commits.
        statistics: Reads statistics of their files.
    """

    source: str
    has_statistics: bool
    generation: int | None
    instant: str
    slices: tuple[FileSlice, ...]
    complete: bool
    statistics: ReadStatistics


def _readable(of_file: Mapping[str, IndexedStatistics]) -> Mapping[str, IndexedStatistics]:
    """The statistics of a column in the unit of the last build, if it has timestamps.

    Queries compare with the table's schema, which is not read here: the last build has.
    """
    types = {known.statistics.type for known in of_file.values()}
    moments = {each for each in types if each.kind is ValueKind.TIMESTAMP}
    if moments <= {TIMESTAMP}:
        return of_file
    known_types = moments & {RECORDED_MILLIS} or moments
    return {
        path: replace(known, statistics=replace(known.statistics, type=TIMESTAMP))
        for path, known in of_file.items()
        if known.statistics.type in known_types
    }


def of_index(
    index: StatisticsIndex, table: Location, timeline: Timeline, *, is_read_optimized: bool
) -> KnownTable:
    """A table as its index and a timeline that was listed after opening the index tell.

    Raises:
        IndexDamagedError: The index is damaged; also when statistics are read.
        TableUnreadableError: A commit cannot be read.
    """
    manifest = index.manifest
    found = table_slices(table, timeline, index.files().values(), manifest.instant, manifest.timeline)
    slices = found.slices
    if is_read_optimized:
        slices = tuple(FileSlice(each.base) for each in slices if each.base is not None)

    def statistics(columns: frozenset[str]) -> KnownStatistics:
        indexed = {column: _readable(of_file) for column, of_file in index.statistics(columns).items()}
        return KnownStatistics(
            {
                file: {
                    column: of_file[file.path].statistics
                    for column, of_file in indexed.items()
                    if file.indexed and file.path in of_file and of_file[file.path].file_size == file.size
                }
                for each in slices
                for file in each.files
            }
        )

    return KnownTable(
        source=f"generation {manifest.generation}, instant {manifest.instant}",
        has_statistics=True,
        generation=manifest.generation,
        instant=manifest.instant,
        slices=slices,
        complete=found.complete,
        statistics=statistics,
    )


def with_path_values(
    known: KnownTable, written: PartitionColumns, schema: Mapping[str, HiveType]
) -> KnownTable:
    """A table in which values that readers take from paths replace those in its files."""
    constants: dict[str, Mapping[str, bytes | None]] = {}

    def of_file(file: TableFile, columns: frozenset[str], stored: FileStatistics) -> FileStatistics:
        folder = file.path.rpartition("/")[0]
        if folder not in constants:
            constants[folder] = written.constants(folder, schema)
        of_path = constants[folder]
        kept = {name: each for name, each in stored.items() if of_path.keys().isdisjoint(name.split(","))}
        for name in of_path.keys() & columns:
            nulls = 1 if of_path[name] is None else 0
            kept[name] = ColumnStatistics(schema[name], of_path[name], of_path[name], nulls, 1, 0)
        return kept

    def statistics(columns: frozenset[str]) -> KnownStatistics:
        read = known.statistics(columns)
        return replace(
            read, by_file={file: of_file(file, columns, stored) for file, stored in read.by_file.items()}
        )

    return replace(known, statistics=statistics)
