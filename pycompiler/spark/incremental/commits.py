"""Which commits an incremental read takes: those that Hudi's own reader takes in Spark."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final

from pyspark.sql import SparkSession

from pycompiler.spark.errors import IncrementalReadError
from pycompiler.spark.jvm import jvm
from pycompiler.spark.timeline import HudiTable

BEGINNING: Final = "0"
_INSTANT: Final = re.compile(r"\d{14}(\d{3})?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Commits:
    """The completed commits of a range.

    Attributes:
        start: Of the range.
        end: Of the range; the last commit's time if none was named.
        instants: The times at which they were requested, by which they are known.
    """

    start: str
    end: str
    instants: frozenset[str]


def commits_between(spark: SparkSession, table: HudiTable, start: str, end: str | None) -> Commits:
    """Looks the commits of a range up, with the timeline as it is now.

    Args:
        spark: The session.
        table: The table.
        start: An instant, or `BEGINNING`.
        end: An instant; None for the last one that there is.

    Raises:
        IncrementalReadError: The range is none, or some of its commits were archived.
    """
    _require_instant("start", start)
    if end is not None:
        _require_instant("end", end)
    client = table.reloaded()
    completed = client.getCommitsTimeline().filterCompletedInstants()
    by_completion = client.getTimelineLayoutVersion().getVersion() > 1
    # Nothing has come since a start that is yet to be.
    until = end or max(_last(completed, by_completion), start)
    if until < start:
        raise IncrementalReadError(f"the range ends at {until}, before it starts at {start}")
    if by_completion:
        active, archived = _completed_between(jvm(spark).org.apache.hudi.common, client, start, until)
    else:
        active = completed.findInstantsInRange(start, until).getInstants()
        history = client.getArchivedTimeline().getCommitsTimeline().filterCompletedInstants()
        archived = history.findInstantsInRange(start, until).getInstants()
    if not archived.isEmpty():
        first = completed.firstInstant()
        since = _time(first.get(), by_completion) if first.isPresent() else "a later instant"
        raise IncrementalReadError(
            f"commits of {table.root} after {start} have been archived, and the rows that they wrote cannot"
            f" be told from later ones: start at {since} or later, or read the whole table and compare"
            " _hoodie_commit_time"
        )
    return Commits(start, until, frozenset(instant.requestedTime() for instant in active))


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


def _last(completed: Any, by_completion: bool) -> str:
    if by_completion:
        latest = completed.getLatestCompletionTime()
        return str(latest.get()) if latest.isPresent() else BEGINNING
    last = completed.lastInstant()
    return str(last.get().requestedTime()) if last.isPresent() else BEGINNING


def _time(instant: Any, by_completion: bool) -> str:
    return str(instant.getCompletionTime() if by_completion else instant.requestedTime())


def _require_instant(what: str, text: str) -> None:
    if text != BEGINNING and not _INSTANT.fullmatch(text):
        raise IncrementalReadError(
            f"the {what} {text!r} is no instant of Hudi: give one as yyyyMMddHHmmssSSS"
            + (f", or {BEGINNING} for the beginning of the table" if what == "start" else "")
        )
