"""Sections of an axis, each with two amounts on top of each other: what is read, and what is skipped."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

_MARGIN: Final = 0.7
"""At each side of a chart, in percent of its width, for bars that begin or end at its ends."""


@dataclass(frozen=True, slots=True)
class Stack:
    """The amounts in a section, and what the page says of them."""

    kept: int
    skipped: int
    label: str

    @property
    def height(self) -> int:
        """Both amounts."""
        return self.kept + self.skipped


@dataclass(frozen=True, slots=True)
class Bin:
    """A section as it is drawn; all numbers are in percent of the chart."""

    left: float
    width: float
    kept_height: float
    skipped_height: float
    label: str


def across(position: float) -> float:
    """Where a position from 0 to 1 is in a chart, in percent of its width."""
    return round(_MARGIN + position * (100 - 2 * _MARGIN), 3)


def bins_of(stacks: Sequence[Stack]) -> list[Bin]:
    """Sections of equal width, from left to right; the highest one fills the chart."""
    most = max((stack.height for stack in stacks), default=0) or 1
    ends = [across(place / len(stacks)) for place in range(len(stacks) + 1)] if stacks else []
    return [
        Bin(
            ends[place],
            round(ends[place + 1] - ends[place], 3),
            round(100 * stack.kept / most, 2),
            round(100 * stack.skipped / most, 2),
            stack.label,
        )
        for place, stack in enumerate(stacks)
    ]
