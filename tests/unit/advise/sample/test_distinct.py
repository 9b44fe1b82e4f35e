"""How many different values files have, estimated from a twentieth of their rows."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest

from pycompiler.advise.sample.distinct import distinct_values
from tests.unit.advise.rows import sample_of

FILES, ROWS = 50, 2_000
FILE_OF = np.repeat(np.arange(FILES), ROWS)
Numbers = npt.NDArray[np.int64]


@pytest.mark.parametrize(
    "make",
    [
        lambda random: random.permutation(FILES * ROWS),
        lambda random: random.integers(0, 20_000, FILES * ROWS),
        lambda random: random.integers(0, 1_500, FILES * ROWS),
        lambda random: random.integers(0, 40, FILES * ROWS),
        # Values of their own in each file, four rows each, as the items of orders.
        lambda random: np.arange(FILES * ROWS) // 4,
    ],
    ids=["a key", "rare values", "values of two rows in a file", "few values", "values of one file"],
)
def test_an_estimate_is_near_the_truth(make: Callable[[np.random.Generator], Numbers]) -> None:
    random = np.random.default_rng(11)
    values = make(random)
    truth = [len(np.unique(of_file)) for of_file in np.split(values, FILES)]
    chosen = np.sort(random.choice(len(values), len(values) // 20, replace=False))
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
    sample = replace(sample, sources=sources[chosen])
    # In each new file are rows of ten of today's.
    found = distinct_values("a", sample, sources[chosen] // 10, files // 10, taken * 0.1, 0.1)
    assert found.mean() == pytest.approx(4_000 / rows_of_a_value, rel=0.3)


@pytest.mark.parametrize("values", [1, 3, 40, 1_000])
@pytest.mark.parametrize("files_in_one", [1, 10])
def test_a_file_of_which_one_row_group_was_read_has_no_more_of_scattered_values(
    files_in_one: int, values: int
) -> None:
    # One of ten row groups of each file is read; a new file has rows of one of today's, or of ten.
    random = np.random.default_rng(7)
    files, rows, read = 200, 4_000, 400
    drawn = random.integers(0, values, files * read)
    chosen = np.flatnonzero(random.random(len(drawn)) < 0.25)
    sources = chosen // read
    sample = replace(sample_of({"a": drawn[chosen].tolist()}), sources=sources)
    found = distinct_values("a", sample, sources // files_in_one, files // files_in_one, 0.025, 0.1)
    there = values * (1 - (1 - 1 / values) ** (rows * files_in_one))
    assert found.mean() == pytest.approx(there, rel=0.4)


def test_a_sample_without_rows_shows_no_values() -> None:
    sample = sample_of({"a": []})
    assert distinct_values("a", sample, np.array([], np.int64), 2, 0.0, 0.5).tolist() == [0, 0]
