"""Space-filling curves: the place of points with whole coordinates on them."""

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Coordinates: TypeAlias = Sequence[npt.NDArray[np.int64]]
"""One array for each dimension, of numbers from 0 to 2^bits - 1; together at most 62 bits."""


def z_order(coordinates: Coordinates, bits: int) -> npt.NDArray[np.int64]:
    """The place of each point on the Z curve (Morton, 1966): its coordinates with their bits interleaved."""
    place = np.zeros_like(coordinates[0])
    for bit in range(bits - 1, -1, -1):
        for of_dimension in coordinates:
            place = (place << 1) | ((of_dimension >> bit) & 1)
    return place


def hilbert(coordinates: Coordinates, bits: int) -> npt.NDArray[np.int64]:
    """The place of each point on the Hilbert curve.

    Source: J. Skilling, "Programming the Hilbert curve", AIP Conference Proceedings 707 (2004),
    `AxestoTranspose`.
    """
    x = [of_dimension.copy() for of_dimension in coordinates]
    for bit in range(bits - 1, 0, -1):
        q = 1 << bit
        for axis in range(len(x)):
            is_set = (x[axis] & q) != 0
            # The lower bits of the first axis are inverted where the bit is set, else exchanged with these.
            exchanged = np.where(is_set, 0, (x[0] ^ x[axis]) & (q - 1))
            x[0] ^= np.where(is_set, q - 1, exchanged)
            x[axis] ^= exchanged
    for axis in range(1, len(x)):
        x[axis] ^= x[axis - 1]
    flips = np.zeros_like(x[0])
    for bit in range(bits - 1, 0, -1):
        flips ^= np.where((x[-1] & (1 << bit)) != 0, (1 << bit) - 1, 0)
    return z_order([axis ^ flips for axis in x], bits)
