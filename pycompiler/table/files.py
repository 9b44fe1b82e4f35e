"""The current file slices of a table, from its index and the later commits on its timeline."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from pycompiler.index.file_systems.factory import open_source
from pycompiler.index.file_systems.location import Location
from pycompiler.index.manifest import SeenTimeline
from pycompiler.index.records import FileGroup, IndexedFile
from pycompiler.table.latest import CompletionOf, completions, latest_slice
from pycompiler.table.timeline import Timeline, WrittenFile


@dataclass(frozen=True, slots=True)
class TableFile:
    """A base file or log file of the table; `indexed` if the index's records for its path describe it."""

    path: str
    size: int
    commit_time: str
    indexed: bool


@dataclass(frozen=True, slots=True)
class FileSlice:
    """The files that a file group's rows are read from; there may be no base file or no logs."""

    base: TableFile | None
    logs: tuple[TableFile, ...] = ()

    @property
    def files(self) -> tuple[TableFile, ...]:
        """All of its files, base file first."""
        return self.logs if self.base is None else (self.base, *self.logs)

    @property
    def path(self) -> str:
        """The path of its first file, which identifies it."""
        return self.files[0].path

    @property
    def size(self) -> int:
        """Total bytes of its files."""
        return sum(file.size for file in self.files)

    @property
    def indexed(self) -> bool:
        """Whether the index describes all of its current files."""
        return all(file.indexed for file in self.files)


@dataclass(frozen=True, slots=True)
class TableSlices:
    """The file slices that a query reads.

    Attributes:
        slices: The latest slice of each file group that is not replaced, by path.
        complete: False if there may be more, because the index does not cover archived commits.
    """

    slices: tuple[FileSlice, ...]
    complete: bool


def table_slices(
    table: Location,
    timeline: Timeline,
    indexed: Collection[IndexedFile],
    instant: str,
    seen: SeenTimeline | None = None,
) -> TableSlices:
    """Combines the files of an index with later commits.

    Args:
        table: Root of the table.
        timeline: Its active timeline.
        indexed: The indexed files; some may be gone.
        instant: Last instant that the index has seen; empty if there was none.
        seen: The timeline state that the index covers, with completion times of commits archived since; None
            if unknown.
    """
    groups: defaultdict[FileGroup, dict[str, IndexedFile | WrittenFile]] = defaultdict(dict)
    replaced: set[FileGroup] = set()
    for commit in timeline.since(instant):
        replaced |= commit.replaced
        for written in commit.files:
            groups[written.partition, written.file_id][written.path] = written
    for file in indexed:
        groups[file.partition, file.file_id][file.path] = file
    completion_of = completions(timeline, seen)
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
    """The latest slice of the existing files; cleaned or restored ones no longer exist."""
    there = {file: found for file in files if (found := _found(table, file)) is not None}
    latest = latest_slice(there, completion_of)
    # Logs that may be read must be able to keep their slice.
    read = sorted([*latest.logs, *latest.unsure], key=lambda log: (log.commit_time, log.path))
    logs = tuple(there[log] for log in read if there[log].size)  # Empty ones have no rows.
    current = FileSlice(None if latest.base is None else there[latest.base], logs)
    return current if current.files else None


def _found(table: Location, file: IndexedFile | WrittenFile) -> TableFile | None:
    """The file as it is on storage; None if it does not exist."""
    try:
        with open_source(str(table.child(file.path))) as source:
            size: int = source.size()
    except FileNotFoundError:
        return None
    indexed = isinstance(file, IndexedFile) and file.size == size
    return TableFile(file.path, size, file.commit_time, indexed)
