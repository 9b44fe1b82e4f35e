"""What one partition column may be, as ranges in the order of keys: NULL, then the values."""

from __future__ import annotations

from typing import NamedTuple

from pycompiler.planner.keys import EncodedValue
from pycompiler.values.outcomes import Outcomes


class Place(NamedTuple):
    """A place between the values of a column: before one of them (or NULL), or behind it."""

    value: EncodedValue
    after: bool


class Span(NamedTuple):
    """A range in the order of keys; None is no end."""

    low: Place | None
    high: Place | None


def spans_of(outcomes: Outcomes) -> list[Span]:
    """The ranges that a set consists of, ascending and apart."""
    spans = []
    for range_ in outcomes.values.ranges:
        low, high = range_.cuts()
        # Below all values there is NULL.
        start = Place(None, True) if low is None else Place(*low)
        spans.append(Span(start, None if high is None else Place(*high)))
    if not outcomes.null:
        return spans
    if spans and spans[0].low == Place(None, True):
        return [Span(None, spans[0].high), *spans[1:]]
    return [Span(Place(None, False), Place(None, True)), *spans]


def points_of(outcomes: Outcomes) -> tuple[EncodedValue, ...] | None:
    """The values if they are a finite list, ascending; else None."""
    points = outcomes.values.as_points
    if points is None:
        return None
    return (None, *points) if outcomes.null else points


def is_all_but_points(outcomes: Outcomes) -> bool:
    """Whether it is all values but a list of them: `!=` and NOT IN."""
    return bool(outcomes.values.complement().as_points)
