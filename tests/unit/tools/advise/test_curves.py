"""Space-filling curves, on all points of small grids."""

import numpy as np
import numpy.typing as npt
import pytest

from pycompiler.tools.advise.curves import hilbert, z_order

GRIDS = [(2, 4), (3, 3), (4, 2)]


def grid(dimensions: int, bits: int) -> npt.NDArray[np.int64]:
    return np.array(np.meshgrid(*[range(1 << bits)] * dimensions)).reshape(dimensions, -1)


@pytest.mark.parametrize(("dimensions", "bits"), GRIDS)
def test_each_point_has_a_place_of_its_own(dimensions: int, bits: int) -> None:
    points = list(grid(dimensions, bits))
    for curve in (z_order, hilbert):
        assert sorted(curve(points, bits)) == list(range(1 << dimensions * bits)), curve.__name__


@pytest.mark.parametrize(("dimensions", "bits"), GRIDS)
def test_neighbours_on_the_hilbert_curve_are_neighbours_in_space(dimensions: int, bits: int) -> None:
    points = grid(dimensions, bits)
    way = points[:, np.argsort(hilbert(list(points), bits))]
    steps = np.abs(np.diff(way, axis=1)).sum(axis=0)
    assert set(steps) == {1}, "the curve jumps"


def test_the_z_curve_interleaves_bits_and_the_first_coordinate_counts_first() -> None:
    x, y = np.array([0b10, 0b01]), np.array([0b01, 0b10])
    assert z_order([x, y], 2).tolist() == [0b1001, 0b0110]
