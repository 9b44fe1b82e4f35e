"""Decides whether a difference of two columns may be wanted in a file (docs/inside/formats.md, section 2)."""

from typing import Final

from pycompiler.compile.expression.model import DIFFERENCE_TYPE, ColumnDifference
from pycompiler.compile.expression.statistics import ColumnStatistics
from pycompiler.compile.values.calendar import DAY_MICROS, ZONE_MICROS, is_known
from pycompiler.compile.values.encoding import decode_value, encode_value
from pycompiler.compile.values.types import HiveType, ValueKind

_LEAST: Final = -(1 << 63)
_GREATEST: Final = (1 << 63) - 1


def difference_may_be_wanted(test: ColumnDifference, left: ColumnStatistics, right: ColumnStatistics) -> bool:
    """Whether the difference may be in the set in some row of the file.

    Both columns must be stored as types that can be read as the test's without loss.
    """
    if left.all_null or right.all_null:
        # The difference is NULL in every row.
        return False
    left_lower, left_upper = _range(test.type, left)
    right_lower, right_upper = _range(test.other_type, right)
    if left_lower is None or left_upper is None or right_lower is None or right_upper is None:
        return True
    least, greatest = left_lower - right_upper, left_upper - right_lower
    if least < _LEAST or greatest > _GREATEST:
        # Hive's bigints wrap around.
        return True
    low, high = encode_value(DIFFERENCE_TYPE, least), encode_value(DIFFERENCE_TYPE, greatest)
    # Skipped if no range touches [low, high]: lower a - upper b <= a - b <= upper a - lower b in every row.
    return any(
        not range_.ends_below(low) and not range_.begins_above(high) for range_ in test.differences.ranges
    )


def _range(hive_type: HiveType, statistics: ColumnStatistics) -> tuple[int | None, int | None]:
    """The least and the greatest number or day that a row may have; None if it is not known."""
    least = _number_or_day(hive_type, statistics.lower, -ZONE_MICROS)
    greatest = _number_or_day(hive_type, statistics.upper, ZONE_MICROS)
    return least, greatest


def _number_or_day(hive_type: HiveType, bound: bytes | None, shift: int) -> int | None:
    if bound is None:
        return None
    # Integers, dates and timestamps share an encoding.
    value = decode_value(DIFFERENCE_TYPE, bound)
    assert isinstance(value, int)
    if hive_type.kind is ValueKind.INTEGER:
        return value
    # The wall clock that Hive shows is nearer to the instant; its day lies between those of the moved bounds.
    day = (value + shift) // DAY_MICROS if hive_type.kind is ValueKind.TIMESTAMP else value
    # Hive's functions of dates are known for the years 1 to 9999.
    return day if is_known(day) else None
