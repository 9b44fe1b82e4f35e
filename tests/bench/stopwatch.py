"""Times of work that is done in this process."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from .jvm import Timing


@dataclass(frozen=True)
class Pace:
    """How often work is done: all that is compared is done at the same pace, in Java and in Python.

    Attributes:
        warm_up_seconds: For so long it is done without being timed, at least once. It is the same time for
            all, and not the same number: a JVM's compiler gets as far with what is slow as with the quick.
        repetitions: How often it is then timed.
    """

    warm_up_seconds: float
    repetitions: int

    def job(self) -> dict[str, float]:
        """As the Java side is told."""
        return {"warm_up_seconds": self.warm_up_seconds, "repetitions": self.repetitions}


QUICK: Final = Pace(4.0, 9)
FULL_SCAN: Final = Pace(2.0, 3)


def timed(work: Callable[[], int], pace: Pace) -> Timing:
    """Does a piece of work again and again.

    Args:
        work: Gives the number of rows or files that it found.
        pace: How often.
    """
    end = time.perf_counter() + pace.warm_up_seconds
    count = work()
    while time.perf_counter() < end:
        count = work()
    times = []
    for _ in range(pace.repetitions):
        start = time.perf_counter()
        count = work()
        times.append((time.perf_counter() - start) * 1000)
    return Timing(tuple(times), count)
