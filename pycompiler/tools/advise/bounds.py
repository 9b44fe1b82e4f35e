"""What files hold of a column, as far as the sampled rows of each tell: bounds, and whether it has NULL."""

from typing import Final

import numpy as np
import numpy.typing as npt

from pycompiler.compile.expression.evaluator import FileStatistics
from pycompiler.compile.expression.statistics import ColumnStatistics
from pycompiler.tools.advise.pieces import Pieces
from pycompiler.tools.advise.row_sample import NULL, Codes, RowSample, SampledColumn

_FEW_GAPS: Final = 3
"""Of pieces of files whose values begin at some point, one in twenty begins more gaps after it."""


def expected_statistics(sample: RowSample, pieces: Pieces) -> list[FileStatistics]:
    """The statistics that files probably have, if each piece is a sample of the rows of one.

    Their least and greatest values are those of the sampled rows, and a little beyond.
    """
    by_column = {name: _of_column(column, pieces, sample.share) for name, column in sample.columns.items()}
    return [
        {name: of_pieces[piece] for name, of_pieces in by_column.items()}
        for piece in range(len(pieces.starts))
    ]


def _of_column(column: SampledColumn, pieces: Pieces, share: float) -> list[ColumnStatistics]:
    codes, starts, sizes = column.codes[pieces.arranged], pieces.starts, pieces.sizes
    last = len(column.values) - 1
    is_null, is_nan = codes == NULL, codes > last
    nulls, nans = _sums(is_null, starts), _sums(is_nan, starts)
    is_value = ~(is_null | is_nan)
    from_above, from_below = np.where(is_value, codes, last + 1), np.where(is_value, codes, -1)
    lows, highs = np.minimum.reduceat(from_above, starts), np.maximum.reduceat(from_below, starts)
    # An end that several rows of the piece have is that of the file, too.
    is_low_rare = _sums(codes == np.repeat(lows, sizes), starts) == 1
    is_high_rare = _sums(codes == np.repeat(highs, sizes), starts) == 1
    # No file goes beyond its partition.
    partition = np.searchsorted(pieces.partitions, starts, side="right") - 1
    least = np.minimum.reduceat(from_above, pieces.partitions)[partition]
    greatest = np.maximum.reduceat(from_below, pieces.partitions)[partition]
    rows_of = np.bincount(codes[is_value], minlength=last + 1)
    counts = sizes - nulls - nans
    chance = np.random.default_rng(len(starts))
    wider_lows = _widened(rows_of, lows, highs, least, counts, is_low_rare, share, chance)
    # The upper ends are the lower ones of the same values in the opposite order.
    wider_highs = last - _widened(
        rows_of[::-1], last - highs, last - lows, last - greatest, counts, is_high_rare, share, chance
    )
    has_values = lows <= highs
    lows, highs = np.where(has_values, wider_lows, lows), np.where(has_values, wider_highs, highs)
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


def _widened(
    rows_of: Codes,
    lows: Codes,
    highs: Codes,
    least: Codes,
    counts: Codes,
    is_rare: npt.NDArray[np.bool_],
    share: float,
    chance: np.random.Generator,
) -> Codes:
    """Lower ends of the files that the pieces are samples of, as codes; of pieces without values, any.

    A piece's values divide their range into gaps. On average, a gap holds the rows that the whole sample has
    in the range, divided by the number of the values. In the file, which has more rows, gaps are narrower.
    Its values begin where those of the piece do or before: on average a gap of the piece less one of the file
    before, as the maximum of a population extends that of a sample. But if the values of the partition begin
    no more than a few gaps before, those of the file probably begin with them: its least is then one of its
    own gaps away, and no two files have the same.

    Args:
        rows_of: Number of sampled rows of each value.
        lows: The least value of each piece.
        highs: The greatest.
        least: The least value of the partition of each.
        counts: Number of rows with a value of each.
        is_rare: Whether only one row of the piece has the least value.
        share: The part of the table's rows that are sampled.
        chance: Spreads the files' gaps.
    """
    last = len(rows_of) - 1
    if last < 0:
        return lows
    rows_to = np.cumsum(rows_of)
    inner_lows, inner_highs = np.clip(lows, 0, last), np.clip(highs, 0, last)
    inner_least = np.clip(least, 0, last)
    before, begin = rows_to[inner_lows] - rows_of[inner_lows], rows_to[inner_least] - rows_of[inner_least]
    gap = (rows_to[inner_highs] - before) / np.maximum(counts, 1)
    begins_with_partition = before - begin <= _FEW_GAPS * gap
    number = int(np.count_nonzero(begins_with_partition))
    # Of an exponential distribution, as the distances between points by chance have; all parts of it.
    in_gaps = np.zeros(len(lows))
    in_gaps[begins_with_partition] = -np.log1p(-(chance.permutation(number) + 0.5) / max(number, 1))
    # The gaps between the rows of the file that are not in the piece.
    of_others = gap * share / max(1 - share, 1e-9)
    place = np.where(
        begins_with_partition,
        begin + in_gaps * of_others,
        before + 1 - np.where(is_rare, (1 - share) * gap, 0),
    )
    # Nothing is below the first sampled row of a partition.
    return np.minimum(np.maximum(np.searchsorted(rows_to, place), inner_least), inner_lows)


def _with_unseen(counts: Codes) -> Codes:
    """Rows of some kind in files that a sample tells of: one where such rows were probably missed.

    A NULL in each hundredth row is in every file of a thousand rows, but in few samples of 50 of these. From
    the files with one sampled row and with two follows how many have some that were not sampled: at least as
    many as A. Chao's lower bound ("Nonparametric estimation of the number of classes in a population",
    Scandinavian Journal of Statistics 11, 1984, in its form without bias). Where the rows are together,
    hardly any file has one or two. The others are taken to be near those that have some.

    Args:
        counts: The sampled rows of that kind in each file.
    """
    ones, twos = (int(np.count_nonzero(counts == number)) for number in (1, 2))
    missed = round(ones * (ones - 1) / (2 * (twos + 1)))
    if not missed:
        return counts
    having, lacking = np.flatnonzero(counts), np.flatnonzero(counts == 0)
    after = np.searchsorted(having, lacking)
    before = np.abs(lacking - having[np.maximum(after - 1, 0)])
    distance = np.minimum(before, np.abs(having[np.minimum(after, len(having) - 1)] - lacking))
    found: Codes = counts.copy()
    found[lacking[np.argsort(distance, kind="stable")[:missed]]] = 1
    return found
