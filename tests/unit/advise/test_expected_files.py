"""Files that a sample stands for."""

import numpy as np

from pycompiler.advise.expected_files import files_as_they_are, files_of_layout
from pycompiler.advise.layout import Layout, Order
from pycompiler.expression.content import AllValues
from pycompiler.expression.statistics import ColumnStatistics
from tests.unit.advise.rows import BIGINT, table_sample

ROWS, FILES = 40_000, 100
RANDOM = np.random.default_rng(5)
TABLE = {name: RANDOM.integers(0, 10_000, ROWS) for name in "ab"}
COLUMNS = {name: values.tolist() for name, values in TABLE.items()}
CHOSEN = np.sort(RANDOM.choice(ROWS, ROWS // 5, replace=False)).tolist()
ASKED = np.flatnonzero(TABLE["b"] % 1_000 == 7)


def test_asked_rows_are_in_the_files_in_which_they_would_be() -> None:
    for layout in (Layout(("a",)), Layout(("a", "b"), Order.HILBERT)):
        found = files_of_layout(layout, table_sample(COLUMNS, CHOSEN, asked=ASKED.tolist()), FILES)
        everything = table_sample(COLUMNS).random
        arranged = layout.arrange(everything, FILES)
        truth = np.empty(ROWS, np.int64)
        truth[arranged] = np.repeat(np.arange(FILES), ROWS // FILES)
        off = np.abs(found.asked - truth[ASKED])
        assert (off <= 2).mean() > 0.9, f"{layout}: {np.percentile(off, [50, 90, 99])}"
        assert found.count == FILES and np.bincount(found.random).tolist() == [len(CHOSEN) // FILES] * FILES


def test_rows_that_are_alike_in_the_layouts_columns_lie_in_any_order() -> None:
    flags = {"flag": [0] * (ROWS // 2) + [1] * (ROWS // 2), "b": COLUMNS["b"]}
    found = files_of_layout(Layout(("flag",)), table_sample(flags, CHOSEN, asked=ASKED.tolist()), FILES)
    assert len(np.unique(found.asked)) > 30, "of 40 rows, each in a file by chance"
    assert (found.asked[ASKED < ROWS // 2] <= 50).all(), "but in one of the first half"


def test_a_file_is_small_even_if_its_bounds_are_those_of_a_piece_with_enough_rows() -> None:
    few = table_sample(COLUMNS, CHOSEN[:: len(CHOSEN) // 500][:500], asked=ASKED.tolist())
    found = files_of_layout(Layout(("a",)), few, FILES)
    assert found.count == FILES and len({id(each) for each in found.statistics}) == 500 // 25
    assert len(np.unique(found.asked)) > 20


def test_todays_files_have_the_bounds_that_are_known_and_no_other_records() -> None:
    sources = np.repeat(np.arange(4), ROWS // 4).tolist()
    known = ColumnStatistics(BIGINT, b"l", b"u", 0, 9, contents={"values": AllValues((b"m",))})
    found = files_as_they_are(
        table_sample(COLUMNS, CHOSEN, sources, ASKED.tolist()), {"f2.parquet": {"a": known}}, 40
    )
    assert (found.count, found.number) == (4, 40) and found.weights.tolist() == [0.25] * 4
    assert [each.get("a") for each in found.statistics] == [
        None,
        None,
        ColumnStatistics(BIGINT, b"l", b"u", 0, 9),
        None,
    ]
    assert (found.asked == ASKED // (ROWS // 4)).all()
