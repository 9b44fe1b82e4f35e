"""How many different values of a column a file has, estimated from some of its rows."""

import numpy as np
import numpy.typing as npt

from pycompiler.advise.sample.row_sample import Codes, RowSample
from pycompiler.advise.sample.unseen import unseen_of_skewed


def distinct_values(
    column: str, sample: RowSample, file_of: Codes, files: int, sampled: float, read: float
) -> npt.NDArray[np.float64]:
    """About how many different values each file has, NULL and NaN aside.

    From how often sampled values are in a file follows how many were missed (see `unseen_of_skewed`). The
    files are taken together for this, because each has few sampled rows.

    Args:
        column: The column.
        sample: Rows by chance.
        file_of: For each row the number of its file.
        files: Number of files.
        sampled: The part of all rows that the sample is, above 0.
        read: The part of all rows from which it was taken, in row groups that were read whole; above 0.
    """
    codes, last = sample.columns[column].codes, len(sample.columns[column].values)
    is_value = (codes >= 0) & (codes < last)
    codes, of_rows, sources = codes[is_value], file_of[is_value], sample.sources[is_value]
    if not len(codes):
        return np.zeros(files)
    keys, rows_of = np.unique(of_rows * last + codes, return_counts=True)
    of_values = keys // last
    values_of = np.bincount(of_values, minlength=files)
    ones_of = np.bincount(of_values[rows_of == 1], minlength=files)
    # Rows of a value that lie apart are sampled one by one; those that lie together, with their row group.
    together = _together(codes, sources, read)
    unseen_apart = unseen_of_skewed(rows_of, sampled)
    unseen_read = unseen_apart if read == 1 else unseen_of_skewed(rows_of, sampled / read)
    apart = (1 - together) * unseen_apart
    in_groups = together * ((len(keys) + unseen_read) / read - len(keys))
    missed = apart * ones_of / max(ones_of.sum(), 1) + in_groups * values_of / len(keys)
    found: npt.NDArray[np.float64] = np.minimum(
        values_of + missed, np.bincount(of_rows, minlength=files) / sampled
    )
    return found


def _together(codes: Codes, sources: Codes, read: float) -> float:
    """The share of pairs of rows with the same value that are in one row group.

    Two rows of a row group are 1 / `read` times as likely to be both sampled as two of different ones. All
    rows count, not those of one new file, which may come from one row group whatever its values are.

    Args:
        codes: The value of each row.
        sources: The number of its file, of which one row group was read.
        read: The part of all rows whose row groups were read.
    """
    _, value_of, rows_of = np.unique(codes, return_inverse=True, return_counts=True)
    several, width = rows_of > 1, int(sources.max()) + 1
    if not several.any() or sources.min() == sources.max():
        return 0
    groups, rows_in = np.unique(value_of * width + sources, return_counts=True)
    same = np.bincount(groups // width, rows_in * (rows_in - 1), len(rows_of))[several]
    pairs = rows_of[several] * (rows_of[several] - 1)
    # Each value has one vote, however many rows it has: those with few tell of those that were missed.
    share = float((same / pairs).mean())
    return share * read / (share * read + 1 - share)
