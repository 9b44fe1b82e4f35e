from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pycompiler.compile.values.encoding import Value, encode_value
from pycompiler.compile.values.range_set import End, Range
from pycompiler.compile.values.types import HiveType
from pycompiler.tools.pages.axis import Axis


def axis_of(type_name: str, values: Sequence[Value]) -> Axis:
    hive_type = HiveType.parse(type_name)
    axis = Axis.of(hive_type, [encode_value(hive_type, value) for value in values])
    assert axis is not None
    return axis


def labels(axis: Axis) -> list[str]:
    return [tick.label for tick in axis.ticks]


def test_numbers_stand_at_their_distances() -> None:
    axis = axis_of("int", [10, 20, 110])
    assert axis.is_to_scale
    assert [axis.position(encode_value(axis.type, value)) for value in (10, 20, 60, 110)] == [0, 0.1, 0.5, 1]


def test_a_value_outside_stands_at_the_end() -> None:
    axis = axis_of("int", [10, 20])
    assert [axis.position(encode_value(axis.type, value)) for value in (-5, 300)] == [0, 1]


def test_strings_stand_in_order_and_say_so() -> None:
    axis = axis_of("string", ["a", "b", "zzz"])
    assert axis.why_not == "strings have an order, and no distances"
    places = [axis.position(encode_value(axis.type, value)) for value in ("a", "aa", "b", "c", "zzz")]
    assert places == [0, 0.25, 0.5, 0.75, 1]
    assert labels(axis) == ["'a'", "'b'", "'zzz'"]


def test_a_file_that_reaches_far_does_not_squeeze_the_others() -> None:
    axis = axis_of("int", [*range(100), 10**9])
    assert axis.why_not == "a few files reach far beyond the others"
    assert axis.position(encode_value(axis.type, 50)) == pytest.approx(0.5)


def test_infinite_bounds_are_drawn_in_order() -> None:
    axis = axis_of("double", [1.0, 2.0, float("inf")])
    assert axis.why_not == "some of them are infinite"
    assert axis.position(encode_value(axis.type, 2.0)) == 0.5


@pytest.mark.parametrize(
    ("type_name", "low", "high", "expected"),
    [
        (
            "date",
            date(2013, 1, 1),
            date(2013, 12, 31),
            ["2013-01-01", "2013-04-02", "2013-07-02", "2013-10-01", "2013-12-31"],
        ),
        (
            "date",
            date(1990, 5, 7),
            date(2030, 5, 7),
            ["1990-05-07", "2000-05-07", "2010-05-07", "2020-05-06", "2030-05-07"],
        ),
        ("int", 3, 997, ["3", "252", "500", "748", "997"]),
        ("int", 0, 1, ["0", "1"]),
        ("bigint", -2000, 2000, ["-2000", "-1000", "0", "1000", "2000"]),
        ("double", 0.0, 0.01, ["0", "0.0025", "0.005", "0.0075", "0.01"]),
        ("decimal(9,2)", Decimal("1.50"), Decimal("9.50"), ["1.5", "3.5", "5.5", "7.5", "9.5"]),
        ("double", -1e300, 1e300, ["-1e+300", "-5e+299", "0", "5e+299", "1e+300"]),
        ("bigint", -(2**63), 2**63 - 1, ["-9.22337e+18", "-4.61169e+18", "0", "4.61169e+18", "9.22337e+18"]),
        ("boolean", False, True, ["false", "true"]),
        (
            "timestamp",
            datetime(2026, 1, 1),
            datetime(2026, 1, 2),
            ["2026-01-01", "2026-01-01 06:00:00", "2026-01-01 12:00:00", "2026-01-01 18:00:00", "2026-01-02"],
        ),
    ],
)
def test_ticks_are_the_ends_and_the_quarters_between(
    type_name: str, low: Value, high: Value, expected: list[str]
) -> None:
    assert labels(axis_of(type_name, [low, high])) == expected


def test_a_single_value_has_one_tick() -> None:
    (tick,) = axis_of("int", [7]).ticks
    assert (tick.position, tick.label) == (0.5, "7")


@pytest.mark.parametrize("days", [-(10**9), 10**9])
def test_days_beyond_the_calendar_are_drawn(days: int) -> None:
    axis = axis_of("date", [days, days + 100, days + 400])
    assert axis.position(encode_value(axis.type, days + 100)) == 0.25
    assert axis.value_at(0.25)


@given(
    st.lists(st.tuples(st.integers(-(10**6), 10**6), st.integers(0, 1000)), min_size=1, max_size=60),
    st.sampled_from(["int", "bigint", "date", "timestamp"]),
)
def test_ranges_overlap_in_the_picture_if_and_only_if_they_do(
    ranges: list[tuple[int, int]], type_name: str
) -> None:
    ends = [(low, low + length) for low, length in ranges]
    axis = axis_of(type_name, [value for both in ends for value in both])
    drawn = [tuple(axis.position(encode_value(axis.type, value)) for value in both) for both in ends]
    for (low, high), (left, right) in zip(ends, drawn, strict=True):
        assert (low <= ends[0][1] and ends[0][0] <= high) == (left <= drawn[0][1] and drawn[0][0] <= right)
    places = [tick.position for tick in axis.ticks]
    assert all(before < after for before, after in pairwise(places)) and places[0] >= 0 and places[-1] <= 1


def test_a_wanted_range_ends_at_the_edge_if_it_goes_on() -> None:
    axis = axis_of("int", [0, 100])
    low, high = (End(encode_value(axis.type, value), True) for value in (25, 200))
    assert axis.span(Range(low, None)) == (0.25, None)
    assert axis.span(Range(None, low)) == (None, 0.25)
    assert axis.span(Range(low, high)) == (0.25, None)
    assert axis.span(Range(high, None)) is None, "no file has such a value"


def test_an_excluded_end_stands_off_the_value_in_order() -> None:
    axis = axis_of("string", ["a", "b", "c"])
    end = End(encode_value(axis.type, "b"), False)
    assert axis.span(Range(end, None)) == (0.625, None)
    assert axis.span(Range(None, end)) == (None, 0.375)
