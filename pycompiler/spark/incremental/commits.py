"""Which commits an incremental read takes: those that Hudi's own reader does, before any write under way."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final

from pyspark.sql import SparkSession

from pycompiler.index.storage.location import Location
from pycompiler.spark.errors import IncrementalReadError
from pycompiler.spark.jvm import jvm
from pycompiler.spark.timeline import HudiTable
from pycompiler.table.pending import oldest_pending_write
from pycompiler.table.timeline import Timeline

BEGINNING: Final = "0"
_SECONDS: Final = 14
_INSTANT: Final = re.compile(r"\d{14}(\d{3})?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Commits:
    """The completed commits of a range.

    Attributes:
        start: Of the range.
        end: Of the range; the time of the last commit before any write under way if none was named.
        instants: The times at which they were requested, by which they are known.
    """

    start: str
    end: str
    instants: frozenset[str]

    @property
    def as_of(self) -> str:
        """The instant of the state that they have led to."""
        return _to_the_millisecond(self.end)


def range_end(table: HudiTable, start: str, end: str | None) -> str:
    """Looks up where a range ends, with the timeline as it is now.

    It ends before any write under way. Before table version 8 that one may complete with a time within the
    range, and whoever goes on from its end never reads it. From version 8 on it may do so where writers do
    not share a lock, and Hudi refuses to read a state that it may yet change.

    Args:
        table: The table.
        start: An instant, or `BEGINNING`.
        end: An instant; None for the last commit before any write under way.

    Raises:
        IncrementalReadError: The range is none, or starts or ends after a write that is under way.
    """
    _require_instant("start", start)
    if end is not None:
        _require_instant("end", end)
        if _to_the_millisecond(end) < start:
            raise IncrementalReadError(f"the range ends at {end}, before it starts at {start}")
    timeline = Timeline.of(Location.parse(table.root))
    pending = oldest_pending_write(timeline)
    if end is None:
        times = (entry.completion or entry.instant for entry in timeline.commits)
        last = max((time for time in times if pending is None or time < pending.instant), default=BEGINNING)
    # Nothing has come since a start that is yet to be.
    until = max(last, start) if end is None else end
    if pending is not None and pending.instant <= _to_the_millisecond(until):
        raise IncrementalReadError(
            f"{pending.instant}, a write of {table.root} that is under way, may yet bring rows of the range:"
            f" end the range before it, or read when it has completed; roll it back if its writer has failed"
        )
    return until


def commits_between(spark: SparkSession, table: HudiTable, start: str, end: str) -> Commits:
    """Looks the commits of a range up, with the timeline as it is now.

    Args:
        spark: The session.
        table: The table.
        start: An instant, or `BEGINNING`.
        end: Where it ends, by `range_end`.

    Raises:
        IncrementalReadError: Some of its commits were archived.
    """
    client = table.reloaded()
    completed = client.getCommitsTimeline().filterCompletedInstants()
    by_completion = client.getTimelineLayoutVersion().getVersion() > 1
    until = _to_the_millisecond(end)
    if by_completion:
        active, archived = _completed_between(jvm(spark).org.apache.hudi.common, client, start, until)
    else:
        after = _to_the_millisecond(start)  # Of requested times the start is not in the range.
        active = completed.findInstantsInRange(after, until).getInstants()
        history = client.getArchivedTimeline().getCommitsTimeline().filterCompletedInstants()
        archived = history.findInstantsInRange(after, until).getInstants()
    if not archived.isEmpty():
        first = completed.firstInstant()
        since = _time(first.get(), by_completion) if first.isPresent() else "a later instant"
        raise IncrementalReadError(
            f"commits of {table.root} after {start} have been archived, and the rows that they wrote cannot"
            f" be told from later ones: start at {since} or later, or read the whole table and compare"
            " _hoodie_commit_time"
        )
    return Commits(start, end, frozenset(instant.requestedTime() for instant in active))


def _completed_between(hudi: Any, client: Any, start: str, end: str) -> tuple[Any, Any]:
    """As Spark's reader asks, whose range of completion times has both of its ends in it."""
    found = (
        hudi.table.read.IncrementalQueryAnalyzer.builder()
        .metaClient(client)
        .startCompletionTime(start)
        .endCompletionTime(end)
        .rangeType(hudi.table.log.InstantRange.RangeType.CLOSED_CLOSED)
        .build()
        .analyze()
    )
    return found.getActiveInstants(), found.getArchivedInstants()


def _time(instant: Any, by_completion: bool) -> str:
    return str(instant.getCompletionTime() if by_completion else instant.requestedTime())


def _to_the_millisecond(instant: str) -> str:
    """An instant to the second stands for all of its milliseconds."""
    return f"{instant}999" if len(instant) == _SECONDS else instant


def _require_instant(what: str, text: str) -> None:
    if text != BEGINNING and not _INSTANT.fullmatch(text):
        raise IncrementalReadError(
            f"the {what} {text!r} is no instant of Hudi: give one as yyyyMMddHHmmssSSS"
            + (f", or {BEGINNING} for the beginning of the table" if what == "start" else "")
        )
