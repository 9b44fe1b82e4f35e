"""Ranges of commits as users request them: which commits they contain, and which ranges a table has."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Final

_COMMIT: Final = re.compile(r"(\d{17})(?:_(\d{17}))?\.(commit|deltacommit|replacecommit)")

_REVERSED_SHARE: Final = 0.03
"""Share of ranges that end before they start."""

_LIMITED_SHARE: Final = 0.25
"""Share of ranges with a maximum number of commits."""


@dataclass(frozen=True, slots=True, order=True)
class Commit:
    """A completed commit.

    Attributes:
        requested: Its request time, which its rows have as `_hoodie_commit_time`.
        completed: Its completion time; empty before table version 8.
        action: Hudi's name for its action.
    """

    requested: str
    completed: str
    action: str


@dataclass(frozen=True, slots=True)
class Range:
    """A range of commits, as in docs/guides/query.md.

    Attributes:
        by_completion: Whether start and end are completion times, both inclusive.
        start: Its start; `0` is the beginning.
        end: Its end; empty for no end.
        most: Maximum number of commits; `-1` for all, None if not set.
    """

    by_completion: bool
    start: str
    end: str
    most: int | None

    @staticmethod
    def everything() -> Range:
        """Returns the range of all commits of a table."""
        return Range(False, "0", "", -1)

    @property
    def is_reversed(self) -> bool:
        """Whether the range ends before it starts."""
        return bool(self.end) and self.end < self.start

    def settings(self, table: str) -> dict[str, str]:
        """Returns the session settings that request the range."""
        given = {
            "mode": "INCREMENTAL",
            "range": "completion" if self.by_completion else "requested",
            "start.timestamp": self.start,
            "end.timestamp": self.end,
            "max.commits": "" if self.most is None else str(self.most),
        }
        return {f"hoodie.{table}.consume.{name}": value for name, value in given.items()}

    def commits(self, completed: Sequence[Commit]) -> list[Commit]:
        """Selects the commits in the range, by request time."""

        def time(commit: Commit) -> str:
            return commit.completed if self.by_completion else commit.requested

        is_first = self.start == "0"
        within = [
            commit
            for commit in sorted(completed, key=time)
            if is_first or time(commit) > self.start or (self.by_completion and time(commit) == self.start)
            if not self.end or time(commit) <= self.end
        ]
        # Without an end, the default is one commit.
        most = self.most if self.most is not None else (-1 if self.end else 1)
        return sorted(within if most < 0 else within[:most])

    def __str__(self) -> str:
        kind = "completed" if self.by_completion else "requested"
        limit = "" if self.most is None else f", at most {self.most}"
        return f"{kind} from {self.start} to {self.end or 'the end'}{limit}"


def completed_commits(table: Path) -> list[Commit]:
    """Returns a table's completed commits by request time."""
    places = (table / ".hoodie", table / ".hoodie" / "timeline")
    found = (_COMMIT.fullmatch(file.name) for place in places for file in place.glob("*commit"))
    return sorted(Commit(match[1], match[2] or "", match[3]) for match in found if match)


def random_ranges(rng: random.Random, completed: Sequence[Commit], count: int) -> list[Range]:
    """Returns every pair of start and end by both kinds of time, or a random sample."""
    pairs: list[tuple[bool, str, str]] = []
    requested = sorted(commit.requested for commit in completed)
    for start, end in product(("0", *requested), (*requested, "")):
        if not end or start < end:
            pairs.append((False, start, end))
    completions = sorted(commit.completed for commit in completed if commit.completed)
    if completions:
        for start, end in product(("0", *completions), (*completions, "")):
            if not end or start <= end:
                pairs.append((True, start, end))
    chosen = rng.sample(pairs, min(count, len(pairs)))
    return [_drawn(rng, *pair) for pair in chosen]


def _drawn(rng: random.Random, by_completion: bool, start: str, end: str) -> Range:
    if end and start not in ("0", end) and rng.random() < _REVERSED_SHARE:
        start, end = end, start
    limits: tuple[int | None, ...] = (-1, 1, 2, 3)
    if not end:
        # Otherwise the limit would mostly be one.
        limits = (-1, -1, -1, None, 2)
    elif rng.random() >= _LIMITED_SHARE:
        limits = (None,)
    return Range(by_completion, start, end, rng.choice(limits))
