"""Sets of integers as closed spans, and moments in days, seconds or microseconds."""

from collections.abc import Iterable
from typing import Final

from pycompiler.compile.values.calendar import DAY_MICROS, SECOND_MICROS
from pycompiler.compile.values.encoding import encode_value
from pycompiler.compile.values.ordinals import known_ordinals
from pycompiler.compile.values.range_set import RangeSet
from pycompiler.compile.values.types import HiveType, ValueKind

_ZERO: Final = int.from_bytes(encode_value(HiveType("bigint"), 0), "big")
_UNITS: Final = {
    ValueKind.DATE: DAY_MICROS,
    ValueKind.TIMESTAMP: 1,
    # Integers that stand for moments are seconds since 1970.
    ValueKind.INTEGER: SECOND_MICROS,
}


def spans_of(hive_type: HiveType, values: RangeSet) -> list[tuple[int, int]]:
    """The integers, dates (days) or timestamps (microseconds) in a set, as ascending closed spans."""
    ordinals = known_ordinals(hive_type)
    spans = []
    for range_ in values.ranges:
        first, last = ordinals.first, ordinals.last
        if range_.low is not None:
            first = max(first, _number(range_.low.value) + (not range_.low.included))
        if range_.high is not None:
            last = min(last, _number(range_.high.value) - (not range_.high.included))
        if first <= last:
            spans.append((first, last))
    return spans


def moments(hive_type: HiveType, spans: Iterable[tuple[int, int]], unit: int, margin: int = 0) -> RangeSet:
    """The dates (as midnights), timestamps or seconds that lie within `margin` microseconds of the spans.

    The spans are closed, from the start of the first unit to the end of the last; a unit has `unit`
    microseconds.
    """
    assert hive_type.kind is not None
    step = _UNITS[hive_type.kind]
    return known_ordinals(hive_type).ranges(
        (-(-(first * unit - margin) // step), ((last + 1) * unit - 1 + margin) // step)
        for first, last in spans
    )


def _number(encoded: bytes) -> int:
    return int.from_bytes(encoded, "big") - _ZERO
