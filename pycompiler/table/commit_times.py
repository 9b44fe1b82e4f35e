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

from pycompiler.table.errors import TableUnreadableError
from pycompiler.table.timeline import HARMLESS, UNDOING, Entry, Timeline

BEGINNING: Final = "0"
"""Stands for the beginning of a table in place of an instant."""

_SECONDS: Final = 14
_INSTANT: Final = re.compile(r"\d{14}(\d{3})?", re.ASCII)
_REWRITING: Final = frozenset({"compaction", "logcompaction", "clustering"})
"""Actions that add no rows: they rewrite rows of completed commits, which keep their commit time. Each may
stay pending for days."""
_REPLACING: Final = "replacecommit"
_CLUSTER: Final = "CLUSTER"


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
    """Times of commits, ascending, and the pending write before which they stop; empty if there is none."""

    times: tuple[str, ...]
    pending: str


def is_bound(text: str) -> bool:
    """Whether a text can bound a range: `BEGINNING`, or an instant to the second or millisecond."""
    return text == BEGINNING or _INSTANT.fullmatch(text) is not None


def to_the_millisecond(instant: str) -> str:
    """The last millisecond of an instant; an instant to the second covers all of its milliseconds."""
    return f"{instant}999" if len(instant) == _SECONDS else instant


def oldest_pending_write(timeline: Timeline) -> Entry | None:
    """The earliest requested write that has neither completed nor been rolled back.

    A rollback in progress takes nothing back yet: until it completes, its commit counts as pending. Unknown
    actions may add rows, so they count too.

    Raises:
        TableUnreadableError: A rollback cannot be read.
    """
    others = HARMLESS | UNDOING | _REWRITING
    pending = [entry for entry in timeline.incomplete if entry.action not in others]
    if not pending:
        return None
    rolled_back = _rolled_back(timeline, min(entry.instant for entry in pending))
    # Hudi plans a clustering in its requested file, one per instant.
    clusterings = {entry.instant for entry in pending if _plans_clustering(timeline, entry)}
    waiting = [entry for entry in pending if entry.instant not in rolled_back | clusterings]
    return min(waiting, key=lambda entry: entry.instant, default=None)


def _rolled_back(timeline: Timeline, since: str) -> set[str]:
    """The instants taken back by completed rollbacks and restores that were requested after `since`."""
    instants: set[str] = set()
    for entry in timeline.entries:
        if entry.completed and entry.action in UNDOING and entry.instant > since:
            document = timeline.document(entry)
            instants.update(document.get("commitsRollback") or (), document.get("instantsToRollback") or ())
    return instants


def _plans_clustering(timeline: Timeline, entry: Entry) -> bool:
    """Whether a pending replacement is a clustering; before table version 8, both are the same action.

    An unreadable plan does not count as clustering, so it is waited for: an overwrite does add rows.
    """
    if entry.action != _REPLACING or not entry.name.endswith(".requested"):
        return False
    try:
        return timeline.document(entry).get("operationType") == _CLUSTER
    except TableUnreadableError:
        return False
