"""Opens a table by its index or, if it has none, by Hudi's own column statistics."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from pycompiler.compile.expression.model import HudiExpression
from pycompiler.compile.values.types import HiveType
from pycompiler.index.collect.partition_values import PartitionColumns
from pycompiler.index.errors import IndexMissingError
from pycompiler.index.file_systems.location import Location
from pycompiler.index.index import StatisticsIndex
from pycompiler.table.files import FileSlice, TableFile
from pycompiler.table.properties import TableProperties
from pycompiler.table.timeline import Timeline
from pycompiler.tools.explain.columns import schema_of
from pycompiler.tools.explain.known_table import KnownStatistics, KnownTable, of_index, with_path_values
from pycompiler.tools.explain.unindexed import open_unindexed


@dataclass(frozen=True, slots=True)
class OpenTable:
    """A table whose statistics can be read.

    Attributes:
        known: Its current files, and what is known of them.
        schema: Its columns; None for a table without files.
        names: The names, in lower case, by which statements probably call it: Hudi's, and the last part of
            its path.
    """

    properties: TableProperties
    known: KnownTable
    schema: Mapping[str, HiveType] | None
    names: frozenset[str]

    def keeps(self, slice_: FileSlice, kept: Mapping[TableFile, bool]) -> bool:
        """Whether a query reads a file slice, given whether an expression keeps each file."""
        # Sound if each row of the slice is a row of one of its files (docs/inside/formats.md, section 2).
        return bool(slice_.logs and self.properties.mixing) or any(kept[file] for file in slice_.files)

    def statistics(self, expressions: Sequence[HudiExpression]) -> KnownStatistics:
        """The statistics of the columns of some expressions."""
        return self.known.statistics(
            frozenset(column for expression in expressions for column in expression.columns())
        )

    def slices_kept(
        self, expressions: Sequence[HudiExpression], statistics: KnownStatistics
    ) -> Iterator[list[FileSlice]]:
        """The file slices that a query reads by some statistics, for each of some expressions."""
        for expression in expressions:
            kept = statistics.keeps(expression)
            yield [each for each in self.known.slices if self.keeps(each, kept)]


@contextmanager
def open_table(table: Location, *, is_read_optimized: bool = False) -> Iterator[OpenTable]:
    """Opens a table; its statistics can be read within the block.

    If the table has no index, a Java process reads Hudi's own column statistics, as a query does.

    Raises:
        IndexUnavailableError: The index is unusable.
        TableUnreadableError: The table's properties or timeline cannot be read, or need a newer release.
        ExplanationError: The newest file of the table cannot be read; or the table has no index, and Java,
            PySpark or the handler's jar is missing, or the metadata table cannot be read.
    """
    properties = TableProperties.read(table)
    properties.require_readable(table)
    try:
        index = StatisticsIndex.open(str(table))
    except IndexMissingError:
        with open_unindexed(table, is_read_optimized=is_read_optimized) as known:
            yield _opened(table, properties, Timeline(table, properties), known)
        return
    # Read the index before the timeline: files published in between then at worst count as not indexed.
    timeline = Timeline(table, properties)
    known = of_index(index, table, timeline, is_read_optimized=is_read_optimized)
    yield _opened(table, properties, timeline, known)


def _opened(table: Location, properties: TableProperties, timeline: Timeline, known: KnownTable) -> OpenTable:
    names = frozenset({properties.name.lower(), str(table).rstrip("/").rpartition("/")[2].lower()} - {""})
    schema = schema_of(table, timeline, known.slices)
    written = PartitionColumns.written_by(properties.partition_fields, properties.all)
    if schema and written.names:
        known = with_path_values(known, written, schema)
    return OpenTable(properties, known, schema, names)
