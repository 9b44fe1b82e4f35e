"""Selects the commits of a pull: those completed after the last pulled one, in order of completion."""

from dataclasses import dataclass

from pycompiler.table.commit_times import BEGINNING, CommitTimes, is_bound, to_the_millisecond
from pycompiler.table.timeline import Timeline
from pycompiler.tools.pull.errors import PullError


@dataclass(frozen=True, slots=True)
class CommitRange:
    """Commits to pull.

    Attributes:
        after: End of the previous pull, exclusive.
        until: End of this pull, inclusive.
        by_completion: Whether these are completion times, see `CommitTimes`.
    """

    after: str
    until: str
    by_completion: bool
    commits: int

    def settings(self, table: str) -> dict[str, str]:
        """Settings with which a Hive session sees only these commits' rows of the table of this Hudi name."""
        start = self.after
        if self.by_completion and start != BEGINNING:
            start = str(int(start) + 1)  # Ranges of completion times include their start.
        given = {
            "mode": "INCREMENTAL",
            "start.timestamp": start,
            "end.timestamp": self.until,
            "max.commits": "-1",
            "range": "completion" if self.by_completion else "requested",
        }
        return {f"hoodie.{table}.consume.{name}": value for name, value in given.items()}


def next_range(timeline: Timeline, after: str, max_commits: int) -> tuple[CommitRange | None, str]:
    """Finds the commits, at most so many (-1 for all), after the end of the previous pull or `BEGINNING`.

    They are before every pending write.

    Returns:
        The commits, None if there are none; and the instant of the pending write before which they stop,
        empty if none holds commits back.

    Raises:
        PullError: The point is not an instant, or commits after it may have been archived.
        TableUnreadableError: A rollback cannot be read.
    """
    if not is_bound(after):
        raise PullError(
            f"{after} is not a Hudi instant; use the format yyyyMMddHHmmssSSS, or 0 for the beginning"
        )
    # An early check: Hive's handler compares completion times of archived commits too.
    if not timeline.reaches_back_to(after if after != BEGINNING else ""):
        oldest = min((entry.instant for entry in timeline.commits), default="the next commit")
        raise PullError(
            f"commits after {after} have been archived, so their rows cannot be told apart from rows"
            " of later commits: copy the whole table once with a query of your own, then pull"
            f" --from {oldest}"
        )
    commits = CommitTimes.of(timeline)
    # Hive's ranges exclude the whole second of a start to the second.
    after = to_the_millisecond(after)
    found = commits.after(after, max_commits)
    if not found.times:
        return None, found.pending
    return CommitRange(after, found.times[-1], commits.by_completion, len(found.times)), found.pending
