"""Ways to lay out a table: the order in which its rows are divided into files."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

import numpy as np

from pycompiler.tools.advise.curves import hilbert, z_order
from pycompiler.tools.advise.row_sample import Codes, RowSample, SampledColumn

_MAX_BITS: Final = 20
_CLUSTERING: Final = "hoodie.clustering.plan.strategy."
_MOST_BYTES: Final = 1 << 40
_MOST_GROUPS: Final = 10_000


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
    """

    columns: tuple[str, ...]
    order: Order = Order.LINEAR

    def __str__(self) -> str:
        if self.order is Order.LINEAR:
            return f"sorted by {', '.join(self.columns)}"
        return f"{self.order.value} of {' and '.join(self.columns)}"

    def clustering_options(self, file_size: int) -> Mapping[str, str]:
        """The options with which Hudi's clustering rewrites the whole table, to files of so many bytes.

        Hudi sorts within each group of files that it plans, of 2 GB by default, and plans 30 groups at most.
        So a larger table would neither be in order nor be rewritten as a whole without two of the options.
        """
        options = {
            f"{_CLUSTERING}sort.columns": ",".join(self.columns),
            f"{_CLUSTERING}target.file.max.bytes": str(file_size),
            # Files that are larger stay as they are.
            f"{_CLUSTERING}small.file.limit": str(_MOST_BYTES),
            f"{_CLUSTERING}max.bytes.per.group": str(_MOST_BYTES),
            f"{_CLUSTERING}max.num.groups": str(_MOST_GROUPS),
        }
        if self.order is Order.LINEAR:
            return options
        return {
            **options,
            "hoodie.layout.optimize.strategy": self.order.value,
            # By default the bits of the values make the curve: dates then outweigh small integers.
            "hoodie.layout.optimize.curve.build.method": "sample",
        }

    def arrange(self, sample: RowSample, files: int) -> Codes:
        """The positions of the sampled rows in the order of the layout.

        Args:
            sample: The rows.
            files: Number of files of the table. Hudi divides each column into as many ranges before it puts
                them on a curve, with `hoodie.layout.optimize.curve.build.method=sample`.
        """
        columns = [sample.columns[name] for name in self.columns]
        # As Spark sorts: NULL before all values, NaN after them.
        keys: Sequence[Codes] = [column.codes for column in columns]
        if self.order is not Order.LINEAR:
            bits = min(_MAX_BITS, math.ceil(math.log2(max(files, 2))))
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
