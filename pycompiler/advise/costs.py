"""What advice costs in time: to write files with Hudi, and to collect the statistics of new records."""

import random
import time
from bisect import bisect_left
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final, NamedTuple

from pycompiler.collect.errors import FooterError
from pycompiler.collect.footer import FooterReader
from pycompiler.index.file_systems.location import Location
from pycompiler.index.options import IndexOptions
from pycompiler.index.records import WriteStatus
from pycompiler.table.errors import TableUnreadableError
from pycompiler.table.files import TableFile
from pycompiler.table.timeline import Entry, Timeline

_COMMITS: Final = 10
"""The most commits that are read."""

_FILES: Final = 100
"""Commits are read until the times of so many files are known."""

_TIMED: Final = 5
"""The most files whose collection is timed."""


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


@dataclass(frozen=True, slots=True)
class Costs:
    """What it takes to follow advice.

    Attributes:
        writing: How long Hudi's tasks took to write base files of the table's newest commits. None if no
            commit records it, or if the table is not rewritten.
        collecting: How much longer it takes to collect statistics with the added records, measured on a few
            files. None if none are added, or no file can be read.
    """

    writing: TimePerByte | None
    collecting: TimePerByte | None


def costs(
    table: Location, files: Sequence[TableFile], added: Mapping[str, Sequence[str]], *, rewrites: bool
) -> Costs:
    """Finds out how long it takes to write the table's files, and to collect what is added to its index.

    Args:
        table: Root of the table.
        files: Base files to try.
        added: The kinds of records that are added, by column.
        rewrites: Whether the table gets another layout.

    Raises:
        TableUnreadableError: The table has no properties.
    """
    tried = random.Random(len(files)).sample(list(files), min(_TIMED, len(files))) if added else []
    return Costs(
        TimePerByte.of(_write_times(Timeline.of(table))) if rewrites else None,
        TimePerByte.of([each for file in tried for each in _collection_time(table, file, added)]),
    )


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


def _collection_time(table: Location, file: TableFile, added: Mapping[str, Sequence[str]]) -> Iterator[Timed]:
    status = WriteStatus("", file.path, str(table.child(file.path)), file.size, file.commit_time)
    try:
        with_ranges = _seconds(status, IndexOptions())
        with_added = _seconds(status, IndexOptions(added))
        yield Timed(max(1, file.size), max(0.0, with_added - with_ranges))
    except (FileNotFoundError, FooterError):
        return  # cleaned, or not a file that the index has records of


def _seconds(status: WriteStatus, options: IndexOptions) -> float:
    """How long it takes to collect from a file that has just been read."""
    taken = []
    for _ in range(2):
        started = time.perf_counter()
        reader = FooterReader(options)
        reader.add(status)
        reader.take()
        taken.append(time.perf_counter() - started)
    return min(taken)
