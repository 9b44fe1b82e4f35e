"""Selects the commits of an incremental read: those of Hudi's own reader, before any pending write."""

from dataclasses import dataclass
from typing import Any

from pyspark.sql import SparkSession

from pycompiler.index.file_systems.location import Location
from pycompiler.spark.errors import IncrementalReadError
from pycompiler.spark.hudi_table import HudiTable
from pycompiler.spark.jvm import jvm
from pycompiler.table.commit_times import BEGINNING, CommitTimes, is_bound, to_the_millisecond
from pycompiler.table.timeline import Timeline


@dataclass(frozen=True, slots=True)
class Commits:
    """The completed commits of a range.

    Attributes:
        end: End of the range; if none was given, the time of the last commit before any pending write.
        instants: Their request times, which identify them.
    """

    start: str
    end: str
    instants: frozenset[str]

    @property
    def as_of(self) -> str:
        """The instant of the state that they have led to."""
        return to_the_millisecond(self.end)


def range_end(table: HudiTable, start: str, end: str | None) -> str:
    """Determines where a range ends, from the current timeline.

    It ends before any pending write; Hudi too refuses to read a state that such a write may change. Without
    an end, that is the last commit before any pending write.
    """
    _require_instant("start", start)
    if end is not None:
        _require_instant("end", end)
        if to_the_millisecond(end) < start:
            raise IncrementalReadError(f"the range ends at {end}, before it starts at {start}")
    commits = CommitTimes.of(Timeline.of(Location.parse(table.root)))
    # A start in the future has no commits after it.
    until = max([start, *commits.after(start).times]) if end is None else end
    if commits.may_change(until):
        raise IncrementalReadError(
            f"{commits.pending}, a write to {table.root} that is in progress, may still add rows to the"
            " range: end the range before that write, or wait until it has completed; if its writer has"
            " failed, roll the write back"
        )
    return until


def commits_between(spark: SparkSession, table: HudiTable, start: str, end: str) -> Commits:
    """Looks up the commits of a range in the current timeline."""
    client = table.reloaded()
    completed = client.getCommitsTimeline().filterCompletedInstants()
    by_completion = client.getTimelineLayoutVersion().getVersion() > 1
    until = to_the_millisecond(end)
    if by_completion:
        active, archived = _completed_between(jvm(spark).org.apache.hudi.common, client, start, until)
    else:
        after = to_the_millisecond(start)  # Ranges of request times exclude their start.
        active = completed.findInstantsInRange(after, until).getInstants()
        history = client.getArchivedTimeline().getCommitsTimeline().filterCompletedInstants()
        archived = history.findInstantsInRange(after, until).getInstants()
    if not archived.isEmpty():
        first = completed.firstInstant()
        since = _time(table, first.get(), by_completion) if first.isPresent() else "a later instant"
        raise IncrementalReadError(
            f"commits of {table.root} after {start} have been archived, so their rows cannot be told"
            f" apart from rows of later commits: start at {since} or later, or read the whole table and"
            " compare _hoodie_commit_time"
        )
    return Commits(start, end, frozenset(map(table.request_time, active)))


def _completed_between(hudi: Any, client: Any, start: str, end: str) -> tuple[Any, Any]:
    """Like Spark's reader, whose ranges of completion times include both ends."""
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


def _time(table: HudiTable, instant: Any, by_completion: bool) -> str:
    return str(instant.getCompletionTime()) if by_completion else table.request_time(instant)


def _require_instant(what: str, text: str) -> None:
    if not is_bound(text):
        raise IncrementalReadError(
            f"the {what} {text!r} is not a Hudi instant: use the format yyyyMMddHHmmssSSS"
            + (f", or {BEGINNING} for the beginning of the table" if what == "start" else "")
        )
