"""Repeats and times work: the pace of all benchmarks, in Java and in Python."""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

_T = TypeVar("_T")


@dataclass(frozen=True)
class Timing:
    """Milliseconds of each repetition and of the first call (NaN if unknown), and the number of results."""

    times: tuple[float, ...]
    count: int
    first: float = math.nan

    @property
    def best(self) -> float:
        """The shortest time: other load can only make a run slower."""
        return min(self.times)

    def checked(self, expected: int, what: str) -> Timing:
        """Returns this timing.

        Raises:
            AssertionError: The number of results is wrong.
        """
        if self.count != expected:
            raise AssertionError(f"{what} gave {self.count} rows or files, expected {expected}")
        return self


@dataclass(frozen=True)
class Pace:
    """How often work is repeated.

    The warm-up is a time, not a number of calls, so that a JVM's compiler gets equally far with slow work.
    """

    warm_up_seconds: float
    repetitions: int


QUICK: Final = Pace(4.0, 9)
FULL_SCAN: Final = Pace(2.0, 3)


def timed(work: Callable[[], int], pace: Pace = QUICK) -> Timing:
    """Times repetitions of work that returns a number of rows or files."""
    end = time.perf_counter() + pace.warm_up_seconds
    count = work()
    while time.perf_counter() < end:
        count = work()
    return Timing(tuple(seconds(work) * 1000 for _ in range(pace.repetitions)), count)


def seconds(work: Callable[[], object]) -> float:
    """Times one call."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def in_turns(works: Sequence[Callable[[], _T]], rounds: int, warm_ups: int = 1) -> list[tuple[_T, ...]]:
    """Runs all works in turns for several rounds; returns what each measured, without the warm-ups.

    Load on the machine that lasts some seconds then slows all of them in the same round.
    """
    found = [[work() for work in works] for _ in range(warm_ups + rounds)]
    return list(zip(*found[warm_ups:], strict=True))


def median_ratio(times: Sequence[float], peers: Sequence[float]) -> float:
    """Returns the median of the rounds' ratios."""
    return statistics.median(own / peer for own, peer in zip(times, peers, strict=True))
