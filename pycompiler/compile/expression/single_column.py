"""Decides whether a test of one column may be TRUE in a file (docs/inside/formats.md, section 2)."""

from collections.abc import Collection

from pycompiler.compile.expression.content import Content
from pycompiler.compile.expression.model import Leaf, Operator, Ranges
from pycompiler.compile.expression.statistics import ColumnStatistics
from pycompiler.compile.values.range_set import Range
from pycompiler.compile.values.types import ValueKind


def may_be_true(test: Leaf | Ranges, statistics: ColumnStatistics) -> bool:
    """Whether some row of the file may pass the test.

    The column must be stored as a type that can be read as the test's without loss.
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
        # Bounds, values and filter exclude NaN, and Hive orders NaN in two ways.
        return True
    contents = statistics.contents.values()
    for content in contents:
        values = content.all_values
        if values is not None and not any(_may_hold(test, value, value, ()) for value in values):
            # Skipped if the file's values are all known and none passes.
            return False
    return _may_hold(test, statistics.lower, statistics.upper, contents)


def _may_hold(
    test: Leaf | Ranges, lower: bytes | None, upper: bytes | None, contents: Collection[Content]
) -> bool:
    if isinstance(test, Ranges):
        # Skipped if the column's values and the ranges are disjoint.
        return any(_touches(range_, lower, upper, contents) for range_ in test.ranges.ranges)
    first = test.values[0]
    match test.operator:
        case Operator.EQ | Operator.IN:
            # Skipped if no value of the list is within the bounds and possibly in the column.
            return any(
                (lower is None or lower <= v) and (upper is None or v <= upper) and _may_contain(contents, v)
                for v in test.values
            )
        case Operator.NE | Operator.NOT_IN:
            # Skipped if the column has a single value and the list contains it.
            return lower is None or lower != upper or lower not in test.values
        case Operator.LT:
            # Skipped if lower >= v: no value is below lower.
            return lower is None or lower < first
        case Operator.LTEQ:
            # Skipped if lower > v: no value is below lower.
            return lower is None or lower <= first
        case Operator.GT:
            # Skipped if upper <= v: no value is above upper.
            return upper is None or upper > first
        case Operator.GTEQ:
            # Skipped if upper < v: no value is above upper.
            return upper is None or upper >= first
    raise AssertionError(f"not a test of values: {test.operator.name}")


def _touches(range_: Range, lower: bytes | None, upper: bytes | None, contents: Collection[Content]) -> bool:
    # The range ends below all values, or begins above them.
    if (lower is not None and range_.ends_below(lower)) or (upper is not None and range_.begins_above(upper)):
        return False
    return range_.low is None or not range_.is_point or _may_contain(contents, range_.low.value)


def _may_contain(contents: Collection[Content], value: bytes) -> bool:
    # Contents such as Bloom filters have no false negatives: a value that one denies is in no row.
    return all(content.might_contain(value) for content in contents)
