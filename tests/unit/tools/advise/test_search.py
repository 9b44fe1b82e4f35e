"""The layouts that are found for some workloads."""

import numpy as np
import pytest

from pycompiler.tools.advise.forecast import forecast
from pycompiler.tools.advise.layout import Layout, Order
from pycompiler.tools.advise.search import MAX_COLUMNS, candidates
from tests.unit.tools.advise.rows import asked, sample_of

pytestmark = pytest.mark.slow

ROWS, FILES = 20_000, 100
RANDOM = np.random.default_rng(3)
COLUMNS = {name: RANDOM.integers(0, 10_000, ROWS).tolist() for name in ("a", "b", "c")}
SAMPLE = sample_of(COLUMNS)


def silent(_done: int, _total: int) -> None:
    pass


def test_one_column_is_sorted_by_if_all_queries_ask_for_it() -> None:
    (best, *_) = candidates(SAMPLE, asked("a = 5", "a = 17", "a BETWEEN 9 AND 90"), FILES, silent)
    assert best.layout == Layout(("a",)), "two columns read no less, and are more work"


def test_two_columns_that_are_asked_for_alone_share_a_curve() -> None:
    workload = asked(*(f"{column} = {value}" for column in "ab" for value in (70, 500, 9_000)))
    (best, *others) = candidates(SAMPLE, workload, FILES, silent)
    assert best.layout.columns == ("a", "b") and best.layout.order is not Order.LINEAR, best.layout
    assert any(each.layout in (Layout(("a",)), Layout(("b",))) for each in others), "the simplest is shown"
    assert all(best.share <= each.share * 1.05 for each in others)


def test_the_first_is_as_good_as_the_best_of_all_layouts_tried_by_hand() -> None:
    workload = asked("a = 5", "a = 17 AND b < 5000", "b BETWEEN 100 AND 300", "c = 3", "a > 9900 AND c < 100")
    everything = [
        Layout(columns, order)
        for columns in (("a",), ("b",), ("c",), ("a", "b"), ("a", "c"), ("b", "c"), ("a", "b", "c"))
        for order in Order
    ]
    least = min(forecast(layout, SAMPLE, workload, FILES).share for layout in everything)
    (best, *_) = candidates(SAMPLE, workload, FILES, silent)
    assert best.share <= 1.1 * least, f"{best.layout} reads {best.share:.3f}, another layout {least:.3f}"


def test_columns_that_are_asked_for_most_are_tried() -> None:
    names = [f"k{number}" for number in range(MAX_COLUMNS + 2)]
    sample = sample_of({name: RANDOM.integers(0, 100, 2_000).tolist() for name in names})
    conditions = [f"{name} = 3" for number, name in enumerate(names) for _ in range(number + 1)]
    found = candidates(sample, asked(*conditions, columns=names), 20, silent)
    tried = {column for each in found for column in each.layout.columns}
    assert not tried & {"k0", "k1"}, tried


def test_columns_that_many_conditions_test_in_vain_do_not_displace_those_that_help() -> None:
    flags = [f"flag{number}" for number in range(MAX_COLUMNS)]
    names = ("key", *flags)
    sample = sample_of(
        {name: RANDOM.integers(0, 2 if name in flags else 10_000, ROWS).tolist() for name in names}
    )
    valid = " AND ".join(f"{flag} >= 0" for flag in flags)
    conditions = [*(f"key = {value} AND {valid}" for value in (70, 500)), *[valid] * 5]
    (best, *_) = candidates(sample, asked(*conditions, columns=names), FILES, silent)
    assert best.layout == Layout(("key",))


def test_columns_that_rise_together_do_not_displace_another() -> None:
    together = [f"day{number}" for number in range(MAX_COLUMNS)]
    day = RANDOM.integers(0, 10_000, ROWS)
    columns = {name: (day + RANDOM.integers(0, 30, ROWS)).tolist() for name in together}
    columns["key"] = RANDOM.integers(0, 10_000, ROWS).tolist()
    conditions = [f"{name} = {value}" for name in together for value in (900, 4_000, 7_000)]
    workload = asked(*conditions, *(f"key = {value}" for value in (70, 500)), columns=list(columns))
    found = candidates(sample_of(columns), workload, FILES, silent)
    assert any("key" in each.layout.columns for each in found), [str(each.layout) for each in found]


def test_the_best_is_first_and_those_that_read_more_follow_by_what_they_read() -> None:
    workload = asked(*(f"{column} = {value}" for column in "ab" for value in (70, 500, 9_000)))
    found = candidates(SAMPLE, workload, FILES, silent)
    least = min(each.share for each in found)
    worse = [each.share for each in found if each.share > 1.05 * least]
    assert worse and worse == [each.share for each in found[-len(worse) :]] == sorted(worse)


def test_progress_is_told_for_each_layout_that_is_tried() -> None:
    told: list[tuple[int, int]] = []
    candidates(SAMPLE, asked("a = 5", "b = 3"), FILES, lambda done, total: told.append((done, total)))
    assert [done for done, _ in told] == list(range(6)) and {total for _, total in told} == {6}


def test_the_order_of_todays_files_does_not_make_a_column_of_few_values_help() -> None:
    columns = {"id": list(range(ROWS)), "kind": RANDOM.integers(0, 4, ROWS).tolist()}
    workload = asked("id = 70", "id = 9000", "id = 15000", "kind = 1", columns=list(columns))
    found = candidates(sample_of(columns), workload, FILES, silent)
    (by_kind,) = [each for each in found if each.layout == Layout(("kind",))]
    assert by_kind.share > 0.6, "sorted by kind, an id may be in most files"


def test_a_hilbert_curve_is_not_thought_more_work_than_a_z_order() -> None:
    workload = asked(*(f"{column} = {value}" for column in "ab" for value in (70, 500, 9_000)))
    curves = [
        each for each in candidates(SAMPLE, workload, FILES, silent) if each.layout.columns == ("a", "b")
    ]
    assert [each.share for each in curves] == sorted(each.share for each in curves)
