"""Whether a test of one column can be TRUE in a file (docs/format.md, section 2)."""

from __future__ import annotations

from collections.abc import Collection

from pycompiler.expression.content import Content
from pycompiler.expression.model import Leaf, Operator, Ranges
from pycompiler.expression.statistics import ColumnStatistics
from pycompiler.values.range_set import Range
from pycompiler.values.types import ValueKind


def may_be_true(test: Leaf | Ranges, statistics: ColumnStatistics) -> bool:
    """Tells whether a row of the file may pass the test.

    Args:
        test: The test.
        statistics: What is known about its column, stored as a type that is read as the test's without loss.
    """
    operator = Operator.RANGES if isinstance(test, Ranges) else test.operator
    if operator is Operator.IS_NULL:
        return statistics.null_count != 0
    if statistics.all_null:
        # No other test is TRUE for NULL.
        return False
    if operator is Operator.IS_NOT_NULL:
        return True
    if test.type.kind is ValueKind.FLOAT and statistics.nan_count != 0:
        # Bounds, values and filter leave NaN out, and Hive orders it in two ways.
        return True
    contents = statistics.contents.values()
    for content in contents:
        values = content.all_values
        if values is not None and not any(_may_hold(test, value, value, ()) for value in values):
            # The file has no values but these, and none of them passes.
            return False
    return _may_hold(test, statistics.lower, statistics.upper, contents)


def _may_hold(
    test: Leaf | Ranges, lower: bytes | None, upper: bytes | None, contents: Collection[Content]
) -> bool:
    if isinstance(test, Ranges):
        # Skipped if the values of the column and the ranges lie apart.
        return any(_touches(range_, lower, upper, contents) for range_ in test.ranges.ranges)
    first = test.values[0]
    match test.operator:
        case Operator.EQ | Operator.IN:
            # Skipped if no value of the list lies where all values of the column lie and is one of them.
            return any(
                (lower is None or lower <= v) and (upper is None or v <= upper) and _may_contain(contents, v)
                for v in test.values
            )
        case Operator.NE | Operator.NOT_IN:
            # Skipped if the column has one value only, and it is in the list.
            return lower is None or lower != upper or lower not in test.values
        case Operator.LT:
            # Skipped if lower >= v: every value is at least lower.
            return lower is None or lower < first
        case Operator.LTEQ:
            # Skipped if lower > v: every value is at least lower.
            return lower is None or lower <= first
        case Operator.GT:
            # Skipped if upper <= v: no value is above upper.
            return upper is None or upper > first
        case Operator.GTEQ:
            # Skipped if upper < v: no value is above upper.
            return upper is None or upper >= first
    raise AssertionError(f"not a test of values: {test.operator.name}")


def _touches(range_: Range, lower: bytes | None, upper: bytes | None, contents: Collection[Content]) -> bool:
    low, high = range_.low, range_.high
    if (
        high is not None
        and lower is not None
        and (high.value < lower or (high.value == lower and not high.included))
    ):
        # The range ends below every value.
        return False
    if low is None:
        return True
    if upper is not None and (low.value > upper or (low.value == upper and not low.included)):
        # The range begins above every value.
        return False
    return not range_.is_point or _may_contain(contents, low.value)


def _may_contain(contents: Collection[Content], value: bytes) -> bool:
    # A value that a content, such as a bloom filter, denies is in no row: it has no false negatives.
    return all(content.might_contain(value) for content in contents)
