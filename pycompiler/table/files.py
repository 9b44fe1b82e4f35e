"""The file slices of a table as it is now, from what its index knows and what its timeline adds to that."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from pycompiler.index.manifest import SeenTimeline
from pycompiler.index.records import FileGroup, IndexedFile
from pycompiler.index.storage.factory import open_source
from pycompiler.index.storage.location import Location
from pycompiler.log_files.names import LogName
from pycompiler.table.changes import CompletionOf, completions, is_read_with
from pycompiler.table.errors import UnknownChangesError
from pycompiler.table.timeline import Timeline, WrittenFile


@dataclass(frozen=True, slots=True)
class TableFile:
    """A base file or log file of the table.

    Attributes:
        path: Path relative to the table.
        size: Bytes.
        commit_time: Instant that wrote it.
        indexed: Whether what the index says of the path holds for it.
    """

    path: str
    size: int
    commit_time: str
    indexed: bool


@dataclass(frozen=True, slots=True)
class FileSlice:
    """What the rows of a file group are read from; one of the two may be missing.

    Attributes:
        base: The base file.
        logs: The log files that are merged with it, by path.
    """

    base: TableFile | None
    logs: tuple[TableFile, ...] = ()

    @property
    def files(self) -> tuple[TableFile, ...]:
        """All of its files, the base file first."""
        return self.logs if self.base is None else (self.base, *self.logs)

    @property
    def path(self) -> str:
        """What it is known by: the path of its first file."""
        return self.files[0].path

    @property
    def size(self) -> int:
        """Bytes of all of its files."""
        return sum(file.size for file in self.files)

    @property
    def indexed(self) -> bool:
        """Whether the index knows all of its files as they are."""
        return all(file.indexed for file in self.files)


@dataclass(frozen=True, slots=True)
class TableSlices:
    """The file slices that a query reads.

    Attributes:
        slices: The latest slice of each file group that is not replaced, by path.
        complete: False if commits that the index has not seen are archived, so that there may be more.
    """

    slices: tuple[FileSlice, ...]
    complete: bool

    @property
    def files(self) -> tuple[TableFile, ...]:
        """The files of all slices."""
        return tuple(file for file_slice in self.slices for file in file_slice.files)


def table_slices(
    table: Location,
    timeline: Timeline,
    indexed: Collection[IndexedFile],
    instant: str,
    seen: SeenTimeline | None = None,
) -> TableSlices:
    """Brings the files of an index together with the commits since.

    Args:
        table: Root of the table.
        timeline: Its active timeline.
        indexed: The files that the index knows; some may be gone.
        instant: Last instant that the index has seen; empty if there was none.
        seen: What the index has seen of the timeline, which says when commits were completed that are
            archived since; None if it does not say so.

    Raises:
        TableUnreadableError: A commit can't be read.
        OSError: The file system failed.
    """
    groups: defaultdict[FileGroup, dict[str, IndexedFile | WrittenFile]] = defaultdict(dict)
    replaced: set[FileGroup] = set()
    for commit in timeline.since(instant):
        replaced |= commit.replaced
        for written in commit.files:
            groups[written.partition, written.file_id][written.path] = written
    for file in indexed:
        groups[file.partition, file.file_id][file.path] = file
    completion_of = completions(timeline, seen or SeenTimeline(frozenset(), frozenset()))
    latest = [
        _latest(table, files.values(), completion_of) for key, files in groups.items() if key not in replaced
    ]
    return TableSlices(
        tuple(sorted((found for found in latest if found is not None), key=lambda found: found.path)),
        timeline.reaches_back_to(instant),
    )


def _latest(
    table: Location, files: Iterable[IndexedFile | WrittenFile], completion_of: CompletionOf
) -> FileSlice | None:
    """The newest base file of a group that is there, and the log files that are merged with it.

    A file that was cleaned or restored away is not there.
    """
    newest_first = sorted(files, key=lambda file: (file.commit_time, file.path), reverse=True)
    bases = (_found(table, file) for file in newest_first if not file.is_log)
    base = next((file for file in bases if file is not None), None)
    logs = [
        found
        for file in reversed(newest_first)
        if file.is_log and _is_read_with(file, base, completion_of)
        if (found := _found(table, file)) is not None and found.size
    ]
    return FileSlice(base, tuple(logs)) if base is not None or logs else None


def _is_read_with(
    log: IndexedFile | WrittenFile, base: TableFile | None, completion_of: CompletionOf
) -> bool:
    name = LogName.parse(log.path.rpartition("/")[2])
    if name is not None and name.holds_changes:
        return False  # No snapshot has rows of it.
    try:
        return base is None or is_read_with(log, base.commit_time, completion_of)
    except UnknownChangesError:
        return True  # It may be, and then keeps its slice.


def _found(table: Location, file: IndexedFile | WrittenFile) -> TableFile | None:
    """A file as it is on storage; None if it is not there."""
    try:
        with open_source(str(table.child(file.path))) as source:
            size: int = source.size()
    except FileNotFoundError:
        return None
    indexed = isinstance(file, IndexedFile) and file.size == size
    return TableFile(file.path, size, file.commit_time, indexed)
