"""Forecasts from a part of the rows, against what all rows tell."""

from collections.abc import Sequence
from functools import cache

import numpy as np
import pytest

from pycompiler.tools.advise.forecast import KeptNow, forecast
from pycompiler.tools.advise.layout import Layout, Order
from pycompiler.tools.advise.row_sample import Codes
from tests.unit.tools.advise.rows import asked, sample_of

ROWS, SAMPLED, FILES = 100_000, 10_000, 100
RANDOM = np.random.default_rng(7)
TABLE = {
    "a": RANDOM.integers(0, 1_000_000, ROWS),
    "b": RANDOM.integers(0, 1_000_000, ROWS),
    # Some of a, and some of its own.
    "c": np.zeros(ROWS, np.int64),
}
TABLE["c"] = TABLE["a"] // 2 + RANDOM.integers(0, 200_000, ROWS)
CHOSEN = RANDOM.choice(ROWS, SAMPLED, replace=False)
SAMPLE = sample_of({name: values[CHOSEN].tolist() for name, values in TABLE.items()})
EVERYTHING = sample_of({name: values.tolist() for name, values in TABLE.items()})


@cache
def arranged(layout: Layout) -> Codes:
    """All rows in the order of a layout."""
    return layout.arrange(EVERYTHING, FILES)


def kept(layout: Layout, column: str, low: int, high: int) -> float:
    """The share of files with a value in a range, if all rows were laid out."""
    files = np.array_split(TABLE[column][arranged(layout)], FILES)
    return sum(bool((rows.min() <= high) and (rows.max() >= low)) for rows in files) / FILES


@pytest.mark.parametrize(
    "layout",
    [
        Layout(("a",)),
        Layout(("c",)),
        Layout(("a", "b"), Order.Z_ORDER),
        Layout(("a", "b"), Order.HILBERT),
        Layout(("a", "b", "c"), Order.HILBERT),
    ],
    ids=str,
)
@pytest.mark.parametrize("column", ["a", "b", "c"])
@pytest.mark.parametrize("width", [0, 5_000, 100_000])
def test_a_forecast_is_within_a_fifth_of_the_truth(layout: Layout, column: str, width: int) -> None:
    lows = range(50_000, 650_000, 120_000)
    workload = asked(*(f"{column} BETWEEN {low} AND {low + width}" for low in lows))
    truth = float(np.mean([kept(layout, column, low, low + width) for low in lows]))
    found = forecast(layout, SAMPLE, workload, FILES).share
    # One file is as exact as it gets.
    assert abs(found - truth) <= max(0.2 * truth, 1 / FILES), f"forecast {found:.3f}, truth {truth:.3f}"


def shares(rows: Sequence[int | None], condition: str, files: int, by: str = "a") -> float:
    sample = sample_of({by: rows})
    (share,) = forecast(Layout((by,)), sample, asked(condition), files).shares
    return share


def test_a_value_that_fills_files_is_not_expected_in_their_neighbours() -> None:
    numbers = [number // 100 for number in range(1_000)]  # each of ten values fills two of twenty files
    assert shares(numbers, "a = 5", 20) == pytest.approx(0.1)


def test_files_of_null_alone_are_skipped_and_null_is_found_first() -> None:
    numbers: list[int | None] = [*([None] * 500), *range(500)]
    assert shares(numbers, "a IS NULL", 10) == pytest.approx(0.5)
    assert shares(numbers, "a >= 0", 10) == pytest.approx(0.5)


@pytest.mark.parametrize("rate", [0.005, 0.01, 0.03])
def test_scattered_null_is_expected_in_files_of_which_no_null_was_sampled(rate: float) -> None:
    # Nearly each file of 1,000 rows has one, and of the 100 rows that are sampled of it, down to two fifths.
    is_null = RANDOM.random(ROWS) < rate
    found = sample_of({"a": CHOSEN.tolist(), "b": [None if null else 1 for null in is_null[CHOSEN].tolist()]})
    truth = float(np.mean([part.any() for part in np.array_split(is_null, FILES)]))
    (share,) = forecast(Layout(("a",)), found, asked("b IS NULL"), FILES).shares
    assert share == pytest.approx(truth, rel=0.2)


def test_null_in_one_part_of_the_files_is_expected_only_there() -> None:
    is_null = (RANDOM.random(ROWS) < 0.01) & (np.arange(ROWS) < ROWS // 4)
    found = sample_of({"a": CHOSEN.tolist(), "b": [None if null else 1 for null in is_null[CHOSEN].tolist()]})
    workload = asked("b IS NULL AND a < 25000", "b IS NULL AND a > 30000")
    there, elsewhere = forecast(Layout(("a",)), found, workload, FILES).shares
    assert there == pytest.approx(0.25, rel=0.2) and elsewhere < 0.03


def test_no_file_spans_two_partitions() -> None:
    partitions = [number % 4 for number in range(1_000)]
    numbers = [partition * 1_000 + number for number, partition in enumerate(partitions)]
    sample = sample_of({"a": numbers, "b": numbers}, partitions)
    # The rows of partition 2 fill a quarter of the files.
    found = forecast(Layout(("b",)), sample, asked("a BETWEEN 2000 AND 2999"), 20)
    assert found.shares[0] == pytest.approx(0.25)


def test_a_condition_that_was_asked_more_often_weighs_more() -> None:
    workload = asked("a = 1", "a = 1", "a = 1", "a >= 0")
    sample = sample_of({"a": list(range(1_000))})
    found = forecast(Layout(("a",)), sample, workload, 20)
    one, all_rows = found.shares
    assert one == pytest.approx(0.05) and all_rows == 1
    assert found.share == pytest.approx((3 * one + all_rows) / 4)


def test_a_column_that_was_not_sampled_skips_nothing() -> None:
    sample = sample_of({"a": list(range(1_000))})
    found = forecast(Layout(("a",)), sample, asked("b = 1"), 20)
    assert found.shares == (1.0,), "nothing is known of b"


@pytest.mark.parametrize(
    ("now", "by_bounds", "then"),
    [
        (KeptNow(), 0.3, 0.3),
        (KeptNow(0.5, 0.5), 1.0, 1.0),
        # Filters exclude as much as before where bounds exclude nothing, and nothing where bounds suffice.
        (KeptNow(0.3, 1.0), 1.0, 0.3),
        (KeptNow(0.3, 1.0), 0.2, 0.2),
        (KeptNow(0.3, 1.0), 0.5, 0.3),
        # Half of what bounds kept, which is little of a table that is sorted well for the condition.
        (KeptNow(0.01, 0.02), 1.0, 0.5),
        (KeptNow(0.0, 0.0), 0.4, 0.4),
    ],
)
def test_filters_leave_about_the_same_part_with_another_layout(
    now: KeptNow, by_bounds: float, then: float
) -> None:
    assert now.then(by_bounds) == pytest.approx(then)
