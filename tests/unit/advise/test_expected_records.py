"""What records would tell and how large they would be, against records of all rows."""

import numpy as np
import pytest

from pycompiler.advise.expected_files import ExpectedFiles, files_of_layout
from pycompiler.advise.expected_records import expected_records
from pycompiler.advise.layout import Layout
from pycompiler.advise.sample.row_sample import TableSample
from pycompiler.expression.bloom import BloomFilter
from pycompiler.index.kinds import Bloom, ValueSet
from pycompiler.values.encoding import encode_value
from tests.unit.advise.rows import BIGINT, table_sample

ROWS, FILES = 100_000, 50
RANDOM = np.random.default_rng(8)
TABLE = {
    "a": RANDOM.permutation(ROWS),
    "key": RANDOM.integers(0, 25_000, ROWS),
    "few": np.zeros(ROWS, np.int64),
}
# About twenty different ones among rows that are near in a.
TABLE["few"] = TABLE["a"] // 5_000 * 100 + RANDOM.integers(0, 20, ROWS)
COLUMNS = {name: values.tolist() for name, values in TABLE.items()}
KEYS, FEWS = (3, 10_007, 24_990, 90_000), (5, 1_912, 700, 50)
ASKED = np.flatnonzero(np.isin(TABLE["key"], KEYS) | np.isin(TABLE["few"], FEWS))
BY_A = np.argsort(TABLE["a"])


def encoded(*numbers: int) -> list[bytes]:
    return [encode_value(BIGINT, number) for number in numbers]


def sampled(part: int) -> tuple[TableSample, ExpectedFiles]:
    chosen = np.sort(RANDOM.choice(ROWS, ROWS // part, replace=False)).tolist()
    sample = table_sample(COLUMNS, chosen, asked=ASKED.tolist()).shuffled()
    return sample, files_of_layout(Layout(("a",)), sample, FILES)


def in_files(column: str) -> list[set[int]]:
    return [set(rows.tolist()) for rows in np.split(TABLE[column][BY_A], FILES)]


@pytest.mark.parametrize("part", [4, 20])
def test_filters_are_as_large_as_those_of_all_rows_and_hold_what_they_hold(part: int) -> None:
    sample, files = sampled(part)
    found = expected_records("key", Bloom(), files, sample, encoded(*KEYS))
    truth = in_files("key")
    fpp = Bloom().sized(FILES).fpp
    assert fpp is not None
    size = sum(len(BloomFilter.of(encoded(*values), fpp).data) for values in truth)
    assert found.size == pytest.approx(size, rel=0.05)
    assert found.distinct == pytest.approx(np.mean([len(values) for values in truth]), rel=0.05)
    for key in KEYS:
        expected = sum(
            content.might_contain(*encoded(key)) for content in found.contents if content is not None
        )
        assert expected == pytest.approx(sum(key in values for values in truth), abs=1), key
    assert all(content is not None and content.all_values is None for content in found.contents)


def test_a_filter_has_as_many_false_positives_as_are_asked_for() -> None:
    sample, files = sampled(20)
    absent = encoded(*range(100_000, 100_400))
    contents = expected_records("key", Bloom(0.05), files, sample, absent).contents
    kept = [content.might_contain(value) for content in contents if content for value in absent]
    assert np.mean(kept) == pytest.approx(0.05, rel=0.1)


def test_sets_list_the_values_of_files_that_have_few() -> None:
    sample, files = sampled(4)
    found = expected_records("few", ValueSet(), files, sample, encoded(*FEWS))
    complete = 0
    for content, truth in zip(found.contents, in_files("few"), strict=True):
        assert content is not None
        if content.all_values is not None:
            complete += 1
            assert len(truth.symmetric_difference(map(number, content.all_values))) <= 20, "of a neighbour"
    assert complete > 0.8 * FILES, "of the others, that a neighbour's values begin is not sure"
    assert found.distinct == pytest.approx(np.mean([len(values) for values in in_files("few")]), rel=0.2)
    assert all(content is None for content in expected_records("key", ValueSet(), files, sample, ()).contents)
    assert not any(expected_records("few", ValueSet(10), files, sample, ()).contents)


def test_a_set_of_which_values_are_unknown_skips_by_the_asked_ones_only() -> None:
    sample, files = sampled(200)
    contents = expected_records("few", ValueSet(), files, sample, encoded(5)).contents
    assert all(content is not None and content.all_values is None for content in contents)
    assert sum(content.might_contain(*encoded(5)) for content in contents if content) in (2, 3, 4)


def number(value: bytes) -> int:
    return int.from_bytes(value, "big") - (1 << 63)


def test_a_smaller_sample_is_known_to_tell_less() -> None:
    def error(part: int) -> float:
        sample, files = sampled(part)
        found = expected_records("key", Bloom(), files, sample, ())
        return found.error / found.size

    assert error(2) < 0.02 and error(2) < error(200)
