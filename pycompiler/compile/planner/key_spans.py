"""Allowed values of a partition column as ranges in key order: NULL, then the values."""

from typing import NamedTuple

from pycompiler.compile.planner.keys import EncodedValue
from pycompiler.compile.values.outcomes import Outcomes


class Place(NamedTuple):
    """A place between a column's values: before or after one of them (or NULL)."""

    value: EncodedValue
    after: bool


class Span(NamedTuple):
    """A range in key order; None means unbounded."""

    low: Place | None
    high: Place | None


def spans_of(outcomes: Outcomes) -> list[Span]:
    """The ranges of a set, ascending and disjoint."""
    spans = []
    for range_ in outcomes.values.ranges:
        low, high = range_.cuts()
        # NULL sorts before all values.
        start = Place(None, True) if low is None else Place(*low)
        spans.append(Span(start, None if high is None else Place(*high)))
    if not outcomes.null:
        return spans
    if spans and spans[0].low == Place(None, True):
        return [Span(None, spans[0].high), *spans[1:]]
    return [Span(Place(None, False), Place(None, True)), *spans]


def points_of(outcomes: Outcomes) -> tuple[EncodedValue, ...] | None:
    """The values in ascending order if they are a finite list; else None."""
    points = outcomes.values.as_points
    if points is None:
        return None
    return (None, *points) if outcomes.null else points
