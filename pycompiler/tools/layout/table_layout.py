"""The layout of a table: the overlap of each column, and the sizes of files."""

from collections.abc import Sequence
from dataclasses import dataclass

from pycompiler.compile.values.types import HiveType
from pycompiler.index.file_systems.location import Location
from pycompiler.table.files import FileSlice
from pycompiler.table.properties import HUDI_COLUMNS
from pycompiler.tools.explain.columns import ExplanationError
from pycompiler.tools.explain.open_table import OpenTable, open_table
from pycompiler.tools.layout.overlap import Overlap, overlap
from pycompiler.tools.layout.queries import AskedQuery, asked_in_scans, asked_in_sql
from pycompiler.tools.scan_log.scans import Scan


@dataclass(frozen=True, slots=True)
class ColumnUse:
    """A column's overlap, and how many of the queries can skip files by it."""

    overlap: Overlap
    asked: int


@dataclass(frozen=True, slots=True)
class TableLayout:
    """The layout of a table.

    Attributes:
        source: Where the statistics come from, in the words of the handler's log.
        slices: The current file slices.
        columns: Those most queries ask for first, then those by which fewest files are read.
        asked: What queries asked, in their order; empty if no queries were given.
    """

    source: str
    slices: Sequence[FileSlice]
    columns: Sequence[ColumnUse]
    asked: Sequence[AskedQuery]

    @property
    def size(self) -> int:
        """Bytes of all slices."""
        return sum(each.size for each in self.slices)

    @property
    def not_indexed(self) -> int:
        """Slices whose current files are not all indexed; queries always read them."""
        return sum(not each.indexed for each in self.slices)

    @property
    def not_indexed_size(self) -> int:
        """Bytes of these."""
        return sum(each.size for each in self.slices if not each.indexed)


def table_layout(
    table: Location,
    *,
    columns: Sequence[str] = (),
    scans: Sequence[Scan] = (),
    sql: str = "",
) -> TableLayout:
    """Finds the layout of a table, and what queries ask of it.

    Args:
        table: Root of the table.
        columns: Columns to look at; none for all that have statistics.
        scans: Scans from a log; those of other tables are ignored.
        sql: Queries of this table, separated by semicolons.

    Raises the errors of `open_table`, and:

    Raises:
        ExplanationError: A column does not exist.
        SqlPredicateError: The queries are not SQL.
    """
    with open_table(table, is_read_optimized=False) as opened:
        types = _types(opened, columns)
        asked = [*asked_in_scans(table, opened, scans), *asked_in_sql(opened, sql)]
        uses = []
        for column, hive_type in types.items():
            # One at a time: the statistics of all columns of a large table need not fit into memory.
            known = opened.known.statistics(frozenset([column])).by_file
            found = overlap(column, hive_type, opened.known.slices, known)
            uses.append(ColumnUse(found, sum(column in query.columns for query in asked)))
        uses.sort(key=lambda use: (-use.asked, use.overlap.median, use.overlap.column))
        return TableLayout(opened.known.source, opened.known.slices, uses, asked)


def _types(opened: OpenTable, wanted: Sequence[str]) -> dict[str, HiveType]:
    schema = opened.schema or {}
    if unknown := [column for column in wanted if column.lower() not in schema]:
        raise ExplanationError(f"the table has no column {unknown[0]}; it has {', '.join(sorted(schema))}")
    chosen = {column.lower() for column in wanted} or schema.keys() - set(HUDI_COLUMNS)
    return {column: schema[column] for column in sorted(chosen) if schema[column].kind is not None}
