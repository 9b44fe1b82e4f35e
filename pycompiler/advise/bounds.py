"""What files hold of a column, as far as the sampled rows of each tell: bounds, and whether it has NULL."""

import numpy as np
import numpy.typing as npt

from pycompiler.advise.pieces import Pieces
from pycompiler.advise.sample.row_sample import NULL, Codes, RowSample, SampledColumn
from pycompiler.advise.sample.unseen import with_unseen
from pycompiler.expression.evaluator import FileStatistics
from pycompiler.expression.statistics import ColumnStatistics


def expected_statistics(sample: RowSample, pieces: Pieces) -> list[FileStatistics]:
    """The statistics that the files probably have of which the pieces of a sample are samples.

    Their least and greatest values are those of the sampled rows, and a little beyond.
    """
    by_column = {
        name: _of_column(
            column, column.codes[pieces.arranged], pieces.partitions, pieces.starts, pieces.sizes
        )
        for name, column in sample.columns.items()
    }
    return [
        {name: of_pieces[piece] for name, of_pieces in by_column.items()}
        for piece in range(len(pieces.starts))
    ]


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
            with_unseen(nulls).tolist(),
            with_unseen(nans).tolist(),
            sizes.tolist(),
            strict=True,
        )
    ]


def _sums(flags: npt.NDArray[np.bool_], starts: Codes) -> Codes:
    return np.add.reduceat(flags.astype(np.int64), starts)


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
