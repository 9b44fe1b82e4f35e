from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pycompiler.compile.expression.statistics import ColumnStatistics
from pycompiler.compile.values.encoding import encode_value
from pycompiler.compile.values.types import HiveType
from pycompiler.table.files import FileSlice, TableFile
from pycompiler.tools.layout.overlap import Overlap, overlap

INT = HiveType("int")
Bounds = tuple[int, int]


def known(bounds: Bounds | None, nulls: int = 0) -> ColumnStatistics:
    if bounds is None:
        return ColumnStatistics(INT, null_count=nulls, value_count=10)
    low, high = (encode_value(INT, value) for value in bounds)
    return ColumnStatistics(INT, low, high, nulls, 10)


def overlap_of(*slices: Sequence[ColumnStatistics | None]) -> Overlap:
    """The overlap of slices, each given as the statistics of its base file and logs."""
    made, statistics = [], {}
    for number, of_files in enumerate(slices):
        files = [TableFile(f"{number}.{place}", 1, "1", True) for place in range(len(of_files))]
        made.append(FileSlice(files[0], tuple(files[1:])))
        for file, of_file in zip(files, of_files, strict=True):
            statistics[file] = {} if of_file is None else {"n": of_file}
    return overlap("n", INT, made, statistics)


def test_files_in_order_are_read_one_by_one() -> None:
    found = overlap_of(*([known((10 * number, 10 * number + 9))] for number in range(20)))
    assert found.depths == {1: 40}
    assert (found.median, found.quantile(0.9), found.most) == (1, 1, 1)


def test_scattered_files_are_all_read() -> None:
    found = overlap_of(*([known((0, 100))] for _ in range(20)))
    assert (found.median, found.most) == (20, 20)


def test_a_value_that_ends_one_file_and_begins_another_is_in_both() -> None:
    assert overlap_of([known((0, 5))], [known((5, 9))]).depths == {1: 2, 2: 2}


def test_a_slice_counts_once_however_many_of_its_files_hold_a_value() -> None:
    found = overlap_of([known((0, 5)), known((3, 9)), known((20, 30))], [known((4, 25))])
    assert found.depths == {1: 2, 2: 4}
    assert [len(ranges) for ranges in found.ranges] == [2, 1]


@pytest.mark.parametrize(
    "nothing", [None, known(None), ColumnStatistics(HiveType("string"), b"a", b"b", 0, 10)]
)
def test_a_slice_of_which_nothing_is_known_is_read_for_each_value(nothing: ColumnStatistics | None) -> None:
    found = overlap_of([known((0, 5))], [nothing], [known((0, 9)), nothing])
    assert (found.unbounded, found.depths) == (2, {3: 2})


def test_a_slice_of_nulls_is_read_for_no_value() -> None:
    found = overlap_of([known((0, 5))], [known(None, nulls=10)], [known((7, 8), nulls=1)])
    assert (found.all_null, found.with_null, found.unbounded) == (1, 2, 0)
    assert found.most == 1


def test_without_any_bounds_each_query_reads_the_unknown_slices() -> None:
    found = overlap_of([None], [None])
    assert (found.median, found.most) == (2, 2)


@given(
    st.lists(
        st.lists(st.tuples(st.integers(0, 30), st.integers(0, 8)), min_size=1, max_size=3),
        min_size=1,
        max_size=12,
    )
)
def test_depths_are_those_of_counting(slices: list[list[tuple[int, int]]]) -> None:
    bounds = [[(low, low + length) for low, length in of_slice] for of_slice in slices]
    found = overlap_of(*([known(ends) for ends in of_slice] for of_slice in bounds))
    ends = [
        (encode_value(INT, value))
        for of_slice in bounds
        for value in _ends_of_union(
            {number for low, high in of_slice for number in range(low, high + 1)}, of_slice
        )
    ]
    depths = Counter(
        sum(
            any(encode_value(INT, low) <= value <= encode_value(INT, high) for low, high in of_slice)
            for of_slice in bounds
        )
        for value in ends
    )
    assert found.depths == depths


def _ends_of_union(numbers: set[int], ranges: list[Bounds]) -> list[int]:
    """Where the union of ranges begins and ends; ranges that only touch as integers stay apart."""
    begins = [low for low, _ in dict.fromkeys(ranges) if not any(a < low <= b for a, b in ranges)]
    stops = [high for _, high in dict.fromkeys(ranges) if not any(a <= high < b for a, b in ranges)]
    assert numbers.issuperset({*begins, *stops})
    return [*dict.fromkeys(begins), *dict.fromkeys(stops)]
