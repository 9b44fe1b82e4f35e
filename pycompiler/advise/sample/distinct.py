"""How many different values of a column a file has, estimated from some of its rows."""

import numpy as np
import numpy.typing as npt

from pycompiler.advise.sample.row_sample import Codes, RowSample
from pycompiler.advise.sample.unseen import unseen


def distinct_values(
    column: str, sample: RowSample, file_of: Codes, files: int, sampled: float, read: float
) -> npt.NDArray[np.float64]:
    """About how many different values each file has, NULL and NaN aside.

    From the values with one sampled row in a file and with two follows how many were missed (see `unseen`).
    The files are taken together for this, because each has few sampled rows. If values lie scattered, the
    estimate is right on average; if a few have many rows, it is rather too low.

    Args:
        column: The column.
        sample: Rows by chance.
        file_of: For each row the number of its file.
        files: Number of files.
        sampled: The part of all rows that the sample is, above 0.
        read: The part of all rows from which it was taken. Two rows of one row group that was read are both
            in the sample so much more often than any two rows.
    """
    codes, last = sample.columns[column].codes, len(sample.columns[column].values)
    is_value = (codes >= 0) & (codes < last)
    of_rows, sources = file_of[is_value], sample.sources[is_value]
    keys = of_rows * max(last, 1) + codes[is_value]
    order = np.argsort(keys, kind="stable")
    keys, sources = keys[order], sources[order]
    starts = np.flatnonzero(np.diff(keys, prepend=-1))
    rows_of = np.diff(starts, append=len(keys))
    of_values = keys[starts] // max(last, 1)
    pairs = starts[rows_of == 2]
    twos = np.where(sources[pairs] == sources[pairs + 1], read, 1.0).sum()
    ones_of = np.bincount(of_values[rows_of == 1], minlength=files)
    ones = ones_of.sum()
    missed = unseen(ones, twos, sampled) * ones_of / max(ones, 1)
    found: npt.NDArray[np.float64] = np.minimum(
        np.bincount(of_values, minlength=files) + missed, np.bincount(of_rows, minlength=files) / sampled
    )
    return found
