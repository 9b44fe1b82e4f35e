"""The files that a table's snapshot is read from, by listing its storage, as Hudi's file-system view does.

A file counts if its instant completed on the timeline as it was before the listing. So files that are
being written, that a failed commit left behind, or that a later commit adds, are not live; and a file group
that a later commit replaces still is. Whatever Hudi's rule leaves open raises `UnknownFilesError`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from pycompiler.index.file_systems.factory import list_folder
from pycompiler.index.file_systems.interface import Folder
from pycompiler.index.file_systems.location import Location
from pycompiler.index.manifest import SeenTimeline
from pycompiler.index.records import FileGroup, WriteStatus, relative_path
from pycompiler.log_files.names import LogName
from pycompiler.table.archive import archived_completions
from pycompiler.table.changes import seen_timeline
from pycompiler.table.errors import UnknownFilesError
from pycompiler.table.properties import TableProperties
from pycompiler.table.timeline import Timeline

_META_FOLDER: Final = ".hoodie"
_PARTITION_FILE: Final = ".hoodie_partition_metadata"
"""Beginning of the name of a file in each of Hudi's partitions, and in no other folder."""
_BASE_FILE: Final = re.compile(
    r"(?P<file_id>[^._][^_]*)_\d+-\d+-\d+_(?P<instant>\d+)\.parquet", re.ASCII | re.DOTALL
)
_CHECKSUM: Final = re.compile(r"\..*\.crc", re.DOTALL)
"""Files in which Hadoop's local file system keeps checksums, and which it hides."""
_COMPACTION: Final = "compaction"
_LISTED_AT_ONCE: Final = 16
_READS: Final = 5


@dataclass(frozen=True, slots=True)
class TableSnapshot:
    """The files that a snapshot of a table is read from.

    Attributes:
        instant: Last completed instant of the table; empty if there is no commit yet.
        files: Latest base file of each file group that is not replaced; for a merge-on-read table also the
            log files of its latest slice.
        seen: The instants after which these are the files; None if unknown.
    """

    instant: str
    files: tuple[WriteStatus, ...]
    seen: SeenTimeline | None


def list_table(table: Location) -> TableSnapshot:
    """Lists the latest files of all partitions.

    Raises:
        TableUnreadableError: There is no Hudi table, or a commit cannot be read.
        UnknownFilesError: The files do not show which of them are current; the message says why.
    """
    timeline = _settled(table)
    files = _View(table, timeline).files() if timeline.commits else ()
    return TableSnapshot(timeline.last_instant, tuple(files), seen_timeline(timeline))


def _settled(table: Location) -> Timeline:
    """The timeline, read while nothing on it was being renamed."""
    properties = TableProperties.read(table)
    timeline = Timeline(table, properties)
    for _ in range(_READS):
        again = Timeline(table, properties)
        if again.entries == timeline.entries:
            return again
        timeline = again
    raise UnknownFilesError("its timeline keeps changing")


class _View:
    """Decides which files are live at one state of the timeline."""

    def __init__(self, table: Location, timeline: Timeline) -> None:
        self._table = table
        self._timeline = timeline
        self._completed = {entry.instant: entry.completion for entry in timeline.commits}
        self._pending = timeline.pending()
        self._compactions = timeline.pending(_COMPACTION)
        self._first = min([*self._completed, *self._compactions])
        if self._first in timeline.saved and not timeline.has_no_archive:
            raise UnknownFilesError("later commits may have been archived than one that has a savepoint")
        commits = [timeline.commit(entry) for entry in timeline.commits]
        self._replaced = {group for commit in commits for group in commit.replaced}
        self._written = {commit.instant: {file.path for file in commit.files} for commit in commits}

    def files(self) -> Iterator[WriteStatus]:
        """The live files, by path."""
        groups: defaultdict[FileGroup, list[WriteStatus]] = defaultdict(list)
        for status in self._listed():
            groups[status.partition, status.file_id].append(status)
        for group, listed in sorted(groups.items()):
            if group not in self._replaced:
                yield from sorted(self._live(listed), key=lambda file: file.path)

    def _listed(self) -> Iterator[WriteStatus]:
        root = str(self._table)
        for partition, folder in _partitions(self._table):
            for name, size in folder.files.items():
                found = _parts(name, relative_path(partition, name))
                if found is not None:
                    path = f"{root}/{relative_path(partition, name)}"
                    yield WriteStatus(partition, found[0], path, size, found[1])

    def _live(self, listed: Iterable[WriteStatus]) -> Iterator[WriteStatus]:
        bases = [file for file in listed if not file.is_log]
        # What a pending compaction has written is not committed, although its request begins a slice.
        committed = [file for file in bases if self._has_completed(file)]
        newest = max((file.commit_time for file in committed), default="")
        latest = [file for file in committed if file.commit_time == newest]
        if len(latest) > 1:
            raise UnknownFilesError(f"{latest[0].path} and {latest[1].path} are of one file group and commit")
        yield from latest
        if not self._timeline.is_merge_on_read:
            return
        begun = {file.commit_time for file in bases} - {file.commit_time for file in committed}
        logs = [file for file in listed if file.is_log and file.size]
        live = [file for file in logs if self._is_read(file, newest)]
        if live:
            self._require_one_slice(live, begun - self._compactions, logs, newest)
        yield from live

    def _is_read(self, log: WriteStatus, newest: str) -> bool:
        """Whether a log belongs to the slice of the newest base file, or to a compaction planned since."""
        if not self._timeline.has_completions:
            # Its name has the instant with which its slice begins.
            is_begun = log.commit_time in self._compactions or self._has_completed(log)
            return is_begun and log.commit_time >= newest
        completion = self._completion(log.commit_time)
        if completion is None:
            return False
        self._require_recorded(log)
        return completion >= newest

    def _require_one_slice(
        self, live: list[WriteStatus], begun: set[str], logs: list[WriteStatus], newest: str
    ) -> None:
        """Hudi ties logs to what a commit in progress has begun, and shows neither until it completes."""
        if not self._timeline.has_completions:
            return
        first = min(log.commit_time for log in live)
        waiting = [log for log in logs if self._completion(log.commit_time) is None]
        if any(instant > newest for instant in begun) or (
            not newest and any(log.commit_time < first for log in waiting)
        ):
            raise UnknownFilesError(f"{live[0].path} was committed beside a commit in progress")

    def _has_completed(self, file: WriteStatus) -> bool:
        instant = file.commit_time
        if instant in self._completed:
            self._require_recorded(file)
            return True
        # To Hudi's view, all that precedes its first completed commit is committed, even what is pending.
        if instant >= self._first or instant in self._pending:
            return False
        if self._timeline.has_completions and instant not in self._archived:
            raise UnknownFilesError(f"{file.path} is of an instant that is on no timeline")
        return True

    def _completion(self, instant: str) -> str | None:
        if instant in self._completed:
            return self._completed[instant]
        if instant >= self._first or instant in self._pending:
            return None
        if instant not in self._archived:
            raise UnknownFilesError(f"a log file is of the instant {instant}, which is on no timeline")
        return self._archived[instant]

    def _require_recorded(self, file: WriteStatus) -> None:
        """A task that outlives its commit may leave a file that the commit does not name."""
        is_of_slice = file.is_log and not self._timeline.has_completions
        written = self._written.get(file.commit_time)
        if not is_of_slice and written is not None and file.relative_path not in written:
            raise UnknownFilesError(f"{file.path} is of a commit that does not name it")

    @cached_property
    def _archived(self) -> Mapping[str, str]:
        return archived_completions(self._timeline.archive)


def _parts(name: str, path: str) -> tuple[str, str] | None:
    """File id and instant in a file's name; None if no query reads the file."""
    if _CHECKSUM.fullmatch(name) or name.startswith(_PARTITION_FILE):
        return None
    if (log := LogName.parse(name)) is not None:
        return None if log.holds_changes else (log.file_id, log.instant)
    if (base := _BASE_FILE.fullmatch(name)) is not None:
        return base["file_id"], base["instant"]
    if ".parquet" in name or (name.startswith(".") and ".log." in name):
        raise UnknownFilesError(f"the name of {path} is not one of Hudi's")
    return None


def _partitions(table: Location) -> Iterator[tuple[str, Folder]]:
    """Hudi's partitions, relative to the table, and what they hold.

    Like Hudi, it does not look for partitions below a partition, except below the root.
    """
    with ThreadPoolExecutor(_LISTED_AT_ONCE) as pool:
        level = [""]
        while level:
            listed = pool.map(lambda path: list_folder(table.child(path) if path else table), level)
            below: list[str] = []
            for path, folder in zip(level, listed, strict=True):
                is_partition = any(name.startswith(_PARTITION_FILE) for name in folder.files)
                if is_partition:
                    yield path, folder
                if not (is_partition and path):
                    below += [relative_path(path, name) for name in folder.folders if name != _META_FOLDER]
            level = below
