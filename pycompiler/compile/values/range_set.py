"""Sets of encoded values, as ascending, disjoint ranges.

Byte strings are dense, so an open range between adjacent values of a discrete type does not count as empty:
a set may be larger than the values that it stands for, never smaller.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple


class Cut(NamedTuple):
    """A position just below or just above an encoded `value`. Cuts sort by position."""

    value: bytes
    above: bool


@dataclass(frozen=True, slots=True)
class End:
    """An end of a range, and whether the range includes it."""

    value: bytes
    included: bool


@dataclass(frozen=True, slots=True)
class Range:
    """All values from `low` to `high`; None means unbounded."""

    low: End | None = None
    high: End | None = None

    @property
    def is_point(self) -> bool:
        """Whether the range is a single value."""
        return self.low is not None and self.low == self.high and self.low.included

    @staticmethod
    def point(value: bytes) -> Range:
        """The range of one value."""
        return Range(End(value, True), End(value, True))

    def begins_above(self, value: bytes) -> bool:
        """Whether all values of the range are above `value`."""
        low = self.low
        return low is not None and (value < low.value or (value == low.value and not low.included))

    def ends_below(self, value: bytes) -> bool:
        """Whether all values of the range are below `value`."""
        high = self.high
        return high is not None and (value > high.value or (value == high.value and not high.included))

    @property
    def is_empty(self) -> bool:
        """Whether no value lies between the ends."""
        low, high = self.cuts()
        return low is not None and high is not None and low >= high

    def cuts(self) -> tuple[Cut | None, Cut | None]:
        """The positions where the range begins and ends; None means unbounded."""
        low = None if self.low is None else Cut(self.low.value, not self.low.included)
        high = None if self.high is None else Cut(self.high.value, self.high.included)
        return low, high


@dataclass(frozen=True)
class RangeSet:
    """A set of encoded values, made by `of`, `point`, `points`, `below` or `above`.

    Attributes:
        from_the_start: Whether the set is unbounded below.
        cuts: Positions where the set alternately begins and ends; must ascend, which is not checked.
    """

    from_the_start: bool
    cuts: tuple[Cut, ...]

    @staticmethod
    def of(ranges: Iterable[Range]) -> RangeSet:
        """The union of ranges, in any order."""
        spans = [range_.cuts() for range_ in ranges if not range_.is_empty]
        starts = [(low, 1) for low, _ in spans if low is not None]
        ends = [(high, -1) for _, high in spans if high is not None]
        return _swept(starts + ends, depth=len(spans) - len(starts), wanted=1)

    @staticmethod
    def point(value: bytes) -> RangeSet:
        """The set of one value."""
        return RangeSet(False, (Cut(value, False), Cut(value, True)))

    @staticmethod
    def points(values: Iterable[bytes]) -> RangeSet:
        """The set of some values."""
        # Lists may have thousands of values, and Cut's constructor takes twice as long.
        cut = tuple.__new__
        return RangeSet(
            False,
            tuple(cut(Cut, (value, above)) for value in sorted(set(values)) for above in (False, True)),
        )

    @staticmethod
    def below(value: bytes, *, included: bool) -> RangeSet:
        """All values below `value`."""
        return RangeSet(True, (Cut(value, included),))

    @staticmethod
    def above(value: bytes, *, included: bool) -> RangeSet:
        """All values above `value`."""
        return RangeSet(False, (Cut(value, not included),))

    @property
    def is_empty(self) -> bool:
        """Whether the set has no values."""
        return not self.cuts and not self.from_the_start

    @property
    def is_full(self) -> bool:
        """Whether the set has all values."""
        return not self.cuts and self.from_the_start

    @cached_property
    def ranges(self) -> tuple[Range, ...]:
        """The ranges, ascending and disjoint."""
        ends: list[Cut | None] = [*([None] if self.from_the_start else []), *self.cuts]
        if len(ends) % 2:
            ends.append(None)
        return tuple(
            Range(
                None if low is None else End(low.value, not low.above),
                None if high is None else End(high.value, high.above),
            )
            for low, high in zip(ends[::2], ends[1::2], strict=True)
        )

    @cached_property
    def as_points(self) -> tuple[bytes, ...] | None:
        """The values in ascending order if the set is a finite list of them; else None."""
        cuts = self.cuts
        if self.from_the_start or len(cuts) % 2:
            return None
        values = tuple(value for value, _ in cuts[::2])
        is_list = (
            values == tuple(value for value, _ in cuts[1::2])
            and not any(above for _, above in cuts[::2])
            and all(above for _, above in cuts[1::2])
        )
        return values if is_list else None

    def complement(self) -> RangeSet:
        """The values not in the set."""
        return RangeSet(not self.from_the_start, self.cuts)

    def __or__(self, other: RangeSet) -> RangeSet:
        return RangeSet.any_of([self, other])

    def __and__(self, other: RangeSet) -> RangeSet:
        return RangeSet.all_of([self, other])

    @staticmethod
    def any_of(sets: Sequence[RangeSet]) -> RangeSet:
        """The union."""
        return _combined([values for values in sets if not values.is_empty], wanted=1)

    @staticmethod
    def all_of(sets: Sequence[RangeSet]) -> RangeSet:
        """The intersection of at least one set."""
        narrow = [values for values in sets if not values.is_full]
        return _combined(narrow, wanted=len(narrow)) if narrow else FULL

    def __contains__(self, value: bytes) -> bool:
        # The set begins or ends at each cut below the value.
        return self.from_the_start is not bool(bisect_left(self.cuts, Cut(value, True)) % 2)


def _combined(sets: Sequence[RangeSet], *, wanted: int) -> RangeSet:
    if len(sets) < 2:
        return sets[0] if sets else EMPTY
    steps = [step for values in sets for step in _steps(values)]
    return _swept(steps, depth=sum(values.from_the_start for values in sets), wanted=wanted)


def _steps(values: RangeSet) -> Iterable[tuple[Cut, int]]:
    first = -1 if values.from_the_start else 1
    return ((cut, first if position % 2 == 0 else -first) for position, cut in enumerate(values.cuts))


def _swept(steps: list[tuple[Cut, int]], *, depth: int, wanted: int) -> RangeSet:
    """The positions where at least `wanted` ranges are open, starting with `depth` open ranges."""
    steps.sort()
    from_the_start = depth >= wanted
    cuts: list[Cut] = []
    for position, (cut, step) in enumerate(steps):
        depth += step
        is_last_at_cut = position + 1 == len(steps) or steps[position + 1][0] != cut
        # After an even number of cuts, the state is that of the start.
        if is_last_at_cut and (depth >= wanted) is not (from_the_start is (len(cuts) % 2 == 0)):
            cuts.append(cut)
    return RangeSet(from_the_start, tuple(cuts))


EMPTY = RangeSet(False, ())

FULL = RangeSet(True, ())
