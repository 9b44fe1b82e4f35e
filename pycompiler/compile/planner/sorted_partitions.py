"""A sorted catalogue of a table's partitions, to apply plans to."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pycompiler.compile.expression.evaluator import FileStatistics, evaluate
from pycompiler.compile.expression.model import HudiExpression
from pycompiler.compile.expression.statistics import ColumnStatistics
from pycompiler.compile.planner.keys import EncodedValue, KeyColumn, KeyLayout
from pycompiler.compile.planner.plans import FilterPlan
from pycompiler.compile.planner.scans import Scan
from pycompiler.compile.values.types import ValueKind, reads_without_loss


@dataclass(frozen=True)
class SortedPartitions:
    """The partitions of a table in key order.

    Attributes:
        keys: The keys, ascending; partitions with equal values have equal keys.
        paths: The path of each key's partition, relative to the table.
        unkeyed: Partitions without a known key, which are always listed.
    """

    layout: KeyLayout
    keys: tuple[bytes, ...]
    paths: tuple[str, ...]
    unkeyed: tuple[str, ...] = ()

    @staticmethod
    def of(
        layout: KeyLayout, partitions: Iterable[tuple[str, Sequence[EncodedValue] | None]]
    ) -> SortedPartitions:
        """Sorts partitions, given by the values of their columns; None if unknown.

        Values without a key (NaN, or too long) count as unknown.
        """
        keyed: list[tuple[bytes, str]] = []
        unkeyed: list[str] = []
        for path, values in partitions:
            key = layout.key_if_any(values)
            if key is None:
                unkeyed.append(path)
            else:
                keyed.append((key, path))
        keyed.sort()
        return SortedPartitions(
            layout, tuple(key for key, _ in keyed), tuple(path for _, path in keyed), tuple(sorted(unkeyed))
        )

    def __len__(self) -> int:
        return len(self.keys) + len(self.unkeyed)

    def select(self, plan: FilterPlan) -> list[str]:
        """The partitions that a plan selects, each once: in key order, then those without a key."""
        found = [path for scan in plan.scans() for path in self._found(scan)]
        return [*found, *self.unkeyed]

    def _found(self, scan: Scan) -> Iterable[str]:
        first, last = bisect_left(self.keys, scan.start.row), bisect_left(self.keys, scan.end.row)
        paths = self.paths[first:last]
        if scan.filter is None or first == last:
            return paths
        expression = HudiExpression(scan.filter)
        asked = expression.columns()
        places = [place for place, column in enumerate(self.layout.columns) if column.name in asked]
        rows = [tuple(self.layout.value(key, place) for place in places) for key in self.keys[first:last]]
        # Many keys differ only in other columns.
        distinct = list(dict.fromkeys(rows))
        columns = [self.layout.columns[place] for place in places]
        known = [dict(_constants(columns, values)) for values in distinct]
        wanted = dict(zip(distinct, evaluate(expression, known), strict=True))
        return [path for path, values in zip(paths, rows, strict=True) if wanted[values]]


def constant_values(layout: KeyLayout, files: Iterable[FileStatistics]) -> tuple[EncodedValue, ...] | None:
    """The values of a partition's key, if its files' statistics prove that all rows have them; else None.

    Files may have other values than the path: under a global index Hudi may leave a row in the partition
    where its key was first written (`hoodie.record.index.update.partition.path`, false by default), and key
    generators may write the values as other texts.
    """
    found: set[tuple[EncodedValue, ...]] = set()
    for statistics in files:
        values = []
        for column in layout.columns:
            of_column = statistics.get(column.name)
            if of_column is None or not _is_constant(column, of_column):
                return None
            values.append(None if of_column.all_null else of_column.lower)
        found.add(tuple(values))
    return found.pop() if len(found) == 1 else None


def _is_constant(column: KeyColumn, statistics: ColumnStatistics) -> bool:
    """Whether all rows have one value: the bounds are equal, and enclose every value."""
    if not reads_without_loss(statistics.type, column.type):
        return False
    if statistics.all_null:
        return True
    # Bounds exclude NaN.
    has_no_nan = column.type.kind is not ValueKind.FLOAT or statistics.nan_count == 0
    is_one_value = statistics.lower is not None and statistics.lower == statistics.upper
    return statistics.null_count == 0 and has_no_nan and is_one_value


def _constants(
    columns: Sequence[KeyColumn], values: Sequence[EncodedValue]
) -> Iterable[tuple[str, ColumnStatistics]]:
    """Statistics of columns with one value in all rows."""
    for column, value in zip(columns, values, strict=True):
        nulls = 1 if value is None else 0
        yield (
            column.name,
            ColumnStatistics(column.type, value, value, null_count=nulls, value_count=1, nan_count=0),
        )
