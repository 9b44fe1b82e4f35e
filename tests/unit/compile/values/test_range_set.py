from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pycompiler.compile.values.range_set import EMPTY, FULL, End, Range, RangeSet

PROPERTY = settings(max_examples=500)
# Ends are drawn from a few values; between, below and above them lie the others, so that all places count.
ENDS = [b"", b"\x01", b"\x01\x00", b"\x02", b"\x02\xff", b"\xff"]
PROBES = [*ENDS, b"\x00", b"\x01\x00\x00", b"\x01\x01", b"\x02\x00", b"\x02\xff\x00", b"\xfe", b"\xff\x00"]

ends = st.none() | st.builds(End, st.sampled_from(ENDS), st.booleans())
ranges = st.builds(Range, ends, ends)
range_lists = st.lists(ranges, max_size=4)
sets = range_lists.map(RangeSet.of)


def is_in(range_: Range, value: bytes) -> bool:
    low, high = range_.low, range_.high
    return (low is None or low.value < value or (low.included and low.value == value)) and (
        high is None or value < high.value or (high.included and value == high.value)
    )


def members(values: RangeSet) -> list[bool]:
    return [probe in values for probe in PROBES]


@PROPERTY
@given(range_lists)
def test_a_union_has_the_values_of_its_ranges(drawn: list[Range]) -> None:
    expected = [any(is_in(range_, probe) for range_ in drawn) for probe in PROBES]
    assert members(RangeSet.of(drawn)) == expected


@PROPERTY
@given(st.lists(sets, min_size=1, max_size=4))
def test_sets_combine_by_value(drawn: list[RangeSet]) -> None:
    each = list(zip(*map(members, drawn), strict=True))
    assert members(RangeSet.any_of(drawn)) == [any(of_value) for of_value in each]
    assert members(RangeSet.all_of(drawn)) == [all(of_value) for of_value in each]
    first, last = drawn[0], drawn[-1]
    assert first | last == RangeSet.any_of([first, last])
    assert first & last == RangeSet.all_of([first, last])


@PROPERTY
@given(sets)
def test_a_complement_has_the_other_values(values: RangeSet) -> None:
    assert members(values.complement()) == [not member for member in members(values)]
    assert values.complement().complement() == values
    assert (values & values.complement()) == EMPTY
    assert (values | values.complement()) == FULL


@PROPERTY
@given(sets)
def test_ranges_of_a_set_are_ascending_and_disjoint(values: RangeSet) -> None:
    assert RangeSet.of(values.ranges) == values
    assert RangeSet.of(reversed(values.ranges)) == values
    for left, right in zip(values.ranges, values.ranges[1:], strict=False):
        assert left.high is not None
        assert right.low is not None
        assert left.cuts()[1] < right.cuts()[0], f"{left} and {right} touch"  # type: ignore[operator]
    assert all(not range_.is_empty for range_ in values.ranges)


@PROPERTY
@given(sets)
def test_a_finite_set_lists_its_points(values: RangeSet) -> None:
    points = values.as_points
    if points is None:
        assert any(not range_.is_point for range_ in values.ranges)
    else:
        assert RangeSet.points(points) == values
        assert list(points) == sorted(set(points))


@PROPERTY
@given(sets)
def test_empty_and_full_sets_are_recognized(values: RangeSet) -> None:
    assert values.is_empty is (values == EMPTY)
    assert values.is_full is (values == FULL)
    if values.is_empty or values.is_full:
        assert set(members(values)) == {values.is_full}


@pytest.mark.parametrize(("value", "included"), list(product(ENDS, [True, False])))
def test_one_sided_sets(value: bytes, included: bool) -> None:
    end = End(value, included)
    assert RangeSet.below(value, included=included) == RangeSet.of([Range(None, end)])
    assert RangeSet.above(value, included=included) == RangeSet.of([Range(end, None)])
    assert RangeSet.below(value, included=included).complement() == RangeSet.above(
        value, included=not included
    )


def test_touching_ranges_merge_and_a_gap_of_one_point_remains() -> None:
    low, point, high = Range(None, End(b"\x02", False)), End(b"\x02", True), Range(End(b"\x02", False), None)
    assert RangeSet.of([low, Range(point, point), high]) == FULL
    assert RangeSet.of([low, high]).complement() == RangeSet.point(b"\x02")
    assert len(RangeSet.of([low, high]).ranges) == 2
