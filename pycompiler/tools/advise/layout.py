"""Ways to lay out a table: the order in which its rows are divided into files."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

import numpy as np

from pycompiler.tools.advise.curves import hilbert, z_order
from pycompiler.tools.advise.row_sample import Codes, RowSample, SampledColumn

_MAX_BITS: Final = 20


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

    def arrange(self, sample: RowSample, files: int) -> Codes:
        """The positions of the sampled rows in the order of the layout.

        Args:
            sample: The rows.
            files: Number of files of the table. Hudi divides each column into as many ranges before it puts
                them on a curve, with `hoodie.layout.optimize.curve.build.method=sample`.
        """
        columns = [sample.columns[name] for name in self.columns]
        keys: Sequence[Codes]
        match self.order:
            case Order.LINEAR:
                # As Spark sorts: NULL before all values, NaN after them.
                keys = [column.codes for column in columns]
            case Order.Z_ORDER | Order.HILBERT:
                bits = min(_MAX_BITS, max(1, math.ceil(math.log2(max(files, 2)))))
                places = [_places(column, bits) for column in columns]
                keys = [(z_order if self.order is Order.Z_ORDER else hilbert)(places, bits)]
        # The last key counts first.
        return np.lexsort((*reversed(keys), sample.partitions))


def _places(column: SampledColumn, bits: int) -> Codes:
    """For each row the range, of 2^bits with equally many rows, in which its value is."""
    codes = column.codes + 1
    rows_of = np.bincount(codes, minlength=len(column.values) + 2)
    before = np.cumsum(rows_of) - rows_of
    places: Codes = (before[codes] << bits) // max(len(codes), 1)
    return places
