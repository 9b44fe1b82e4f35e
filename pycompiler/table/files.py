"""The base files of a table as it is now, from what its index knows and what its timeline adds to that."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass

from pycompiler.index.records import IndexedFile
from pycompiler.index.storage.factory import open_source
from pycompiler.index.storage.location import Location
from pycompiler.table.timeline import Timeline, WrittenFile


@dataclass(frozen=True, slots=True)
class TableFile:
    """A base file of the table.

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
class TableFiles:
    """The base files that a query reads.

    Attributes:
        files: The latest file of each file group that is not replaced, by path.
        complete: False if commits that the index has not seen are archived, so that there may be more.
    """

    files: tuple[TableFile, ...]
    complete: bool


def table_files(
    table: Location, timeline: Timeline, indexed: Collection[IndexedFile], instant: str
) -> TableFiles:
    """Brings the files of an index together with the commits since.

    Args:
        table: Root of the table.
        timeline: Its active timeline.
        indexed: The files that the index knows; some may be gone.
        instant: Last instant that the index has seen; empty if there was none.

    Raises:
        TableUnreadableError: A commit can't be read.
        OSError: The file system failed.
    """
    groups: defaultdict[tuple[str, str], dict[str, IndexedFile | WrittenFile]] = defaultdict(dict)
    replaced: set[tuple[str, str]] = set()
    for commit in timeline.since(instant):
        replaced |= commit.replaced
        for written in commit.files:
            groups[written.partition, written.file_id][written.path] = written
    for file in indexed:
        groups[file.partition, file.file_id][file.path] = file
    latest = [_latest(table, list(files.values())) for key, files in groups.items() if key not in replaced]
    return TableFiles(
        tuple(sorted((file for file in latest if file is not None), key=lambda file: file.path)),
        timeline.reaches_back_to(instant),
    )


def _latest(table: Location, files: list[IndexedFile | WrittenFile]) -> TableFile | None:
    """The newest file of a file group that is there; one that was cleaned or restored away is not."""
    for file in sorted(files, key=lambda file: file.commit_time, reverse=True):
        size = _size(table.child(file.path))
        if size is not None:
            indexed = isinstance(file, IndexedFile) and file.size == size
            return TableFile(file.path, size, file.commit_time, indexed)
    return None


def _size(file: Location) -> int | None:
    try:
        with open_source(str(file)) as source:
            size: int = source.size()
            return size
    except FileNotFoundError:
        return None
