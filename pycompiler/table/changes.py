"""What has changed in a table since an index was updated, from the commits that its timeline has since."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from pycompiler.index.manifest import SeenTimeline
from pycompiler.index.records import FileGroup, IndexedFile
from pycompiler.table.errors import TableUnreadableError, UnknownChangesError
from pycompiler.table.timeline import COMMITS, HARMLESS, UNDOING, Commit, Entry, Timeline, WrittenFile

LiveFiles: TypeAlias = Callable[[Collection[FileGroup]], Mapping[str, IndexedFile]]
"""Looks up what files of some file groups the index has as the table's, by path."""

_NOTHING: Final[Mapping[str, IndexedFile]] = {}


CompletionOf: TypeAlias = Callable[[str], "str | None"]
"""Looks up when a commit was completed, given its instant; None if that is not known."""


@dataclass(frozen=True, slots=True)
class Changes:
    """What commits have done to the files that a table is of, taken together.

    Attributes:
        new: Files that the table is of now, and was not before, or not of all of their bytes.
        gone: Files that the table was of before, and is no more.
        grown: Entries of log files that have grown: they are among `new`.
    """

    new: tuple[WrittenFile, ...]
    gone: tuple[IndexedFile, ...]
    grown: tuple[IndexedFile, ...] = ()


def seen_timeline(timeline: Timeline) -> SeenTimeline | None:
    """What an index has seen that has all files of a listing made at the time of this look.

    Returns:
        None while something is being undone: nobody can say how far that has come.
    """
    if _undoing(timeline) is not None:
        return None
    lasting = [entry for entry in timeline.entries if entry.action not in HARMLESS]
    return SeenTimeline(
        frozenset(entry.name for entry in lasting if entry.completed),
        frozenset(entry.instant for entry in _pending(timeline)),
    )


def commits_since(timeline: Timeline, seen: SeenTimeline) -> list[Entry]:
    """The completed commits that an index has not seen, in the order of their instants.

    Commits may complete in another order than they were requested in: whatever has completed and was not seen
    is new, however early it was requested.

    Raises:
        UnknownChangesError: Commits may have been archived unseen, or taken back.
    """
    undoing = _undoing(timeline)
    if undoing is not None:
        raise UnknownChangesError(f"{undoing.name} is under way")
    completed = [entry for entry in timeline.entries if entry.completed and entry.action not in HARMLESS]
    new = [entry for entry in completed if entry.name not in seen.completed]
    for entry in new:
        if entry.action in UNDOING:
            raise UnknownChangesError(f"{entry.name} has taken commits back")
        if entry.action not in COMMITS:
            raise UnknownChangesError(f"{entry.name} is of an unknown kind")
    _require_all_since(timeline, seen)
    return sorted(new, key=lambda entry: entry.instant)


def completions(timeline: Timeline, seen: SeenTimeline) -> CompletionOf:
    """Knows when the commits of a timeline were completed, and those that an index has seen on it.

    Before table version 8 this is not known and not needed: log files have the instant of their slice in the
    name, which stands for it.
    """
    if not timeline.has_completions:
        return lambda instant: instant
    known = {
        entry.instant: entry.completion
        for entry in (*(Entry.parse(name) for name in seen.completed), *timeline.entries)
        if entry is not None and entry.completed and entry.action in COMMITS
    }
    return known.get


def changes_of(
    commits: Iterable[Commit], live_files: LiveFiles, completion_of: CompletionOf | None = None
) -> Changes:
    """Adds up commits.

    Args:
        commits: All that an index has not seen.
        live_files: Looks up what the index has. It is not asked if all files are of new groups.
        completion_of: Looks up completions; None for a copy-on-write table.

    Raises:
        UnknownChangesError: They do not follow on what the index has, or say what this version does not know.
    """
    written: defaultdict[FileGroup, dict[str, WrittenFile]] = defaultdict(dict)
    replaced: set[FileGroup] = set()
    for commit in commits:
        if commit.others:
            raise UnknownChangesError(f"{commit.instant} wrote {commit.others[0]}, which is no base file")
        replaced |= commit.replaced
        for file in commit.files:
            if file.size <= 0:
                raise UnknownChangesError(f"{commit.instant} does not say how long {file.path} is")
            # A log file only grows.
            of_group = written[file.partition, file.file_id]
            of_group[file.path] = max(file, of_group.get(file.path, file), key=lambda each: each.size)
    # The first base file of a group may take the place of log files, and names no predecessor then.
    followers = {
        group
        for group, files in written.items()
        if completion_of is not None or any(file.previous for file in files.values())
    }
    before = _live_in(replaced | followers, live_files)
    new: list[WrittenFile] = []
    gone: list[IndexedFile] = []
    grown: list[IndexedFile] = []
    for group in written.keys() | replaced:
        ours, theirs = written.get(group, {}), before.get(group, _NOTHING)
        _require_known(group, ours, theirs, group in replaced)
        latest = set() if group in replaced else _latest([*ours.values(), *theirs.values()], completion_of)
        for path, file in ours.items():
            known = theirs.get(path)
            if path in latest and (known is None or (known.size != file.size and file.is_log)):
                new.append(file)
                grown += [] if known is None else [known]
        gone += [file for path, file in theirs.items() if path not in latest]
    return Changes(
        tuple(sorted(new, key=lambda file: file.path)),
        tuple(sorted(gone, key=lambda file: file.path)),
        tuple(grown),
    )


def _latest(files: Collection[WrittenFile | IndexedFile], completion_of: CompletionOf | None) -> set[str]:
    """The paths of a file group that a snapshot is read from, as Hudi's view has it.

    These are the last base file, and the log files of delta commits that were completed after it was
    requested: what was completed before is in it. Without a base file they are all.
    """
    base = max((file for file in files if not file.is_log), key=_age, default=None)
    logs = [file for file in files if file.is_log]
    if logs and completion_of is None:
        raise UnknownChangesError(f"{logs[0].path} is a log file in a copy-on-write table")
    if base is None or completion_of is None:
        return {file.path for file in files if base is None or file is base}
    return {base.path} | {log.path for log in logs if is_read_with(log, _age(base), completion_of)}


def is_read_with(log: WrittenFile | IndexedFile, requested: str, completion_of: CompletionOf) -> bool:
    """Whether a log file was completed after its base file was requested: what came before is in that.

    Args:
        log: The log file.
        requested: Instant of the base file.
        completion_of: Looks up completions.

    Raises:
        UnknownChangesError: Nothing says when it was completed.
    """
    if _age(log) >= requested:
        return True  # No commit is completed before it was requested.
    completion = completion_of(_age(log))
    if completion is None:
        raise UnknownChangesError(f"nothing says when {log.path} was completed")
    return completion >= requested


def _age(file: WrittenFile | IndexedFile) -> str:
    # Hudi's view goes by the instant at which a file was requested, not by that of its completion.
    return file.commit_time


def _live_in(groups: Collection[FileGroup], live_files: LiveFiles) -> dict[FileGroup, dict[str, IndexedFile]]:
    found: defaultdict[FileGroup, dict[str, IndexedFile]] = defaultdict(dict)
    if groups:
        for path, file in live_files(groups).items():
            found[file.partition, file.file_id][path] = file
    return found


def _require_known(
    group: FileGroup,
    written: Mapping[str, WrittenFile],
    before: Mapping[str, IndexedFile],
    is_replaced: bool,
) -> None:
    """Makes sure that the commits follow on the files of a group that the index has."""
    instants = {_age(file) for files in (written, before) for file in files.values()}
    for file in written.values():
        if file.previous is not None and file.previous not in instants:
            raise UnknownChangesError(f"{file.path} takes the place of a file that the index does not have")
    if is_replaced and not instants:
        raise UnknownChangesError(f"the index has no file of the file group {group[1]}, which was replaced")


def _require_all_since(timeline: Timeline, seen: SeenTimeline) -> None:
    """Makes sure that nothing was archived unseen, and that nothing seen was taken back.

    Archiving goes from the oldest commit on, and may pass over savepoints. So while the last commit that was
    seen is there and no savepoint, all later ones are; and an earlier one that was still pending is known.
    """
    saved = {entry.instant for entry in timeline.entries if entry.action == "savepoint"}
    commits = [entry for entry in timeline.entries if entry.completed and entry.action in COMMITS]
    names = {entry.name for entry in commits}
    known = [
        entry
        for name in seen.completed
        if (entry := Entry.parse(name)) is not None and entry.action in COMMITS
    ]
    last = max(known, key=lambda entry: entry.instant, default=None)
    if last is None:
        raise UnknownChangesError("the index has seen no commit yet")
    if last.name not in names:
        raise UnknownChangesError(f"{last.name}, the last that the index has seen, is not on the timeline")
    if last.instant in saved:
        raise UnknownChangesError(f"{last.name}, the last that the index has seen, is a savepoint")
    oldest = min(entry.instant for entry in commits if entry.instant not in saved)
    for entry in known:
        if entry.name not in names and entry.instant > oldest:
            raise UnknownChangesError(f"{entry.name} was taken back")
    there = {entry.instant for entry in [*commits, *_pending(timeline)]}
    for instant in sorted(seen.pending - there):
        raise UnknownChangesError(f"{instant}, which was pending, was archived or taken back")


def _pending(timeline: Timeline) -> list[Entry]:
    """What may yet become a commit. A pending clustering becomes a `replacecommit`."""
    done = {entry.instant for entry in timeline.entries if entry.completed and entry.action not in HARMLESS}
    return [
        entry
        for entry in timeline.entries
        if not entry.completed and entry.action not in HARMLESS | UNDOING and entry.instant not in done
    ]


def _undoing(timeline: Timeline) -> Entry | None:
    """A rollback or restore that is under way."""
    done = {entry.instant for entry in timeline.entries if entry.completed and entry.action in UNDOING}
    return next(
        (
            entry
            for entry in timeline.entries
            if not entry.completed and entry.action in UNDOING and entry.instant not in done
        ),
        None,
    )


def read_commits(timeline: Timeline, entries: Iterable[Entry]) -> list[Commit]:
    """Reads commits.

    Raises:
        UnknownChangesError: One can't be read, or was archived this moment.
        OSError: The file system failed.
    """
    try:
        return [timeline.commit(entry) for entry in entries]
    except TableUnreadableError as error:
        raise UnknownChangesError(str(error)) from error
