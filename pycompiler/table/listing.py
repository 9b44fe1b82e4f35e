"""The files that a table's snapshot is read from, by listing its storage, as Hudi's file-system view does.

An index that lacks a live file loses its rows: queries take the list of files from it (`IndexCandidates`).
So every rule here has a proof that it names the files of Hudi's view at the state of the timeline that
`TableSnapshot.seen` has, and whatever a rule leaves open raises `UnknownFilesError`: then Hudi is asked.
`tests/spark/test_listed_states.py` holds the rules against that view, in states of any kind.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final

from pycompiler.index.file_systems.factory import list_folder
from pycompiler.index.file_systems.interface import Folder
from pycompiler.index.file_systems.location import Location
from pycompiler.index.log_files.names import LogName
from pycompiler.index.manifest import SeenTimeline
from pycompiler.index.records import FileGroup, WriteStatus, relative_path
from pycompiler.table.archive import archived_commits
from pycompiler.table.changes import seen_timeline
from pycompiler.table.errors import TableUnreadableError, UnknownFilesError
from pycompiler.table.latest import latest_slice
from pycompiler.table.properties import TableProperties
from pycompiler.table.timeline import COMMITS, HARMLESS, UNDOING, Commit, Timeline

_META_FOLDER: Final = ".hoodie"
_PARTITION_FILE: Final = ".hoodie_partition_metadata"
"""Beginning of the name of a file in each of Hudi's partitions, and in no other folder."""
_BASE_FILE: Final = re.compile(
    r"(?P<file_id>[^._][^_]*)_\d+-\d+-\d+_(?P<instant>\d+)\.parquet", re.ASCII | re.DOTALL
)
_CHECKSUM: Final = re.compile(r"\..*\.crc", re.DOTALL)
"""Files in which Hadoop's local file system keeps checksums, and which it hides."""
_COMPACTION: Final = "compaction"
_COMPLETED: Final = COMMITS | HARMLESS | UNDOING
_ACTIONS: Final = _COMPLETED | {_COMPACTION, "logcompaction", "clustering"}
_VERSIONS: Final = frozenset({6, 8, 9})
_INSTANT_DIGITS: Final = 17
_READ_AT_ONCE: Final = 16
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
        TableUnreadableError: There is no Hudi table.
        UnknownFilesError: The files do not show which of them are current; the message says why.
    """
    properties = TableProperties.read(table)
    problem = ""
    for _ in range(_READS):
        timeline = _settled(table, properties)
        _require_known(timeline)
        if not timeline.commits:
            return TableSnapshot("", (), seen_timeline(timeline))
        try:
            view = _View(table, timeline, properties.has_list_of_files)
        except TableUnreadableError as error:  # Perhaps it has just been archived.
            problem = str(error)
            continue
        files = tuple(view.files())
        return TableSnapshot(timeline.last_instant, files, seen_timeline(timeline) if view.is_whole else None)
    raise UnknownFilesError(problem)


def _settled(table: Location, properties: TableProperties) -> Timeline:
    """The timeline, read while nothing on it was being renamed."""
    timeline = Timeline(table, properties)
    for _ in range(_READS):
        again = Timeline(table, properties)
        if again.entries == timeline.entries:
            return again
        timeline = again
    raise UnknownFilesError("its timeline keeps changing")


def _require_known(timeline: Timeline) -> None:
    """Requires that everything on the timeline is of a kind that the rules below are about."""
    if timeline.version not in _VERSIONS:
        raise UnknownFilesError(f"it has table version {timeline.version}")
    for name in timeline.unknown:
        raise UnknownFilesError(f"its timeline has a file of an unknown kind, {name}")
    for entry in timeline.entries:
        if entry.action not in (_COMPLETED if entry.completed else _ACTIONS):
            raise UnknownFilesError(f"its timeline has an unknown action, {entry.name}")
        if timeline.has_completions:
            # Hudi compares instants of another length in another way.
            times = (entry.instant, entry.completion) if entry.completed else (entry.instant,)
            if any(len(time) != _INSTANT_DIGITS for time in times):
                raise UnknownFilesError(f"the instant {entry.name} is not in milliseconds")
        elif entry.completion:
            raise UnknownFilesError(f"its timeline has {entry.name}, which is of a later table version")
    if not timeline.commits and timeline.pending(_COMPACTION):
        raise UnknownFilesError("its timeline has a compaction in progress and no completed commit")
    instants = [entry.instant for entry in timeline.commits]
    if len(set(instants)) < len(instants):
        raise UnknownFilesError("its timeline has two commits of one instant")


class _View:
    """Decides which files are live at one state of the timeline.

    Raises:
        TableUnreadableError: A commit cannot be read.
    """

    def __init__(self, table: Location, timeline: Timeline, has_list_of_files: bool) -> None:
        self._table = table
        self._timeline = timeline
        self._has_list_of_files = has_list_of_files
        self._completed = {entry.instant: entry.completion or entry.instant for entry in timeline.commits}
        self._pending = timeline.pending()
        self._compactions = timeline.pending(_COMPACTION)
        # Hudi's view is of the completed commits and the pending compactions.
        self._first = min([*self._completed, *self._compactions])
        with ThreadPoolExecutor(_READ_AT_ONCE) as pool:
            commits = list(pool.map(timeline.commit, timeline.commits))
        self._replaced = {group for commit in commits for group in commit.replaced}
        self._written = {commit.instant: _paths(commit) for commit in commits}
        self._files = list(self._listed())
        others = {file.commit_time for file in self._files} - self._completed.keys() - self._pending
        self._archived = archived_commits(timeline, frozenset(others)) if others else {}
        self._written |= {instant: _paths(found.commit) for instant, found in self._archived.items()}

    @property
    def is_whole(self) -> bool:
        """Whether no file is of a commit that was archived before an earlier one.

        Hudi's view takes such commits as failed ones until the earlier one is archived, too, which no later
        reader of the timeline notices.
        """
        return not any(instant >= self._first for instant in self._archived)

    def files(self) -> Iterator[WriteStatus]:
        """The live files, by path.

        Proof: a replaced file group stays replaced, whatever is written to it later
        (`isFileGroupReplaced`). Once the replacement is archived, Hudi has removed the group's files.
        """
        groups: defaultdict[FileGroup, list[WriteStatus]] = defaultdict(list)
        for status in self._files:
            groups[status.partition, status.file_id].append(status)
        for group, listed in sorted(groups.items()):
            if group not in self._replaced:
                yield from sorted(self._live(listed), key=lambda file: file.path)

    def _listed(self) -> Iterator[WriteStatus]:
        root = str(self._table)
        for partition, folder in _folders(self._table):
            if not _is_partition(folder):
                self._require_no_files(partition, folder)
                continue
            if partition and not self._timeline.is_partitioned:
                raise UnknownFilesError(f"it has no partition columns, but the partition {partition}")
            for name, size in folder.files.items():
                found = _parts(name, relative_path(partition, name))
                if found is not None:
                    path = f"{root}/{relative_path(partition, name)}"
                    yield WriteStatus(partition, found[0], path, size, found[1])

    def _require_no_files(self, path: str, folder: Folder) -> None:
        """Requires that a folder without a partition file holds no data.

        A writer may fail to create it without noticing. Hudi's metadata table names the partition, and
        queries read the root of a table without partition columns in any case.
        """
        is_read = self._has_list_of_files or not (path or self._timeline.is_partitioned)
        if is_read and any(_parts(name, relative_path(path, name)) is not None for name in folder.files):
            raise UnknownFilesError(f"it has data files and no partition file in {path or 'its root'}")

    def _live(self, listed: Iterable[WriteStatus]) -> Iterator[WriteStatus]:
        """The latest committed base file of a file group, and the logs that are merged with it.

        Proof: a base file begins a slice at its instant, and the view takes the last slice whose instant is
        committed (`HoodieFileGroup.isFileSliceCommitted`). If a pending compaction begins that slice, the
        view adds the one before: that of the last committed base file, as nothing else begins a slice.
        """
        bases = [file for file in listed if not file.is_log]
        for file in bases:
            if file.commit_time in self._compactions:
                raise UnknownFilesError(f"{file.path} is of a compaction in progress")
        committed = [file for file in bases if self._is_committed(file)]
        newest = max((file.commit_time for file in committed), default="")
        latest = [file for file in committed if file.commit_time == newest]
        if len(latest) > 1:
            raise UnknownFilesError(f"{latest[0].path} and {latest[1].path} are of one file group and commit")
        yield from latest
        logs = [file for file in listed if file.is_log]
        if logs and not self._timeline.is_merge_on_read:
            raise UnknownFilesError(f"{logs[0].path} is a log file in a copy-on-write table")
        times = {log.commit_time: self._log_completion(log, newest) for log in logs}
        committed_logs = (log for log in logs if times[log.commit_time] is not None)
        live = latest_slice([*latest, *committed_logs], times.get).logs
        begun = [file for file in bases if file not in committed and file.commit_time > newest]
        self._require_shown(live, begun, len(logs) if not newest else len(live))
        yield from (log for log in live if log.size)  # Empty ones have no rows.

    def _require_shown(
        self, live: Sequence[WriteStatus], begun: Sequence[WriteStatus], of_slice: int
    ) -> None:
        """Requires that nothing in progress hides committed logs of a slice.

        The view ties them to what a commit in progress has begun after the slice, or to its log if there is
        no base file, and shows neither until that commit completes.
        """
        if live and (begun or len(live) < of_slice):
            raise UnknownFilesError(f"{live[0].path} was committed beside a commit in progress")

    def _log_completion(self, log: WriteStatus, newest: str) -> str | None:
        """When a log's commit completed; None if it did not: the view filters such logs out.

        Requires that the slice of the log is certain, given the instant of the newest base file. From table
        version 8 on, that is left open only if Hudi may fail to find the completion in the archive
        (`LSMTimeline.isFileInRange` looks at both ends of a file only).

        Before, a log's name has the instant with which its slice begins: that of the newest base file, of a
        pending compaction, or of a commit if there is no base file. For logs of other slices, Hudi 1 goes by
        the time when a commit's file on the timeline was changed last, so it may count them among any slice.
        """
        if self._timeline.has_completions:
            completion = self._completion(log)
            is_certain = completion is None or completion >= newest or log.commit_time in self._completed
        else:
            completion = log.commit_time
            begins = completion == newest or (not newest and completion in self._completed)
            is_certain = begins or (completion in self._compactions and completion > newest)
        if not is_certain:
            raise UnknownFilesError(f"{log.path} may belong to another file slice than the latest")
        return completion

    def _is_committed(self, file: WriteStatus) -> bool:
        """Whether the instant of a base file is committed.

        Proof: Hudi's view takes an instant as committed if it is completed, or precedes all of the view's
        (`containsOrBeforeTimelineStarts`), as only completed instants are archived. What precedes them but
        was never committed is not in Hudi's metadata table, so the commit must name the file.
        """
        return self._completion(file) is not None

    def _completion(self, file: WriteStatus) -> str | None:
        """When a file's commit completed (before table version 8, its instant); None if it did not."""
        instant = file.commit_time
        if instant in self._completed:
            self._require_recorded(file)
            return self._completed[instant]
        if instant >= self._first:
            return None  # In progress, failed, or archived before earlier ones.
        if instant in self._pending:
            raise UnknownFilesError(f"{file.path} is of a commit in progress before all completed ones")
        if instant not in self._archived:
            raise UnknownFilesError(f"{file.path} is of an instant that is on no timeline")
        self._require_recorded(file)
        return self._archived[instant].completion

    def _require_recorded(self, file: WriteStatus) -> None:
        """A task that outlives its commit may leave a file that the commit does not name."""
        if file.relative_path not in self._written[file.commit_time]:
            raise UnknownFilesError(f"{file.path} is of a commit that does not name it")


def _paths(commit: Commit) -> frozenset[str]:
    return frozenset(file.path for file in commit.files)


def _parts(name: str, path: str) -> tuple[str, str] | None:
    """File id and instant in a file's name; None if no query reads the file."""
    if (base := _BASE_FILE.fullmatch(name)) is not None:
        return base["file_id"], base["instant"]
    if _CHECKSUM.fullmatch(name) or name.startswith(_PARTITION_FILE):
        return None
    if (log := LogName.parse(name)) is not None:
        return None if log.holds_changes else (log.file_id, log.instant)
    if ".parquet" in name or (name.startswith(".") and ".log." in name):
        raise UnknownFilesError(f"the name of {path} is not one of Hudi's")
    return None


def _is_partition(folder: Folder) -> bool:
    return any(name.startswith(_PARTITION_FILE) for name in folder.files)


def _folders(table: Location) -> Iterator[tuple[str, Folder]]:
    """A table's folders, relative to it, and what they hold.

    Like Hudi, it does not look below a partition, except below the root.
    """
    with ThreadPoolExecutor(_READ_AT_ONCE) as pool:
        level = [""]
        while level:
            listed = pool.map(lambda path: list_folder(table.child(path) if path else table), level)
            below: list[str] = []
            for path, folder in zip(level, listed, strict=True):
                yield path, folder
                if not (path and _is_partition(folder)):
                    below += [relative_path(path, name) for name in folder.folders if name != _META_FOLDER]
            level = below
