"""What queries would read of a table with another layout, forecast from a sample of its rows.

The rows are put in the order of the layout and cut into as many pieces as there would be files. The evaluator
that skips files then decides which pieces each condition keeps, by the least and greatest value that a piece
probably has: those of its sampled rows, and a little beyond; and by whether it probably has NULL.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from pycompiler.advise.layout import Layout
from pycompiler.advise.row_sample import NULL, Codes, RowSample, SampledColumn
from pycompiler.advise.workload import Workload
from pycompiler.expression.evaluator import FileStatistics, evaluate
from pycompiler.expression.statistics import ColumnStatistics

MIN_ROWS: Final = 25
"""A piece has at least as many sampled rows, as fewer say little about a file."""


@dataclass(frozen=True, slots=True)
class Forecast:
    """What the conditions of a workload would keep, each as a share of the table, in their order."""

    layout: Layout
    shares: tuple[float, ...]

    def mean(self, workload: Workload) -> float:
        """The share that a condition keeps on average."""
        return mean_share(self.shares, workload)


def mean_share(shares: Sequence[float], workload: Workload) -> float:
    """The share of the table that a condition keeps on average; one asked twice counts twice."""
    asked = sum(each.count for each in workload.conditions)
    return sum(share * each.count for share, each in zip(shares, workload.conditions, strict=True)) / max(
        asked, 1
    )


def forecast(layout: Layout, sample: RowSample, workload: Workload, files: int) -> Forecast:
    """Forecasts what each condition keeps.

    Args:
        layout: The layout.
        sample: Rows of the table.
        workload: The conditions.
        files: Number of files that the table would have.
    """
    arranged = layout.arrange(sample, files)
    partitions = np.flatnonzero(np.diff(sample.partitions[arranged], prepend=-1))
    starts = _starts(partitions, sample.rows, min(files, max(1, sample.rows // MIN_ROWS)))
    sizes = np.diff(starts, append=sample.rows)
    by_column = {
        name: _of_column(column, column.codes[arranged], partitions, starts, sizes)
        for name, column in sample.columns.items()
    }
    pieces: list[FileStatistics] = [
        {name: of_pieces[piece] for name, of_pieces in by_column.items()} for piece in range(len(starts))
    ]
    shares = []
    for condition in workload.conditions:
        kept = np.array(evaluate(condition.expression, pieces), bool)
        shares.append(float(sizes[kept].sum() / sample.rows))
    return Forecast(layout, tuple(shares))


def _starts(partitions: Codes, rows: int, files: int) -> Codes:
    """Where each piece begins: pieces of equal size within each partition, at least one in each.

    `partitions` has where each partition begins.
    """
    starts = []
    for begin, end in zip(partitions, [*partitions[1:], rows], strict=True):
        pieces = max(1, round(files * (end - begin) / rows))
        starts.append(np.linspace(begin, end, pieces, endpoint=False).astype(np.int64))
    return np.unique(np.concatenate(starts))


def _of_column(
    column: SampledColumn, codes: Codes, partitions: Codes, starts: Codes, sizes: Codes
) -> list[ColumnStatistics]:
    last = len(column.values) - 1
    is_null, is_nan = codes == NULL, codes > last
    nulls, nans = _sums(is_null, starts), _sums(is_nan, starts)
    is_value = ~(is_null | is_nan)
    from_above, from_below = np.where(is_value, codes, last + 1), np.where(is_value, codes, -1)
    lows, highs = np.minimum.reduceat(from_above, starts), np.maximum.reduceat(from_below, starts)
    # An end that several rows of the piece have is that of the file, too.
    is_low_rare = _sums(codes == np.repeat(lows, sizes), starts) == 1
    is_high_rare = _sums(codes == np.repeat(highs, sizes), starts) == 1
    wider_lows, wider_highs = _widened(codes[is_value], lows, highs, sizes - nulls - nans, last)
    # No file goes beyond its partition.
    partition = np.searchsorted(partitions, starts, side="right") - 1
    wider_lows = np.maximum(wider_lows, np.minimum.reduceat(from_above, partitions)[partition])
    wider_highs = np.minimum(wider_highs, np.maximum.reduceat(from_below, partitions)[partition])
    lows = np.where(is_low_rare, wider_lows, lows)
    highs = np.where(is_high_rare, wider_highs, highs)
    values = column.values
    return [
        ColumnStatistics(
            column.type,
            lower=values[low] if low <= high else None,
            upper=values[high] if low <= high else None,
            null_count=null,
            value_count=size,
            nan_count=nan,
        )
        for low, high, null, nan, size in zip(
            lows.tolist(),
            highs.tolist(),
            _with_unseen(nulls).tolist(),
            _with_unseen(nans).tolist(),
            sizes.tolist(),
            strict=True,
        )
    ]


def _sums(flags: npt.NDArray[np.bool_], starts: Codes) -> Codes:
    return np.add.reduceat(flags.astype(np.int64), starts)


def _with_unseen(counts: Codes) -> Codes:
    """NULLs, or NaNs, in the files that the pieces are samples of: one where some were probably missed.

    A NULL in each hundredth row is in every file of a thousand rows, but in few samples of 50 of these. From
    the pieces with one NULL and with two follows how many have some that were not sampled: Chao's estimate of
    unseen classes, which is rather too low ("Nonparametric estimation of the number of classes in a
    population", Scandinavian Journal of Statistics 11, 1984), in its form without bias. Where NULLs are
    together, hardly any piece has one or two. The files are taken to be near those that have some.
    """
    ones, twos = np.count_nonzero(counts == 1), np.count_nonzero(counts == 2)
    unseen = round(ones * (ones - 1) / (2 * (twos + 1)))
    having, lacking = np.flatnonzero(counts), np.flatnonzero(counts == 0)
    if not unseen:
        return counts
    after = np.searchsorted(having, lacking)
    before = np.abs(lacking - having[np.maximum(after - 1, 0)])
    distance = np.minimum(before, np.abs(having[np.minimum(after, len(having) - 1)] - lacking))
    found: Codes = counts.copy()
    found[lacking[np.argsort(distance, kind="stable")[:unseen]]] = 1
    return found


def _widened(known: Codes, lows: Codes, highs: Codes, counts: Codes, last: int) -> tuple[Codes, Codes]:
    """Bounds of the files that the pieces are samples of.

    A piece's values divide their range into gaps. On average, a gap holds the rows that the whole sample has
    in the range, divided by the number of the values; and the file's range extends the piece's by one gap at
    either end, as the maximum of a population extends that of a sample.
    """
    if not len(known):
        return lows, highs
    rows_to = np.cumsum(np.bincount(known, minlength=last + 1))
    has_values = lows <= highs
    inner_lows, inner_highs = np.clip(lows, 0, last), np.clip(highs, 0, last)
    before = np.where(inner_lows > 0, rows_to[inner_lows - 1], 0)
    gap = (rows_to[inner_highs] - before) // np.maximum(counts, 1)
    wider_lows = np.searchsorted(rows_to, np.maximum(before - gap, 0), side="right")
    wider_highs = np.searchsorted(rows_to, np.minimum(rows_to[inner_highs] + gap, rows_to[-1]), side="left")
    return (
        np.where(has_values, np.minimum(wider_lows, inner_lows), lows),
        np.where(has_values, np.maximum(wider_highs, inner_highs), highs),
    )
