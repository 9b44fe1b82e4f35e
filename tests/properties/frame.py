"""The frame of every campaign: draw a case from each seed, check it, count, and stop after enough."""

from __future__ import annotations

import shutil
import sys
import tempfile
import time
from abc import ABC, abstractmethod
from collections import Counter, deque
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
from typing import ClassVar, Final, Generic, TypeVar

Case = TypeVar("Case")

_AHEAD: Final = 2
_PROGRESS_SECONDS: Final = 10.0


class Tally(Counter[str]):
    """Counts of a campaign. A count's name says what it counts."""

    def __str__(self) -> str:
        return ", ".join(f"{count:,} {name}" for name, count in self.items())


class Campaign(ABC, Generic[Case]):
    """Cases that can be drawn from a seed and checked.

    Attributes:
        unit: Name of the count that says how far a run is.
        workers: Number of cases drawn at once, while another one is checked.
    """

    unit: ClassVar[str]
    workers: ClassVar[int] = 2

    @abstractmethod
    def drawn(self, seed: int, folder: Path, is_over: Event) -> Case:
        """Draws a case.

        Args:
            seed: Everything is drawn from it.
            folder: Does not exist yet, and is removed once the case is checked.
            is_over: Set when no more cases are needed.
        """

    @abstractmethod
    def wrong(self, case: Case, tally: Tally) -> Iterator[object]:
        """Counts a case, and yields what is wrong."""

    def too_little(self, tally: Tally) -> Iterator[str]:
        """Yields why a run with these counts would prove too little even if nothing were wrong."""
        return iter(())


@dataclass(slots=True)
class Outcome(Generic[Case]):
    """The outcome of a run.

    Attributes:
        tally: Its counts.
        wrong: What is wrong.
        cases: The cases, if they are kept.
    """

    tally: Tally = field(default_factory=Tally)
    wrong: list[str] = field(default_factory=list)
    # Excluded from repr: a failing test would print gigabytes.
    cases: list[Case] = field(default_factory=list, repr=False)


def run(
    campaign: Campaign[Case],
    seeds: Iterable[int],
    wanted: int | None = None,
    *,
    most_failures: int = 5,
    keeps_cases: bool = False,
) -> Outcome[Case]:
    """Checks cases, and prints what is wrong and how far it is.

    Args:
        campaign: The campaign.
        seeds: The seeds of the cases.
        wanted: The least number of units; if None, all seeds are checked.
        most_failures: Number of failures after which to stop.
        keeps_cases: Whether the outcome has the cases.
    """
    outcome: Outcome[Case] = Outcome()
    tally, started, shown = outcome.tally, time.monotonic(), 0.0
    with closing(drawn_ahead(campaign, seeds)) as cases:
        for case in cases:
            if keeps_cases:
                outcome.cases.append(case)
            for failure in campaign.wrong(case, tally):
                outcome.wrong.append(str(failure))
                print(failure, file=sys.stderr, flush=True)
                if len(outcome.wrong) >= most_failures:
                    break
            is_enough = wanted is not None and tally[campaign.unit] >= wanted
            is_last = is_enough or len(outcome.wrong) >= most_failures
            now = time.monotonic()
            if is_last or now - shown > _PROGRESS_SECONDS:
                print(f"   {now - started:6.0f} s  {tally}", flush=True)
                shown = now
            if is_last:
                break
    return outcome


def drawn_ahead(campaign: Campaign[Case], seeds: Iterable[int]) -> Generator[Case, None, None]:
    """Yields the cases of seeds, and draws the next ones while the caller checks one."""
    is_over, pool = Event(), ThreadPoolExecutor(campaign.workers)
    waiting: deque[tuple[Path, Future[Case]]] = deque()

    def first() -> Iterator[Case]:
        folder, case = waiting.popleft()
        yield case.result()
        shutil.rmtree(folder, ignore_errors=True)

    with tempfile.TemporaryDirectory() as parent:
        try:
            for seed in seeds:
                folder = Path(parent, str(seed))
                waiting.append((folder, pool.submit(campaign.drawn, seed, folder, is_over)))
                if len(waiting) > _AHEAD:
                    yield from first()
            while waiting:
                yield from first()
        finally:
            is_over.set()
            pool.shutdown(cancel_futures=True)
