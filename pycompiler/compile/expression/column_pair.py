"""Decides whether a comparison of two columns may be TRUE in a file (docs/inside/formats.md, section 2)."""

from typing import Final

from pycompiler.compile.expression.model import ColumnPair, Operator
from pycompiler.compile.expression.statistics import ColumnStatistics
from pycompiler.compile.values.calendar import ZONE_MICROS
from pycompiler.compile.values.encoding import decode_value, encode_value
from pycompiler.compile.values.types import HiveType, ValueKind

_LEAST: Final = -(1 << 63)
_GREATEST: Final = (1 << 63) - 1
_BIGINT: Final = HiveType("bigint")
_FIRST_AMBIGUOUS: Final = 0xEE
"""Lead byte of U+E000: from there on, UTF-8 and UTF-16 order code points differently from surrogate pairs."""


def pair_may_be_true(pair: ColumnPair, left: ColumnStatistics, right: ColumnStatistics) -> bool:
    """Whether the comparison may be TRUE in some row of the file.

    Both columns must be stored as types that can be read as the pair's without loss.
    """
    if left.all_null or right.all_null:
        # No comparison with NULL is TRUE.
        return False
    kind = pair.type.kind
    if kind is ValueKind.FLOAT and (left.nan_count != 0 or right.nan_count != 0):
        # Bounds exclude NaN, and Hive orders NaN in two ways.
        return True
    floor, ceiling = _moved(kind, left.lower, -ZONE_MICROS), _moved(kind, right.upper, ZONE_MICROS)
    match pair.operator:
        case Operator.EQ_COLUMN:
            other_floor = _moved(kind, right.lower, -ZONE_MICROS)
            other_ceiling = _moved(kind, left.upper, ZONE_MICROS)
            # Skipped if all values of one column are above all values of the other.
            return _at_most(floor, ceiling) and _at_most(other_floor, other_ceiling)
        case Operator.NE_COLUMN:
            # Skipped if both columns hold the same single value. Equal instants may be shown differently.
            is_same = left.lower is not None and left.lower == left.upper == right.lower == right.upper
            return kind is ValueKind.TIMESTAMP or not is_same
        case Operator.LT_COLUMN:
            # Skipped if lower a >= upper b: a >= lower a >= upper b >= b in every row.
            may_hold = floor is None or ceiling is None or floor < ceiling
        case Operator.LTEQ_COLUMN:
            # Skipped if lower a > upper b: a >= lower a > upper b >= b in every row.
            may_hold = _at_most(floor, ceiling)
        case _:
            raise AssertionError(f"not a comparison of columns: {pair.operator.name}")
    # Hive compares UTF-8 in one place and UTF-16 in another. With b <= s <= a, both orders agree on a and b
    # if s has no byte from EE on: a and b differ at a byte that s shares or has between theirs, or a extends
    # b.
    return may_hold or (
        kind is ValueKind.STRING and not (_is_ordered_alike(floor) or _is_ordered_alike(ceiling))
    )


def _moved(kind: ValueKind | None, bound: bytes | None, micros: int) -> bytes | None:
    """A bound; that of timestamps by so many microseconds wider."""
    if bound is None or kind is not ValueKind.TIMESTAMP:
        return bound
    # Timestamps are encoded as integers. Values shifted past the end of the range stay at its end.
    instant = decode_value(_BIGINT, bound)
    assert isinstance(instant, int)
    return encode_value(_BIGINT, min(max(instant + micros, _LEAST), _GREATEST))


def _at_most(floor: bytes | None, ceiling: bytes | None) -> bool:
    return floor is None or ceiling is None or floor <= ceiling


def _is_ordered_alike(bound: bytes | None) -> bool:
    return bound is not None and all(byte < _FIRST_AMBIGUOUS for byte in bound)
