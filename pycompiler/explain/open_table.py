"""Opens a table with the statistics that a query would use: those of its index, or else Hudi's own."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from pycompiler.explain.known_table import KnownTable, of_index
from pycompiler.explain.unindexed import open_unindexed
from pycompiler.index.errors import IndexMissingError
from pycompiler.index.file_systems.location import Location
from pycompiler.index.index import StatisticsIndex
from pycompiler.table.properties import TableProperties
from pycompiler.table.timeline import Timeline


@dataclass(frozen=True, slots=True)
class OpenTable:
    """A table that is open."""

    properties: TableProperties
    timeline: Timeline
    known: KnownTable


@contextmanager
def open_table(table: Location, *, is_read_optimized: bool = False) -> Iterator[OpenTable]:
    """Opens a table; its statistics can be read within the block.

    Args:
        table: Root of the table.
        is_read_optimized: Whether to ignore log files.

    Raises:
        IndexUnavailableError: The index is unusable.
        TableUnreadableError: The table's properties or timeline cannot be read, or need a newer release.
        ExplanationError: The table has no index, and Java, PySpark or the handler's jar is missing, or the
            metadata table cannot be read.
    """
    properties = TableProperties.read(table)
    properties.require_readable(table)
    try:
        index = StatisticsIndex.open(str(table))
    except IndexMissingError:
        with open_unindexed(table, is_read_optimized=is_read_optimized) as known:
            yield OpenTable(properties, Timeline(table, properties), known)
        return
    # Read the index before the timeline: files published in between then at worst count as not indexed.
    timeline = Timeline(table, properties)
    yield OpenTable(
        properties, timeline, of_index(index, table, timeline, is_read_optimized=is_read_optimized)
    )
