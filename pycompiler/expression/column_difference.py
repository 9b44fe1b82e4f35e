"""Decides whether a difference of two columns may be wanted in a file (docs/inside/formats.md, section 2)."""

from typing import Final

from pycompiler.expression.model import DIFFERENCE_TYPE, ColumnDifference
from pycompiler.expression.statistics import ColumnStatistics
from pycompiler.values.calendar import is_known
from pycompiler.values.encoding import decode_value, encode_value
from pycompiler.values.types import ValueKind

_LEAST: Final = -(1 << 63)
_GREATEST: Final = (1 << 63) - 1


def difference_may_be_wanted(test: ColumnDifference, left: ColumnStatistics, right: ColumnStatistics) -> bool:
    """Whether the difference may be in the set in some row of the file.

    Both columns must be stored as types that can be read as the test's without loss.
    """
    if left.all_null or right.all_null:
        # The difference is NULL in every row.
        return False
    bounds = [_integer(bound) for bound in (left.lower, left.upper, right.lower, right.upper)]
    known = [bound for bound in bounds if bound is not None]
    if len(known) < len(bounds):
        return True
    if test.type.kind is ValueKind.DATE and not all(map(is_known, known)):
        # Hive's functions of dates are known for the years 1 to 9999.
        return True
    left_lower, left_upper, right_lower, right_upper = known
    least, greatest = left_lower - right_upper, left_upper - right_lower
    if least < _LEAST or greatest > _GREATEST:
        # Hive's bigints wrap around.
        return True
    low, high = encode_value(DIFFERENCE_TYPE, least), encode_value(DIFFERENCE_TYPE, greatest)
    # Skipped if no range touches [low, high]: lower a - upper b <= a - b <= upper a - lower b in every row.
    return any(
        not range_.ends_below(low) and not range_.begins_above(high) for range_ in test.differences.ranges
    )


def _integer(bound: bytes | None) -> int | None:
    # Integers and dates share an encoding.
    value = None if bound is None else decode_value(DIFFERENCE_TYPE, bound)
    assert value is None or isinstance(value, int)
    return value
