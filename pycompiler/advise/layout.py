"""Ways to lay out a table: the order in which its rows are divided into files."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

import numpy as np

from pycompiler.advise.curves import hilbert, z_order
from pycompiler.advise.sample.row_sample import Codes, RowSample, SampledColumn

_MAX_BITS: Final = 20
_NO_CODES: Final[Codes] = np.empty(0, np.int64)


class Order(Enum):
    """How rows are ordered by several columns; values of `hoodie.layout.optimize.strategy`."""

    LINEAR = "linear"
    Z_ORDER = "z-order"
    HILBERT = "hilbert"


@dataclass(frozen=True, slots=True)
class Layout:
    """A layout of a table.

    Attributes:
        columns: The columns by which its rows are ordered, within each partition.
        order: How.
    """

    columns: tuple[str, ...]
    order: Order = Order.LINEAR

    def __str__(self) -> str:
        match self.order:
            case Order.LINEAR:
                return f"sorted by {', '.join(self.columns)}"
            case Order.Z_ORDER | Order.HILBERT:
                return f"{self.order.value} of {' and '.join(self.columns)}"

    def arrange(self, sample: RowSample, files: int, others: RowSample | None = None) -> Codes:
        """The positions of the sampled rows in the order of the layout.

        Args:
            sample: The rows.
            files: Number of files of the table. Hudi divides each column into as many ranges before it puts
                them on a curve, with `hoodie.layout.optimize.curve.build.method=sample`.
            others: Rows to put among these, with the same codes; their positions follow those of the sample.
                They are no sample of the table, so the ranges do not depend on them.
        """
        columns = [
            (sample.columns[name], _NO_CODES if others is None else others.columns[name].codes)
            for name in self.columns
        ]
        keys: Sequence[Codes]
        match self.order:
            case Order.LINEAR:
                # As Spark sorts: NULL before all values, NaN after them.
                keys = [np.concatenate([column.codes, of_others]) for column, of_others in columns]
            case Order.Z_ORDER | Order.HILBERT:
                bits = min(_MAX_BITS, max(1, math.ceil(math.log2(max(files, 2)))))
                places = [_places(column, of_others, bits) for column, of_others in columns]
                keys = [(z_order if self.order is Order.Z_ORDER else hilbert)(places, bits)]
        partitions = sample.partitions
        if others is not None:
            partitions = np.concatenate([partitions, others.partitions])
            # Rows that are alike in the columns of the layout lie in any order.
            keys = [*keys, np.random.default_rng(len(partitions)).permutation(len(partitions))]
        # The last key counts first.
        return np.lexsort((*reversed(keys), partitions))


def _places(column: SampledColumn, others: Codes, bits: int) -> Codes:
    """For each row and other row the range, of 2^bits with equally many rows, in which its value is."""
    codes = column.codes + 1
    rows_of = np.bincount(codes, minlength=len(column.values) + 2)
    before = np.cumsum(rows_of) - rows_of
    places: Codes = (before[np.concatenate([codes, others + 1])] << bits) // max(len(codes), 1)
    # A value above all sampled ones is in the last range.
    return np.minimum(places, (1 << bits) - 1)
