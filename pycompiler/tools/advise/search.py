"""Looks for the layout with which the queries read least."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations, permutations
from typing import Final

import numpy as np

from pycompiler.tools.advise.forecast import Forecast, KeptNow, forecast
from pycompiler.tools.advise.layout import Layout, Order
from pycompiler.tools.advise.row_sample import RowSample
from pycompiler.tools.advise.workload import Workload

MAX_COLUMNS: Final = 6
"""Number of columns among which layouts by several are looked for."""

_PIECES: Final = 200
"""Number of files with which layouts are compared first."""

_FINALISTS: Final = 6
"""Number of layouts that are then forecast with all files."""

_AS_GOOD: Final = 1.05
"""A layout that reads so much more than the best is as good, if it is simpler."""


def candidates(
    sample: RowSample,
    workload: Workload,
    files: int,
    progress: Callable[[int, int], None],
    now: Sequence[KeptNow] = (),
) -> list[Forecast]:
    """The layouts with which the conditions would read least, best first.

    Of layouts that are as good, the one with fewer columns is better, and a sorted one better than a curve:
    later commits keep its order more easily.
    """
    sample = sample.shuffled()
    forecast_of = partial(forecast, workload=workload, now=now)
    names = [name for name, _ in workload.columns().most_common() if name in sample.columns]
    several = sum(1 for _ in _of_several(names[:MAX_COLUMNS]))
    first: list[Forecast] = []

    def try_first(layouts: Iterable[Layout]) -> None:
        for layout in layouts:
            progress(len(first), len(names) + several)
            first.append(forecast_of(layout, sample, files=min(files, _PIECES)))

    try_first(Layout((name,)) for name in names)
    try_first(_of_several(_most_helpful(first, workload)))
    first.sort(key=lambda each: each.share)
    # One sorted by a single column is always shown: it is the simplest.
    finalists = first[:_FINALISTS]
    simplest = next((each for each in first if len(each.layout.columns) == 1), None)
    if simplest is not None and simplest not in finalists:
        finalists.append(simplest)
    is_first = sample.first_half()
    halves = sample.part(is_first), sample.part(~is_first)
    found = []
    for each in finalists:
        final = forecast_of(each.layout, sample, files=files)
        one, other = (forecast_of(each.layout, half, files=files).share for half in halves)
        found.append(replace(final, error=abs(one - other) / 2))
    best = min((each.share for each in found), default=0.0)
    as_good = [each for each in found if each.share <= best * _AS_GOOD]
    others = [each for each in found if each.share > best * _AS_GOOD]
    as_good.sort(
        key=lambda each: (len(each.layout.columns), each.layout.order is not Order.LINEAR, each.share)
    )
    return [*as_good, *sorted(others, key=lambda each: each.share)]


def _most_helpful(alone: Sequence[Forecast], workload: Workload) -> list[str]:
    """The columns that save most, among which layouts by several are looked for.

    How often a column is tested does not tell: a flag that each query tests may skip nothing. A column counts
    by what it saves beyond those chosen before it, so that of columns that rise together, such as the days on
    which an order is shipped and received, one does not take the place of another that is tested alone.
    """
    counts = np.array([each.count for each in workload.conditions])
    left = {each.layout.columns[0]: np.array(each.shares) for each in alone}
    least = np.ones(len(counts))
    chosen: list[str] = []
    while left and len(chosen) < MAX_COLUMNS:
        # Where several save nothing more, the one that saves most by itself can still help beside the others.
        best = min(left, key=lambda name: (counts @ np.minimum(least, left[name]), counts @ left[name]))
        least = np.minimum(least, left.pop(best))
        chosen.append(best)
    return chosen


def _of_several(columns: Sequence[str]) -> Iterator[Layout]:
    for pair in permutations(columns, 2):
        yield Layout(pair)
    for count in (2, 3):
        for chosen in combinations(columns, count):
            yield Layout(chosen, Order.Z_ORDER)
            yield Layout(chosen, Order.HILBERT)
