"""Soundness: a file with a row that passes a test is kept, whatever true statistics it has."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pycompiler.expression.bloom import BloomFilter
from pycompiler.expression.evaluator import leaf_keeps
from pycompiler.expression.model import (
    ALL_OUTCOMES,
    COMPARISONS,
    MEMBERSHIPS,
    NULL_TESTS,
    PAIRS,
    ColumnPair,
    ColumnTest,
    HiveTerm,
    KindQuestion,
    Leaf,
    Operator,
    Ranges,
)
from pycompiler.expression.statistics import ColumnStatistics
from pycompiler.values.encoding import Value, encode_value, truncate_lower, truncate_upper
from pycompiler.values.range_set import End, Range, RangeSet
from pycompiler.values.types import HiveType, ValueKind
from tests.contents import contents_of

PROPERTY = settings(derandomize=True, deadline=None, max_examples=200)
SHIFT: Final = 36 * 3600 * 1_000_000
Cell = Value | None
Row = tuple[Cell, Cell]

# Few values of each type, so that they meet, and others.
VALUES: Final[dict[str, st.SearchStrategy[Value]]] = {
    "boolean": st.booleans(),
    "int": st.integers(-3, 3) | st.integers(-(2**31), 2**31 - 1),
    "double": st.sampled_from([-0.0, 0.0, math.nan, math.inf, -math.inf, 0.5, 1.5]) | st.floats(),
    "decimal(10,2)": st.decimals(-2, 2, places=1) | st.decimals(-(10**7), 10**7, places=2),
    "string": st.text("a\uffee\U00010000", max_size=2) | st.text(max_size=70) | st.just("a" * 70),
    "date": st.integers(-2, 2) | st.integers(-100_000, 100_000),
    "timestamp": st.integers(-2, 2).map(lambda days: days * 2 * SHIFT)
    | st.integers(-3, 3)
    | st.sampled_from([-(2**63), 2**63 - 1]),
}
# Hive compares strings by UTF-8 in one place and by UTF-16 in another.
ORDERS: Final[list[Callable[[str], bytes]]] = [
    lambda text: text.encode("utf-8"),
    lambda text: text.encode("utf-16-be"),
]
PAIR_TESTS: Final[dict[Operator, Callable[[int], bool]]] = {
    Operator.EQ_COLUMN: lambda sign: sign == 0,
    Operator.NE_COLUMN: lambda sign: sign != 0,
    Operator.LT_COLUMN: lambda sign: sign < 0,
    Operator.LTEQ_COLUMN: lambda sign: sign <= 0,
}
COMPARISON_TESTS: Final[dict[Operator, Callable[[int], bool]]] = {
    Operator.EQ: lambda sign: sign == 0,
    Operator.NE: lambda sign: sign != 0,
    Operator.LT: lambda sign: sign < 0,
    Operator.LTEQ: lambda sign: sign <= 0,
    Operator.GT: lambda sign: sign > 0,
    Operator.GTEQ: lambda sign: sign >= 0,
}


@pytest.mark.parametrize("type_name", VALUES)
@PROPERTY
@given(st.data())
def test_a_file_with_a_row_that_passes_is_kept(type_name: str, data: st.DataObject) -> None:
    hive_type = HiveType.parse(type_name)
    values = VALUES[type_name].map(as_stored)
    rows: list[Row] = data.draw(st.lists(st.tuples(values | st.none(), values | st.none()), max_size=4))
    test = data.draw(column_tests(hive_type, values))
    statistics = {
        name: data.draw(true_statistics(hive_type, [row[position] for row in rows], values))
        for position, name in enumerate("ab")
    }
    passing = [row for row in rows if passes(test, row, data)]
    assert leaf_keeps(test, statistics) or not passing, f"skipped for {statistics}, with the rows {passing}"


def as_stored(value: Value) -> Value:
    """The value itself; a decimal has no negative zero."""
    return abs(value) if isinstance(value, Decimal) and value == 0 else value


@st.composite
def column_tests(draw: st.DrawFn, hive_type: HiveType, values: st.SearchStrategy[Value]) -> ColumnTest:
    def encoded() -> bytes:
        # NaN is no literal and no end of a range: the compiler sees to that.
        literals = values.filter(lambda value: not is_nan(value))
        return encode_value(hive_type, draw(literals))

    operator = draw(
        st.sampled_from(
            [*sorted(COMPARISONS), *sorted(MEMBERSHIPS), *sorted(NULL_TESTS), *sorted(PAIRS), Operator.TERM]
            + [Operator.RANGES] * 3
        )
    )
    if operator in PAIRS:
        left, right = draw(st.permutations("ab"))
        return ColumnPair(operator, left, hive_type, right, hive_type)
    if operator is Operator.TERM:
        return HiveTerm(0, draw(st.integers(1, ALL_OUTCOMES)), (("a", hive_type), ("b", hive_type)))
    if operator is Operator.RANGES:

        def end() -> End | None:
            return draw(st.none() | st.builds(End, st.just(encoded()), st.booleans()))

        ranges = RangeSet.of(Range(end(), end()) for _ in range(draw(st.integers(1, 3))))
        if draw(st.booleans()):
            ranges |= RangeSet.point(encoded())
        if ranges.is_empty and hive_type.kind is not ValueKind.FLOAT:
            ranges = RangeSet.point(encoded())
        return Ranges("a", hive_type, ranges)
    count = 0 if operator in NULL_TESTS else 1 if operator in COMPARISONS else draw(st.integers(1, 3))
    return Leaf(operator, "a", hive_type, tuple(sorted({encoded() for _ in range(count)})))


@st.composite
def true_statistics(
    draw: st.DrawFn, hive_type: HiveType, cells: Sequence[Cell], values: st.SearchStrategy[Value]
) -> ColumnStatistics:
    """Statistics that are true of a column, each part looser or left out at will."""
    there = [cell for cell in cells if cell is not None and not is_nan(cell)]
    encoded = sorted({encode_value(hive_type, value) for value in there})
    looser = [
        encode_value(hive_type, value) for value in draw(st.lists(values, max_size=2)) if not is_nan(value)
    ]
    lower, upper = None, None
    if encoded:
        lower = truncate_lower(min([*encoded, *looser]))
        upper = truncate_upper(max([*encoded, *looser]))
    nan_count = sum(map(is_nan, cells)) if hive_type.kind is ValueKind.FLOAT else None
    return ColumnStatistics(
        type=hive_type,
        lower=draw(st.sampled_from([lower, lower, lower, None])),
        upper=draw(st.sampled_from([upper, upper, upper, None])),
        null_count=draw(st.sampled_from([cells.count(None), None])),
        value_count=draw(st.sampled_from([len(cells), None])),
        nan_count=draw(st.sampled_from([nan_count, None])),
        contents=contents_of(
            encoded if draw(st.booleans()) else None,
            BloomFilter.of(encoded) if draw(st.booleans()) else None,
        ),
    )


def passes(test: ColumnTest, row: Row, data: st.DataObject) -> bool:
    """Whether a row makes a test TRUE, or may: where Hive has several orders, in one of them."""
    match test:
        case HiveTerm() | KindQuestion():
            return data.draw(st.booleans())
        case ColumnPair():
            left, right = (row["ab".index(name)] for name, _ in test.columns)
            if left is None or right is None:
                return False
            return any(PAIR_TESTS[test.operator](sign) for sign in signs(test, left, right, data))
    value = row[0]
    if isinstance(test, Leaf) and test.operator in NULL_TESTS:
        return (value is None) is (test.operator is Operator.IS_NULL)
    if value is None:
        return False
    if is_nan(value):
        return True
    encoded = encode_value(test.type, value)
    if isinstance(test, Ranges):
        return encoded in test.ranges
    if test.operator in MEMBERSHIPS:
        return (encoded in test.values) is (test.operator is Operator.IN)
    return COMPARISON_TESTS[test.operator]((encoded > test.values[0]) - (encoded < test.values[0]))


def signs(test: ColumnPair, left: Value, right: Value, data: st.DataObject) -> list[int]:
    """-1, 0 or 1 in each order in which Hive may see two values."""
    if is_nan(left) or is_nan(right):
        return [-1, 0, 1]
    if isinstance(left, str) and isinstance(right, str):
        return [(order(left) > order(right)) - (order(left) < order(right)) for order in ORDERS]
    if test.type.kind is ValueKind.TIMESTAMP:
        assert isinstance(left, int) and isinstance(right, int)
        left += data.draw(st.integers(-SHIFT, SHIFT) | st.sampled_from([-SHIFT, SHIFT]))
        right += data.draw(st.integers(-SHIFT, SHIFT) | st.sampled_from([-SHIFT, SHIFT]))
        return [(left > right) - (left < right)]
    one, other = encode_value(test.type, left), encode_value(test.type, right)
    return [(one > other) - (one < other)]


def is_nan(value: Cell) -> bool:
    return isinstance(value, float) and math.isnan(value)
