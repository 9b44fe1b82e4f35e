"""Times of work that is done in this process."""

from __future__ import annotations

import time
from collections.abc import Callable

from .jvm import Timing


def timed(work: Callable[[], int], warm_up: int, repetitions: int) -> Timing:
    """Does a piece of work again and again.

    Args:
        work: Gives the number of rows or files that it found.
        warm_up: Repetitions that do not count.
        repetitions: Those that do.
    """
    times = []
    count = 0
    for number in range(warm_up + repetitions):
        start = time.perf_counter()
        count = work()
        elapsed = (time.perf_counter() - start) * 1000
        if number >= warm_up:
            times.append(elapsed)
    return Timing(tuple(times), count)
