"""Which files of a file group a snapshot is read from: the rule, for whoever knows the files."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Generic, Protocol, TypeAlias, TypeVar

from pycompiler.index.manifest import SeenTimeline
from pycompiler.table.timeline import COMMITS, Entry, Timeline

CompletionOf: TypeAlias = Callable[[str], "str | None"]
"""Looks up a commit's completion time by its instant; None if unknown."""


class _File(Protocol):
    @property
    def path(self) -> str: ...
    @property
    def commit_time(self) -> str: ...
    @property
    def is_log(self) -> bool: ...


_F = TypeVar("_F", bound=_File)


@dataclass(frozen=True, slots=True)
class LatestSlice(Generic[_F]):
    """The last base file of a file group, and the log files that are merged with it, or may be.

    Of those that may be, it is unknown when they were completed.
    """

    base: _F | None
    logs: list[_F]
    unsure: list[_F]


def latest_slice(files: Iterable[_F], completion_of: CompletionOf) -> LatestSlice[_F]:
    """The latest slice of a file group, of whose files all were committed.

    Proof: Hudi's view orders base files by request, and each begins a slice. A log file belongs to the last
    slice that began before its delta commit completed (`HoodieFileGroup.getBaseInstantTime`); those of
    earlier slices are contained in the base file. Without a base file, nothing contains any of them.
    """
    ordered = sorted(files, key=lambda file: (file.commit_time, file.path))
    base = next((file for file in reversed(ordered) if not file.is_log), None)
    found = LatestSlice(base, [], [])
    for log in (file for file in ordered if file.is_log):
        # No commit completes before it is requested.
        if base is None or log.commit_time >= base.commit_time:
            found.logs.append(log)
        elif (completion := completion_of(log.commit_time)) is None:
            found.unsure.append(log)
        elif completion >= base.commit_time:
            found.logs.append(log)
    return found


def completions(timeline: Timeline, seen: SeenTimeline | None = None) -> CompletionOf:
    """Looks up completion times of the timeline's commits, and of those that an index has seen.

    Before table version 8, completion times are neither known nor needed: a log file's name has the instant
    of its slice, which stands for it.
    """
    if not timeline.has_completions:
        return lambda instant: instant
    earlier = () if seen is None else map(Entry.parse, seen.completed)
    return {
        entry.instant: entry.completion
        for entry in (*earlier, *timeline.entries)
        if entry is not None and entry.completed and entry.action in COMMITS
    }.get
