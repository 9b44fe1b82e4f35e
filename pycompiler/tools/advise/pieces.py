"""Cuts the rows of a sample into pieces, each of which stands for a file."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from pycompiler.tools.advise.layout import Layout
from pycompiler.tools.advise.row_sample import Codes, RowSample

MIN_ROWS: Final = 25
"""A piece whose bounds are of interest has at least as many rows, as fewer say little about a file."""


@dataclass(frozen=True, slots=True)
class Pieces:
    """A sample in the order of a layout, cut into pieces of about equal size; none spans two partitions.

    Attributes:
        arranged: The positions of the rows in that order.
        partitions: Where each partition begins.
        starts: Where each piece begins.
    """

    arranged: Codes
    partitions: Codes
    starts: Codes

    @staticmethod
    def of(layout: Layout, sample: RowSample, files: int) -> "Pieces":
        """Cuts a sample into pieces of at least `MIN_ROWS` rows, at most as many as a number of files."""
        arranged = layout.arrange(sample, files)
        partitions = np.flatnonzero(np.diff(sample.partitions[arranged], prepend=-1))
        number = min(files, max(1, sample.rows // MIN_ROWS))
        return Pieces(arranged, partitions, _starts(partitions, sample.rows, number))

    @property
    def sizes(self) -> Codes:
        """Number of rows of each piece."""
        return np.diff(self.starts, append=len(self.arranged))


def _starts(partitions: Codes, rows: int, number: int) -> Codes:
    """Where each piece begins: pieces of equal size within each partition, at least one in each.

    `partitions` has where each partition begins.
    """
    starts = []
    for begin, end in zip(partitions, [*partitions[1:], rows], strict=True):
        pieces = max(1, round(number * (end - begin) / rows))
        starts.append(np.linspace(begin, end, pieces, endpoint=False).astype(np.int64))
    return np.unique(np.concatenate(starts))
