"""Looks for the layout with which the queries read least."""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import Final

import numpy as np

from pycompiler.advise.forecast import Forecast, forecast
from pycompiler.advise.layout import Layout, Order
from pycompiler.advise.row_sample import RowSample
from pycompiler.advise.workload import Workload

MAX_COLUMNS: Final = 6
"""Number of columns among which layouts are looked for: those that most conditions test."""

_PIECES: Final = 200
"""Number of files with which layouts are compared first."""

_FINALISTS: Final = 6
"""Number of layouts that are then forecast with all files."""

_AS_GOOD: Final = 1.05
"""A layout that reads so much more than the best is as good, if it is simpler."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A layout that was looked at.

    Attributes:
        forecast: What the conditions would keep.
        share: The share of the table that a condition keeps on average.
        error: By how much `share` differs, on average, between halves of the sample.
    """

    forecast: Forecast
    share: float
    error: float

    @property
    def layout(self) -> Layout:
        """The layout."""
        return self.forecast.layout


def candidates(
    sample: RowSample, workload: Workload, files: int, progress: Callable[[int, int], None]
) -> list[Candidate]:
    """The layouts with which the conditions would read least, best first.

    Of layouts that are as good, the one with fewer columns is better, and a sorted one better than a curve:
    later commits keep its order more easily.

    Args:
        sample: Rows of the table.
        workload: The conditions.
        files: Number of files that the table would have.
        progress: Called with the number of layouts looked at and in total.
    """
    columns = [name for name, _ in workload.columns().most_common() if name in sample.columns]
    layouts = list(_layouts(columns[:MAX_COLUMNS]))
    first: list[Forecast] = []
    for number, layout in enumerate(layouts):
        progress(number, len(layouts))
        first.append(forecast(layout, sample, workload, min(files, _PIECES)))
    first.sort(key=lambda each: each.mean(workload))
    # One sorted by a single column is always shown: it is the simplest.
    finalists = first[:_FINALISTS]
    simplest = next((each for each in first if len(each.layout.columns) == 1), None)
    if simplest is not None and simplest not in finalists:
        finalists.append(simplest)
    halves = _halves(sample)
    found = [_candidate(each.layout, sample, halves, workload, files) for each in finalists]
    best = min((each.share for each in found), default=0.0)
    return sorted(found, key=lambda each: (each.share > best * _AS_GOOD, _effort(each), each.share))


def _layouts(columns: Sequence[str]) -> Iterator[Layout]:
    for column in columns:
        yield Layout((column,))
    for pair in permutations(columns, 2):
        yield Layout(pair)
    for count in (2, 3):
        for chosen in combinations(columns, count):
            yield Layout(chosen, Order.Z_ORDER)
            yield Layout(chosen, Order.HILBERT)


def _candidate(
    layout: Layout, sample: RowSample, halves: Sequence[RowSample], workload: Workload, files: int
) -> Candidate:
    found = forecast(layout, sample, workload, files)
    one, other = (forecast(layout, half, workload, files).mean(workload) for half in halves)
    return Candidate(found, found.mean(workload), abs(one - other) / 2)


def _halves(sample: RowSample) -> tuple[RowSample, RowSample]:
    chance = random.Random(sample.rows)
    is_first = np.array([chance.random() < 0.5 for _ in range(sample.rows)], bool)
    return sample.part(is_first), sample.part(~is_first)


def _effort(candidate: Candidate) -> tuple[int, int]:
    layout = candidate.layout
    return len(layout.columns), list(Order).index(layout.order)
