"""What advice costs in time: to write files with Hudi, and to collect the statistics of new records."""

import random
import time
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final, TypeAlias

from pycompiler.collect.errors import FooterError
from pycompiler.collect.footer import FooterReader
from pycompiler.index.file_systems.location import Location
from pycompiler.index.options import IndexOptions
from pycompiler.index.records import WriteStatus
from pycompiler.table.errors import TableUnreadableError
from pycompiler.table.files import TableFile
from pycompiler.table.timeline import Entry, Timeline

_COMMITS: Final = 10
_FILES: Final = 100
"""Files whose times make a median steady."""

_TIMED: Final = 5
"""Files of which statistics are collected to see how long that takes."""

Timed: TypeAlias = tuple[int, float]
"""Bytes of a file, and the seconds that something took."""


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
        """That of some files; None without any.

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
            commit records it.
        collecting: How much longer it takes to collect statistics with the added records, measured on a few
            files. None if none are added, or no file can be read.
    """

    writing: TimePerByte | None
    collecting: TimePerByte | None


def costs(table: Location, files: Sequence[TableFile], added: Mapping[str, Sequence[str]]) -> Costs:
    """Finds out how long it takes to write the table's files, and to collect what is added to its index.

    Args:
        table: Root of the table.
        files: Base files to try.
        added: The kinds of records that are added, by column.

    Raises:
        TableUnreadableError: The table has no properties.
    """
    tried = random.Random(len(files)).sample(list(files), min(_TIMED, len(files))) if added else []
    return Costs(
        TimePerByte.of(_write_times(Timeline.of(table))),
        TimePerByte.of([each for file in tried for each in _collection_time(table, file, added)]),
    )


def write_time(timeline: Timeline, commit: Entry) -> Timed:
    """The bytes of base files that a commit wrote, and how long tasks took to write them, as it records.

    Raises:
        TableUnreadableError: It cannot be read.
    """
    timed = list(_timed_files(timeline, commit))
    return sum(size for size, _ in timed), sum(seconds for _, seconds in timed)


def _write_times(timeline: Timeline) -> list[Timed]:
    found: list[Timed] = []
    # Delta commits are the last to be asked: most of them have logs only.
    for entry in sorted(timeline.newest_first, key=lambda each: each.action == "deltacommit")[:_COMMITS]:
        try:
            found += _timed_files(timeline, entry)
        except TableUnreadableError:
            continue  # just archived, or damaged: what is not needed must not fail the advice
        if len(found) >= _FILES:
            break
    return found


def _timed_files(timeline: Timeline, entry: Entry) -> Iterator[Timed]:
    for file in timeline.commit(entry).files:
        if file.size and file.write_seconds:
            yield file.size, file.write_seconds


def _collection_time(table: Location, file: TableFile, added: Mapping[str, Sequence[str]]) -> Iterator[Timed]:
    status = WriteStatus("", file.path, str(table.child(file.path)), file.size, file.commit_time)
    try:
        with_ranges = _seconds(status, IndexOptions())
        yield max(1, file.size), max(0.0, _seconds(status, IndexOptions(added)) - with_ranges)
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
