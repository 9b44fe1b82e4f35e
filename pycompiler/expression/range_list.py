"""A set of ranges in IDL form: alternating ends, and one byte per range that flags which ends exist."""

from collections.abc import Sequence
from typing import Final

from pycompiler.values.range_set import Cut, RangeSet

_HAS_LOW: Final = 1
_LOW_INCLUDED: Final = 2
_HAS_HIGH: Final = 4
_HIGH_INCLUDED: Final = 8


def to_lists(ranges: RangeSet) -> tuple[list[bytes], bytes]:
    """Encodes a set: each range's low and high end, empty if unbounded, and the flag bytes."""
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
    """Decodes a set.

    Raises:
        ValueError: The ranges are not ascending, disjoint and non-empty, or the flags do not match the
            values.
    """
    if len(values) != 2 * len(bounds):
        raise ValueError(f"{len(values)} ends for {len(bounds)} ranges")
    cuts: list[Cut] = []
    last = len(bounds) - 1
    for position, flags in enumerate(bounds):
        low, high = values[2 * position : 2 * position + 2]
        has_low, has_high = bool(flags & _HAS_LOW), bool(flags & _HAS_HIGH)
        low_included, high_included = bool(flags & _LOW_INCLUDED), bool(flags & _HIGH_INCLUDED)
        if flags >= 2 * _HIGH_INCLUDED or (low_included > has_low) or (high_included > has_high):
            raise ValueError(f"not the bounds of a range: {flags}")
        if (low and not has_low) or (high and not has_high):
            raise ValueError("a value at a missing end")
        if (not has_low and position > 0) or (not has_high and position < last):
            raise ValueError("ranges that overlap or touch")
        if has_low:
            cuts.append(Cut(low, not low_included))
        if has_high:
            cuts.append(Cut(high, high_included))
    if any(a >= b for a, b in zip(cuts, cuts[1:], strict=False)):
        raise ValueError("ranges that are empty, not ascending, or not disjoint")
    return RangeSet(bool(bounds) and not bounds[0] & _HAS_LOW, tuple(cuts))
