"""How many files hold the same values of a column, by their bounds."""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pycompiler.compile.expression.evaluator import FileStatistics, readable_statistics
from pycompiler.compile.expression.statistics import ColumnStatistics
from pycompiler.compile.values.types import HiveType
from pycompiler.table.files import FileSlice, TableFile

Ends = tuple[bytes, bytes]
"""An encoded lower and upper bound."""


@dataclass(frozen=True, slots=True)
class Overlap:
    """The ranges of a column in the file slices of a table.

    A query for one value reads each slice whose range holds the value, and each whose range is unknown. How
    many that are is told for the values at which the range of a slice begins or ends, each as often as it
    does so. Bloom filters and sets of values, which skip more, are left out.

    Attributes:
        ranges: Those of each slice with bounds, disjoint and ascending.
        unbounded: Slices that may hold any value, as far as is known.
        all_null: Slices that hold nothing but NULL.
        with_null: Slices that have a NULL, or may have one.
        depths: How many of these values lead to how many slices that are read.
    """

    column: str
    type: HiveType
    ranges: Sequence[Sequence[Ends]]
    unbounded: int
    all_null: int
    with_null: int
    depths: Mapping[int, int]

    @property
    def median(self) -> int:
        """Slices read for a value in the middle."""
        return self.quantile(0.5)

    @property
    def most(self) -> int:
        """Slices read for the worst value."""
        return max(self.depths, default=self.unbounded)

    def quantile(self, share: float) -> int:
        """So many slices or fewer are read for this share of the values."""
        left = share * sum(self.depths.values())
        for depth in sorted(self.depths):
            left -= self.depths[depth]
            if left <= 0:
                return depth
        return self.unbounded


def overlap(
    column: str, hive_type: HiveType, slices: Iterable[FileSlice], known: Mapping[TableFile, FileStatistics]
) -> Overlap:
    """Finds the overlap of a column in the current slices of a table."""
    ranges: list[list[Ends]] = []
    unbounded = all_null = with_null = 0
    for each in slices:
        of_files = [readable_statistics(known[file], column, hive_type) for file in each.files]
        unbounded += any(map(is_unbounded, of_files))
        all_null += all(of_file is not None and of_file.all_null for of_file in of_files)
        with_null += any(of_file is None or of_file.null_count != 0 for of_file in of_files)
        if not any(map(is_unbounded, of_files)):
            ends = sorted(of_file.bounds for of_file in of_files if of_file is not None and of_file.bounds)
            if ends:
                ranges.append(_merged(ends))
    return Overlap(column, hive_type, ranges, unbounded, all_null, with_null, _depths(ranges, unbounded))


def is_unbounded(known: ColumnStatistics | None) -> bool:
    """Whether a file may hold any value, as far as is known."""
    return known is None or (not known.all_null and known.bounds is None)


def _merged(ascending: Sequence[Ends]) -> list[Ends]:
    """The union of ranges, so that a slice counts once for each value."""
    merged = [ascending[0]]
    for low, high in ascending[1:]:
        before_low, before_high = merged[-1]
        if low <= before_high:
            merged[-1] = before_low, max(before_high, high)
        else:
            merged.append((low, high))
    return merged


def _depths(ranges: Sequence[Sequence[Ends]], unbounded: int) -> Counter[int]:
    lows = sorted(low for of_slice in ranges for low, _ in of_slice)
    highs = sorted(high for of_slice in ranges for _, high in of_slice)
    depths: Counter[int] = Counter()
    for value, times in Counter([*lows, *highs]).items():
        depths[bisect_right(lows, value) - bisect_left(highs, value) + unbounded] += times
    return depths
