"""Commit times, as ranges of commits use them, and how far a range may extend.

No range extends past the oldest pending write. Before table version 8, that write may complete with a time
before the range's end, so a reader that continues from there would miss it. From version 8 on, commits count
by completion time, which is still to come; but without a lock, writers on several machines choose that time
before others can see the commit's file.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from pycompiler.table.pending import oldest_pending_write
from pycompiler.table.timeline import Timeline

BEGINNING: Final = "0"
"""Stands for the beginning of a table in place of an instant."""

_SECONDS: Final = 14
_INSTANT: Final = re.compile(r"\d{14}(\d{3})?", re.ASCII)


@dataclass(frozen=True, slots=True)
class CommitTimes:
    """The commits on a table's active timeline, by time.

    Attributes:
        by_completion: Whether these are completion times; before table version 8, which does not record them,
            they are request times.
        times: The times, ascending.
        pending: Instant of the oldest pending write; None if there is none.
    """

    by_completion: bool
    times: tuple[str, ...]
    pending: str | None

    @staticmethod
    def of(timeline: Timeline) -> CommitTimes:
        """Reads the times."""
        pending = oldest_pending_write(timeline)
        times = sorted(entry.completion or entry.instant for entry in timeline.commits)
        return CommitTimes(timeline.has_completions, tuple(times), pending.instant if pending else None)

    def after(self, start: str, limit: int = -1) -> SettledTimes:
        """The times after an instant or `BEGINNING` and before any pending write.

        These are the first ones, at most `limit`; -1 for all.
        """
        later = [time for time in self.times if time > start]
        wanted = later if limit < 0 else later[:limit]
        settled = tuple(time for time in wanted if self.pending is None or time < self.pending)
        return SettledTimes(settled, self.pending or "" if len(settled) < len(wanted) else "")

    def may_change(self, end: str) -> bool:
        """Whether a pending write may still change the state as of an instant."""
        return self.pending is not None and self.pending <= to_the_millisecond(end)


@dataclass(frozen=True, slots=True)
class SettledTimes:
    """Times of commits that no pending write precedes.

    Attributes:
        times: The times, ascending.
        pending: Instant of the pending write before which they stop; empty if none holds commits back.
    """

    times: tuple[str, ...]
    pending: str


def is_bound(text: str) -> bool:
    """Whether a text can bound a range: `BEGINNING`, or an instant to the second or millisecond."""
    return text == BEGINNING or _INSTANT.fullmatch(text) is not None


def to_the_millisecond(instant: str) -> str:
    """The last millisecond of an instant; an instant to the second covers all of its milliseconds."""
    return f"{instant}999" if len(instant) == _SECONDS else instant
