"""What the conditions of a workload keep of a table, decided as `explain` does, and by what records."""

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

from pycompiler.advise.workload import Workload
from pycompiler.explain.known_table import KnownStatistics
from pycompiler.explain.open_table import OpenTable
from pycompiler.expression.statistics import ColumnStatistics
from pycompiler.index.file_systems.location import Location
from pycompiler.index.index import StatisticsIndex
from pycompiler.index.records import FILES, RANGE


@dataclass(frozen=True, slots=True)
class Read:
    """What a condition keeps.

    Attributes:
        files: Number of file slices.
        share: Their share of the table's bytes.
    """

    files: int
    share: float


def reads(opened: OpenTable, workload: Workload, statistics: KnownStatistics) -> Iterator[Read]:
    """What each condition keeps by some statistics."""
    total = max(sum(each.size for each in opened.known.slices), 1)
    for kept in opened.slices_kept([each.expression for each in workload.conditions], statistics):
        yield Read(len(kept), sum(each.size for each in kept) / total)


def without(statistics: KnownStatistics, left_out: Collection[tuple[str, str]]) -> KnownStatistics:
    """Statistics without some records, each given by its column and the name of its kind."""
    return replace(
        statistics,
        by_file={
            file: {column: _without(column, known, left_out) for column, known in of_file.items()}
            for file, of_file in statistics.by_file.items()
        },
    )


def _without(column: str, known: ColumnStatistics, left_out: Collection[tuple[str, str]]) -> ColumnStatistics:
    contents = {kind: content for kind, content in known.contents.items() if (column, kind) not in left_out}
    return known if len(contents) == len(known.contents) else replace(known, contents=contents)


def kind_sizes(table: Location) -> Counter[tuple[str, str]]:
    """Bytes of the records in a table's index, except for bounds, by column and name of their kind."""
    sizes: Counter[tuple[str, str]] = Counter()
    for data_file in StatisticsIndex.open(str(table)).manifest.data_files:
        for group in data_file.row_groups:
            if group.kind not in (FILES, RANGE):
                # Only bounds of several columns share a row group.
                sizes[group.first_column, group.kind] += group.length
    return sizes
