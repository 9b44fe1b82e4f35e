"""How long it takes to write a table's files with Hudi, from the times that its commits record."""

from bisect import bisect_left
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final, NamedTuple

from pycompiler.table.errors import TableUnreadableError
from pycompiler.table.timeline import Entry, Timeline

_COMMITS: Final = 10
"""The most commits that are read."""

_FILES: Final = 100
"""Commits are read until the times of so many files are known."""


class Timed(NamedTuple):
    """Bytes that were processed, and how many seconds that took."""

    size: int
    seconds: float


@dataclass(frozen=True, slots=True)
class TimePerByte:
    """How long something takes for each byte of a table's files, in one thread.

    Attributes:
        seconds: For a byte: half of the bytes took less, half took more.
        error: Half the distance between the quartiles of bytes.
        files: The number of files that were measured.
    """

    seconds: float
    error: float
    files: int

    @staticmethod
    def of(files: Sequence[Timed]) -> "TimePerByte | None":
        """The rate over some files; None if there are none.

        Each file counts by its bytes: small ones take longer for a byte, and are a small part of the time.
        """
        if not files:
            return None
        rates = sorted((seconds / size, size) for size, seconds in files)
        sums = list(accumulate(size for _, size in rates))
        low, median, high = (rates[bisect_left(sums, share * sums[-1])][0] for share in (0.25, 0.5, 0.75))
        return TimePerByte(median, (high - low) / 2, len(files))


def write_time_per_byte(timeline: Timeline) -> TimePerByte | None:
    """How long Hudi's tasks took to write base files of the newest commits; None if none records it."""
    return TimePerByte.of(_write_times(timeline))


def write_time(timeline: Timeline, instants: Collection[str]) -> Timed | None:
    """The base files that some commits wrote, and how long tasks took; None if that is not recorded."""
    files = [
        file
        for entry in timeline.commits
        if entry.instant in instants
        for file in _timed_files(timeline, entry)
    ]
    return Timed(sum(file.size for file in files), sum(file.seconds for file in files)) if files else None


def _write_times(timeline: Timeline) -> list[Timed]:
    found: list[Timed] = []
    # Delta commits are the last to be asked: most of them have logs only.
    for entry in sorted(timeline.newest_first, key=lambda each: each.action == "deltacommit")[:_COMMITS]:
        found += _timed_files(timeline, entry)
        if len(found) >= _FILES:
            break
    return found


def _timed_files(timeline: Timeline, entry: Entry) -> list[Timed]:
    try:
        files = timeline.commit(entry).files
    except TableUnreadableError:
        return []  # just archived, or damaged: what is not needed must not fail the advice
    return [Timed(file.size, file.write_seconds) for file in files if file.size and file.write_seconds]
