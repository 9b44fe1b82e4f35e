"""Which commits a pull takes: those that completed after the last one that was pulled, in that order.

It never goes past the oldest write that is still under way. Before table version 8 this one may complete
with a time that lies before the end of the range, so that the next pull would begin behind it. From version 8
on a commit goes by the time at which it completes, which has yet to come; but writers on several machines
without a lock between them take that time before the file with it is there for others to see.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from pycompiler.pull.errors import PullError
from pycompiler.table.pending import oldest_pending_write
from pycompiler.table.timeline import COMMITS, Entry, Timeline

BEGINNING: Final = "0"
_INSTANT: Final = re.compile(r"\d{14}(\d{3})?")


@dataclass(frozen=True, slots=True)
class CommitRange:
    """Commits to pull.

    Attributes:
        after: Up to where commits were pulled before, itself included.
        until: Up to where they are now.
        by_completion: Whether these are times of completion; before table version 8 nobody records them, and
            they are the times at which commits were requested.
        commits: How many there are.
    """

    after: str
    until: str
    by_completion: bool
    commits: int

    def settings(self, table: str) -> dict[str, str]:
        """Settings of a Hive session under which a table has the rows of these commits alone.

        Args:
            table: The name that Hudi knows it by.
        """
        start = self.after
        if self.by_completion and start != BEGINNING:
            start = str(int(start) + 1)  # A range of completion times has its start in it.
        given = {
            "mode": "INCREMENTAL",
            "start.timestamp": start,
            "end.timestamp": self.until,
            "max.commits": "-1",
            "range": "completion" if self.by_completion else "requested",
        }
        return {f"hoodie.{table}.consume.{name}": value for name, value in given.items()}


@dataclass(frozen=True, slots=True)
class Next:
    """What there is to pull now.

    Attributes:
        commits: The commits; None if there are none.
        pending: Instant of the write under way before which they stop; empty if none has kept commits back.
    """

    commits: CommitRange | None
    pending: str = ""


def next_range(timeline: Timeline, after: str, max_commits: int) -> Next:
    """Finds the commits after a point and before every write that is under way.

    Args:
        timeline: Of the table.
        after: Where the last pull ended, or `BEGINNING`.
        max_commits: How many to take at most; -1 for all.

    Raises:
        PullError: The point is no instant, or commits after it may have been archived.
        TableUnreadableError: A rollback can't be read.
        OSError: The file system failed.
    """
    if after != BEGINNING and not _INSTANT.fullmatch(after):
        raise PullError(f"{after} is no instant: give one as yyyyMMddHHmmssSSS, or 0 for the beginning")
    commits = [entry for entry in timeline.entries if entry.completed and entry.action in COMMITS]
    if not timeline.reaches_back_to(after if after != BEGINNING else ""):
        oldest = min((entry.instant for entry in commits), default="the first commit to come")
        raise PullError(
            f"commits after {after} have been archived, and what they wrote is not known any more: copy the"
            f" table once with a query of your own, and pull --from {oldest}"
        )
    by_completion = timeline.has_completions
    times = sorted(time for time in _times(commits, by_completion) if time > after)
    wanted = times if max_commits < 0 else times[:max_commits]
    pending = oldest_pending_write(timeline)
    taken = [time for time in wanted if pending is None or time < pending.instant]
    return Next(
        CommitRange(after, taken[-1], by_completion, len(taken)) if taken else None,
        pending.instant if pending is not None and len(taken) < len(wanted) else "",
    )


def _times(commits: Iterable[Entry], by_completion: bool) -> list[str]:
    return [entry.completion if by_completion else entry.instant for entry in commits]
