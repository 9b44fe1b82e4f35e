"""The order in which a layout puts rows."""

import numpy as np
import pytest

from pycompiler.tools.advise.layout import Layout, Order
from tests.unit.tools.advise.rows import sample_of

RANDOM = np.random.default_rng(1)


def test_rows_are_sorted_by_the_columns_in_turn_with_null_first() -> None:
    sample = sample_of({"a": [2, 1, None, 1], "b": [5, 9, 7, 3]})
    assert Layout(("a", "b")).arrange(sample, 2).tolist() == [2, 3, 1, 0]


@pytest.mark.parametrize("order", Order)
def test_rows_of_a_partition_stay_together(order: Order) -> None:
    partitions = RANDOM.integers(0, 3, 1_000)
    sample = sample_of(
        {name: RANDOM.integers(0, 100, 1_000).tolist() for name in ("a", "b")}, partitions.tolist()
    )
    arranged = partitions[Layout(("a", "b"), order).arrange(sample, 16)]
    assert (np.diff(arranged) >= 0).all(), "clustering moves no row to another partition"


@pytest.mark.parametrize("order", [Order.Z_ORDER, Order.HILBERT])
def test_a_curve_keeps_rows_together_that_are_near_in_both_columns(order: Order) -> None:
    # The scales of the columns differ much, which must not matter.
    a, b = RANDOM.permutation(4_096), RANDOM.permutation(4_096) * 1_000_000
    sample = sample_of({"a": a.tolist(), "b": b.tolist()})
    files = np.split(Layout(("a", "b"), order).arrange(sample, 64), 64)
    for name, values in (("a", a), ("b", b)):
        spans = [np.ptp(values[rows]) / np.ptp(values) for rows in files]
        assert np.mean(spans) < 0.3, f"of {name}, a file spans {np.mean(spans):.0%}"


def test_a_layout_says_what_it_is() -> None:
    assert str(Layout(("a", "b"))) == "sorted by a, b"
    assert str(Layout(("a", "b"), Order.Z_ORDER)) == "z-order of a and b"
