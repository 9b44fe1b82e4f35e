"""Bounds that files have at the ends of their columns' values, against those of all rows."""

from dataclasses import replace

import numpy as np
import pytest

from pycompiler.tools.advise.forecast import forecast
from pycompiler.tools.advise.layout import Layout
from pycompiler.tools.advise.row_sample import RowSample
from tests.unit.tools.advise.rows import asked, sample_of

pytestmark = pytest.mark.slow

ROWS, FILES = 100_000, 100
RANDOM = np.random.default_rng(21)
A = RANDOM.permutation(ROWS)
COLUMNS = {
    "a": A.tolist(),
    # In no order of a.
    "key": RANDOM.permutation(ROWS).tolist(),
    # The greatest value has a row in almost each file, and in each tenth sample of one.
    "rare": np.where(RANDOM.random(ROWS) < 0.005, 9, RANDOM.integers(0, 4, ROWS)).tolist(),
}
POINTS = (0, 3, 7, 20, 150, 99_900, 99_990)


def sampled(part: int) -> RowSample:
    everything = replace(sample_of(COLUMNS), share=1)
    return everything.part(np.sort(RANDOM.choice(ROWS, ROWS // part, replace=False)))


def shares(part: int, *conditions: str) -> tuple[float, ...]:
    workload = asked(*conditions, columns=list(COLUMNS))
    return forecast(Layout(("a",)), sampled(part), workload, FILES).shares


def truth(column: str, low: int, high: int) -> float:
    files = np.array(COLUMNS[column])[np.argsort(A)].reshape(FILES, -1)
    return float(((files.min(axis=1) <= high) & (files.max(axis=1) >= low)).mean())


@pytest.mark.parametrize("part", [3, 10, 30])
def test_a_value_near_the_end_of_a_scattered_column_is_in_the_bounds_of_few_files(part: int) -> None:
    found = np.array(shares(part, *(f"key = {point}" for point in POINTS)))
    expected = np.array([truth("key", point, point) for point in POINTS])
    # Single ones are as uncertain as the number of sampled rows beyond them.
    assert np.abs(found - expected).mean() < 0.12, np.stack([found, expected])


def test_ranges_at_the_ends_are_in_the_bounds_of_as_many_files_as_have_some() -> None:
    found = shares(10, "key < 5", "key < 100", "key > 99900", "key > 99990")
    ranges = [(0, 4), (0, 99), (99_901, ROWS), (99_991, ROWS)]
    assert found == pytest.approx([truth("key", *each) for each in ranges], abs=0.12)


def test_the_greatest_value_is_expected_where_pieces_have_several_rows_of_the_next() -> None:
    assert shares(10, "rare > 5") == pytest.approx([truth("rare", 6, 9)], abs=0.1)


def test_bounds_of_all_rows_are_not_widened() -> None:
    workload = asked(*(f"a BETWEEN {low} AND {low + 999}" for low in (0, 41_000, 99_000)), columns=["a"])
    assert forecast(Layout(("a",)), sampled(1), workload, FILES).shares == (0.01,) * 3
