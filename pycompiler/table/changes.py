"""What has changed in a table since its index was updated, from the commits on its timeline."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from pycompiler.index.manifest import SeenTimeline
from pycompiler.index.records import FileGroup, IndexedFile
from pycompiler.table.errors import UnknownChangesError
from pycompiler.table.latest import CompletionOf, latest_slice
from pycompiler.table.timeline import COMMITS, HARMLESS, UNDOING, Commit, Entry, Timeline, WrittenFile

LiveFiles: TypeAlias = Callable[[Collection[FileGroup]], Mapping[str, IndexedFile]]
"""Looks up the files of file groups that the index has as live, by path."""


@dataclass(frozen=True, slots=True)
class Changes:
    """The combined changes of some commits to a table's live files.

    Attributes:
        new: Files that are live now but were not before, or not with all of their bytes.
        gone: Files that were live before but are no longer.
        grown: Previous entries of log files that have grown; these are also in `new`.
    """

    new: tuple[WrittenFile, ...]
    gone: tuple[IndexedFile, ...]
    grown: tuple[IndexedFile, ...] = ()


def seen_timeline(timeline: Timeline) -> SeenTimeline | None:
    """The timeline state that an index covers if it has all files of a listing made now.

    None during a rollback or restore, whose progress is unknown.
    """
    if _pending(timeline, undoing=True):
        return None
    lasting = [entry for entry in timeline.entries if entry.action not in HARMLESS]
    return SeenTimeline(
        frozenset(entry.name for entry in lasting if entry.completed),
        frozenset(entry.instant for entry in _pending(timeline)),
    )


def commits_since(timeline: Timeline, seen: SeenTimeline) -> list[Entry]:
    """The completed commits that an index has not seen, by instant.

    Commits may complete in another order than they were requested: any completed, unseen commit is new,
    however early it was requested.
    """
    for entry in _pending(timeline, undoing=True):
        raise UnknownChangesError(f"{entry.name} is in progress")
    completed = [entry for entry in timeline.entries if entry.completed and entry.action not in HARMLESS]
    new = [entry for entry in completed if entry.name not in seen.completed]
    for entry in new:
        if entry.action in UNDOING:
            raise UnknownChangesError(f"{entry.name} undid commits")
        if entry.action not in COMMITS:
            raise UnknownChangesError(f"{entry.name} is of an unknown kind")
    _require_all_since(timeline, seen)
    return sorted(new, key=lambda entry: entry.instant)


def changes_of(
    commits: Iterable[Commit], live_files: LiveFiles, completion_of: CompletionOf | None = None
) -> Changes:
    """Combines the changes of all commits that the index has not seen.

    `live_files` is not called if all files are in new groups. Copy-on-write tables need no completion times.
    """
    written: defaultdict[FileGroup, dict[str, WrittenFile]] = defaultdict(dict)
    replaced: set[FileGroup] = set()
    for commit in commits:
        if commit.others:
            raise UnknownChangesError(f"{commit.instant} wrote {commit.others[0]}, which is not a base file")
        replaced |= commit.replaced
        for file in commit.files:
            if file.size <= 0:
                raise UnknownChangesError(f"{commit.instant} does not record the size of {file.path}")
            # Log files only grow.
            of_group = written[file.partition, file.file_id]
            of_group[file.path] = max(file, of_group.get(file.path, file), key=lambda each: each.size)
    # The first base file of a group may replace log files, and then names no predecessor.
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
        ours, theirs = written.get(group, {}), before.get(group, {})
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
    """The live paths of a file group, as in Hudi's view."""
    found = latest_slice(files, completion_of or (lambda instant: instant))
    if completion_of is None:
        for file in files:
            if file.is_log:
                raise UnknownChangesError(f"{file.path} is a log file in a copy-on-write table")
    for log in found.unsure:
        raise UnknownChangesError(f"the completion time of {log.path} is unknown")
    return {file.path for file in (found.base, *found.logs) if file is not None}


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
    """Verifies that the commits build on the files of a group that the index has."""
    instants = {file.commit_time for files in (written, before) for file in files.values()}
    for file in written.values():
        if file.previous is not None and file.previous not in instants:
            raise UnknownChangesError(f"{file.path} replaces a file that the index does not have")
    if is_replaced and not instants:
        raise UnknownChangesError(f"the index has no file of the replaced file group {group[1]}")


def _require_all_since(timeline: Timeline, seen: SeenTimeline) -> None:
    """Verifies that nothing was archived unseen, and that nothing seen was undone.

    Archiving removes the oldest commits first, but may skip savepoints. So while the last seen commit is
    there and is not a savepoint, all later commits are there too; earlier ones that were pending are known.
    """
    names = {entry.name for entry in timeline.commits}
    known = [
        entry
        for name in seen.completed
        if (entry := Entry.parse(name)) is not None and entry.action in COMMITS
    ]
    last = max(known, key=lambda entry: entry.instant, default=None)
    if last is None:
        raise UnknownChangesError("the index covers no commit yet")
    if last.name not in names:
        raise UnknownChangesError(
            f"{last.name}, the last commit that the index covers, is not on the timeline"
        )
    if last.instant in timeline.saved:
        raise UnknownChangesError(f"{last.name}, the last commit that the index covers, has a savepoint")
    oldest = min(entry.instant for entry in timeline.commits if entry.instant not in timeline.saved)
    for entry in known:
        if entry.name not in names and entry.instant > oldest:
            raise UnknownChangesError(f"{entry.name} was undone")
    there = {entry.instant for entry in [*timeline.commits, *_pending(timeline)]}
    for instant in sorted(seen.pending - there):
        raise UnknownChangesError(f"{instant}, which was pending, was archived or undone")


def _pending(timeline: Timeline, *, undoing: bool = False) -> list[Entry]:
    """Actions that may still become commits, such as a clustering; or rollbacks and restores in progress."""
    lasting = (entry for entry in timeline.incomplete if entry.action not in HARMLESS)
    return [entry for entry in lasting if (entry.action in UNDOING) is undoing]
