"""Where a column's values stand from left to right.

Numbers, dates and timestamps are drawn to scale. Strings have no distances, so they are drawn in order; so
are numbers if a few files reach so far that the others would share one pixel. Either way, two ranges
overlap in the picture if and only if they overlap in the index.
"""

import math
from bisect import bisect_left
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final, NamedTuple

import numpy as np

from pycompiler.compile.expression.render import value_text
from pycompiler.compile.values.encoding import decode_value
from pycompiler.compile.values.range_set import Range
from pycompiler.compile.values.types import MOMENTS, HiveType, ValueKind

_EPOCH: Final = datetime(1970, 1, 1)
_CROWDED: Final = 0.1
"""Below this share of the axis for nine tenths of the ends, an axis is not drawn to scale."""
_QUARTERS: Final = (0.25, 0.5, 0.75)
_MAX_LABEL: Final = 19
"""Characters: those of a timestamp."""
_MAX_NUMBER: Final = 13
_LONG_NUMBER: Final = 10**_MAX_NUMBER


class Tick(NamedTuple):
    """A labelled position, from 0 to 1."""

    position: float
    label: str


@dataclass(frozen=True, slots=True)
class Axis:
    """The values of a column between the least and the greatest bound of its files.

    Attributes:
        is_to_scale: Whether distances are those of values.
        why_not: Why not, if it is not.
    """

    type: HiveType
    is_to_scale: bool
    why_not: str
    _values: tuple[bytes, ...]
    _positions: Mapping[bytes, float]

    @staticmethod
    def of(hive_type: HiveType, bounds: Collection[bytes]) -> "Axis | None":
        """The axis for encoded bounds; None if there are none."""
        values = tuple(sorted(set(bounds)))
        if not values:
            return None
        numbers = _numbers(hive_type, values)
        finite = [number for number in numbers if number is not None and math.isfinite(number)]
        why_not = ""
        if len(finite) < len(numbers):
            why_not = "strings have an order, and no distances"
            if hive_type.kind not in (ValueKind.STRING, ValueKind.BOOLEAN):
                why_not = "some of them are infinite"
        elif len(finite) > 2 and _is_crowded(finite):
            why_not = "a few files reach far beyond the others"
        if why_not:
            places = [rank / max(len(values) - 1, 1) for rank in range(len(values))]
        else:
            low, span = finite[0], finite[-1] - finite[0]
            places = [(number - low) / span if span else 0.5 for number in finite]
        return Axis(hive_type, not why_not, why_not, values, dict(zip(values, places, strict=True)))

    @property
    def first(self) -> bytes:
        """The least bound."""
        return self._values[0]

    @property
    def last(self) -> bytes:
        """The greatest bound."""
        return self._values[-1]

    def position(self, value: bytes) -> float:
        """Where a value stands, from 0 to 1; a value outside the axis at its end."""
        known = self._positions.get(value)
        if known is not None:
            return known
        rank = bisect_left(self._values, value)
        if rank == 0 or rank == len(self._values):
            return float(rank > 0)
        number = _number(self.type, value)
        if not self.is_to_scale or number is None:
            return (rank - 0.5) / (len(self._values) - 1)
        low, high = self._ends()
        return (number - low) / (high - low)

    def span(self, wanted: Range) -> tuple[float | None, float | None] | None:
        """Where a range of values begins and ends, None for an end beyond the axis; None if all of it is."""
        if wanted.begins_above(self.last) or wanted.ends_below(self.first):
            return None
        low, high = wanted.low, wanted.high
        # In order, an end that the range excludes stands off the value, so that one sees that it is excluded.
        off = 0.0 if self.is_to_scale else 0.25 / max(len(self._values) - 1, 1)
        return (
            None
            if low is None or low.value < self.first
            else self.position(low.value) + off * (not low.included),
            None
            if high is None or high.value > self.last
            else self.position(high.value) - off * (not high.included),
        )

    def value_at(self, position: float) -> str:
        """The value at a position as text; if it is not to scale, the nearest bound below."""
        if not self.is_to_scale:
            return self._text(self._values[int(position * (len(self._values) - 1))])
        if position in (0, 1):
            return self._text(self._values[-int(position)])
        low, high = self._ends()
        return _number_text(self.type, low + position * (high - low))

    @property
    def ticks(self) -> list[Tick]:
        """The ends, and values near the quarters between them."""
        if self.first == self.last:
            return [Tick(0.5, self._label(self.first))]
        positions = {self._label(self.first): 0.0, self._label(self.last): 1.0}
        for quarter in _QUARTERS:
            if self.is_to_scale:
                low, high = self._ends()
                number = low + quarter * (high - low)
                if self.type.kind is ValueKind.INTEGER or self.type.kind in MOMENTS:
                    number = round(number)
                position, label = (number - low) / (high - low), _number_text(self.type, number)
            else:
                rank = round(quarter * (len(self._values) - 1))
                position, label = rank / (len(self._values) - 1), self._label(self._values[rank])
            positions.setdefault(label, position)
        return sorted(Tick(position, label) for label, position in positions.items())

    def _ends(self) -> tuple[float, float]:
        low, high = (_number(self.type, value) for value in (self.first, self.last))
        assert low is not None and high is not None
        return low, high

    def _text(self, value: bytes) -> str:
        text = value_text(self.type, value)
        return text.strip("'") if self.type.kind in MOMENTS else text

    def _label(self, value: bytes) -> str:
        text = self._text(value).removesuffix(" 00:00:00")
        if self.type.kind in MOMENTS:
            return text[:_MAX_LABEL]
        number = _number(self.type, value)
        if number is not None and (self.type.kind is ValueKind.FLOAT or len(text) > _MAX_NUMBER):
            return f"{number:.6g}"
        return text if len(text) <= _MAX_LABEL else f"{text[: _MAX_LABEL - 1]}…"


def _is_crowded(numbers: list[float]) -> bool:
    """Whether nine tenths of ascending numbers share a small part of their span."""
    cut = len(numbers) // 20
    span = numbers[-1] - numbers[0]
    return len(numbers) >= 20 and numbers[-1 - cut] - numbers[cut] < _CROWDED * span


def _numbers(hive_type: HiveType, values: Sequence[bytes]) -> Sequence[float | None]:
    """The numbers of encoded values; of a large table's integers, dates and timestamps all at once."""
    if hive_type.kind is ValueKind.INTEGER or hive_type.kind in MOMENTS:
        encoded = np.frombuffer(b"".join(values), dtype=">u8").astype(np.uint64)
        numbers: list[float] = (encoded ^ np.uint64(1 << 63)).view(np.int64).astype(np.float64).tolist()
        return numbers
    return [_number(hive_type, value) for value in values]


def _number(hive_type: HiveType, data: bytes) -> float | None:
    match decode_value(hive_type, data):
        case bool() | str() | bytes():
            return None
        case datetime() as moment:
            return (moment - _EPOCH) / timedelta(microseconds=1)
        case date() as day:
            return (day - _EPOCH.date()).days
        case number:
            return float(number)


def _number_text(hive_type: HiveType, number: float) -> str:
    if hive_type.kind not in MOMENTS:
        is_whole = hive_type.kind is ValueKind.INTEGER and abs(number) < _LONG_NUMBER
        return f"{number:.0f}" if is_whole else f"{number:.6g}"
    unit = timedelta(days=1) if hive_type.kind is ValueKind.DATE else timedelta(microseconds=1)
    try:
        moment = _EPOCH + math.floor(number) * unit
    except OverflowError:  # beyond the calendar
        return f"{number:.0f}"
    return moment.isoformat(" ", "seconds").removesuffix(" 00:00:00")
