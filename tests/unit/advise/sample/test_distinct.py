"""How many different values files have, estimated from a twentieth of their rows."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest

from pycompiler.advise.sample.distinct import distinct_values
from tests.unit.advise.rows import sample_of

FILES, ROWS = 50, 2_000
RANDOM = np.random.default_rng(11)
FILE_OF = np.repeat(np.arange(FILES), ROWS)
Numbers = npt.NDArray[np.int64]


def scattered(values: int) -> Numbers:
    return RANDOM.integers(0, values, FILES * ROWS)


@pytest.mark.parametrize(
    "make",
    [
        lambda: RANDOM.permutation(FILES * ROWS),
        lambda: scattered(20_000),
        lambda: scattered(1_500),
        lambda: scattered(40),
        # Values of their own in each file, four rows each, as the items of orders.
        lambda: np.arange(FILES * ROWS) // 4,
    ],
    ids=["a key", "rare values", "values of two rows in a file", "few values", "values of one file"],
)
def test_an_estimate_is_near_the_truth(make: Callable[[], Numbers]) -> None:
    values = make()
    truth = [len(np.unique(of_file)) for of_file in np.split(values, FILES)]
    chosen = np.sort(RANDOM.choice(len(values), len(values) // 20, replace=False))
    sample = sample_of({"a": values[chosen].tolist()})
    found = distinct_values("a", sample, FILE_OF[chosen], FILES, 0.05, 1)
    assert found.mean() == pytest.approx(np.mean(truth), rel=0.3)
    bound = np.bincount(FILE_OF[chosen], minlength=FILES) / 0.05
    assert (found <= bound).all(), "a file has no more values than rows"


def test_null_is_no_value_and_a_file_without_values_has_none() -> None:
    sample = sample_of({"a": [None, 3, 3, None]})
    assert distinct_values("a", sample, np.array([0, 0, 1, 2]), 3, 1.0, 1).tolist() == [1, 1, 0]


@pytest.mark.parametrize("rows_of_a_value", [2, 10])
@pytest.mark.parametrize("taken", [0.2, 0.5, 1.0])
def test_rows_that_were_read_together_do_not_make_values_seem_more_frequent(
    taken: float, rows_of_a_value: int
) -> None:
    # A tenth of today's files is read. Each has its own values, which stay together.
    files, rows = 1_000, 400
    sources = np.repeat(np.arange(files), rows)
    values = np.arange(files * rows) // rows_of_a_value
    is_read = sources % 10 == 0
    chosen = np.flatnonzero(is_read & (np.random.default_rng(3).random(len(values)) < taken))
    sample = sample_of({"a": values[chosen].tolist()})
    sample = type(sample)(sample.partitions, sources[chosen], sample.columns)
    # In each new file are rows of ten of today's.
    found = distinct_values("a", sample, sources[chosen] // 10, files // 10, taken * 0.1, 0.1)
    assert found.mean() == pytest.approx(4_000 / rows_of_a_value, rel=0.3)
