"""A set of ranges as the IDL has it: the ends in turn, and a byte a range that says which are there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pycompiler.values.range_set import Cut, RangeSet

_HAS_LOW: Final = 1
_LOW_INCLUDED: Final = 2
_HAS_HIGH: Final = 4
_HIGH_INCLUDED: Final = 8


def to_lists(ranges: RangeSet) -> tuple[list[bytes], bytes]:
    """Writes a set: low and high end of each range in turn, empty where there is none, and the bounds."""
    values: list[bytes] = []
    bounds = bytearray()
    for range_ in ranges.ranges:
        low, high = range_.low, range_.high
        values += [b"" if low is None else low.value, b"" if high is None else high.value]
        low_flags = 0 if low is None else _HAS_LOW | (_LOW_INCLUDED if low.included else 0)
        high_flags = 0 if high is None else _HAS_HIGH | (_HIGH_INCLUDED if high.included else 0)
        bounds.append(low_flags | high_flags)
    return values, bytes(bounds)


def from_lists(values: Sequence[bytes], bounds: bytes) -> RangeSet:
    """Reads a set.

    Raises:
        ValueError: The ranges are not ascending, not apart or empty, or the bounds do not go with the values.
    """
    if len(values) != 2 * len(bounds):
        raise ValueError(f"{len(values)} ends of {len(bounds)} ranges")
    cuts: list[Cut] = []
    last = len(bounds) - 1
    for position, flags in enumerate(bounds):
        low, high = values[2 * position : 2 * position + 2]
        has_low, has_high = bool(flags & _HAS_LOW), bool(flags & _HAS_HIGH)
        low_included, high_included = bool(flags & _LOW_INCLUDED), bool(flags & _HIGH_INCLUDED)
        if flags >= 2 * _HIGH_INCLUDED or (low_included > has_low) or (high_included > has_high):
            raise ValueError(f"not the bounds of a range: {flags}")
        if (low and not has_low) or (high and not has_high):
            raise ValueError("a value at an end that is not there")
        if (not has_low and position > 0) or (not has_high and position < last):
            raise ValueError("ranges that are not apart")
        if has_low:
            cuts.append(Cut(low, not low_included))
        if has_high:
            cuts.append(Cut(high, high_included))
    if any(a >= b for a, b in zip(cuts, cuts[1:], strict=False)):
        raise ValueError("ranges that are empty, do not ascend or are not apart")
    return RangeSet(bool(bounds) and not bounds[0] & _HAS_LOW, tuple(cuts))
