"""The active timeline: a table's completed commits, and the files that they wrote and replaced.

Up to table version 6 a completed commit is a JSON file `.hoodie/<instant>.commit`; from 8 on it is an Avro
file `.hoodie/timeline/<instant>_<completion time>.commit`. Rolled-back commits have no file. Incomplete
actions have only the files `<instant>.<action>.requested` and `.inflight`.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from pycompiler.index.file_systems.factory import list_folder, read_whole
from pycompiler.index.file_systems.location import Location
from pycompiler.index.log_files.names import LogName
from pycompiler.index.records import WriteStatus
from pycompiler.table.errors import TableUnreadableError
from pycompiler.table.properties import TableProperties

COMMITS: Final = frozenset({"commit", "deltacommit", "replacecommit"})
"""Actions that change the table's files when they complete. A compaction completes as a commit, a log
compaction as a delta commit, a clustering as a replacement."""
HARMLESS: Final = frozenset({"clean", "savepoint", "indexing"})
"""Actions that do not: a clean removes only files that are no longer live."""
UNDOING: Final = frozenset({"rollback", "restore"})
"""Actions that remove instants from the timeline."""

_FILE: Final = re.compile(
    r"(?P<instant>\d+)(?:_(?P<completion>\d+))?(?:\.(?P<action>[a-z]+))??(?:\.(?P<state>requested|inflight))?",
    re.ASCII,
)
_FIRST_WITH_COMPLETIONS: Final = 8
_AVRO: Final = b"Obj\x01"
_BASE_FILE: Final = ".parquet"
_NO_SCHEMA: Final = "null"
"""What old streamers recorded as the schema of a commit without one."""
_KEEP_SCHEMA: Final = frozenset({"CLUSTER", "COMPACT", "INDEX", "LOG_COMPACT"})
"""Operations that may record a schema that was the table's when they were planned
(`WriteOperationType.canUpdateSchema`)."""
_CHANGES: Final = ".cdc"
"""Ends the names of logs of change data capture, whose rows no snapshot contains."""
_NO_COMMIT: Final = "null"
"""Hudi's marker for "no previous file"."""


@dataclass(frozen=True, slots=True)
class WrittenFile:
    """A base file or log file that a commit wrote.

    Attributes:
        path: Relative to the table.
        commit_time: Instant in its name: the commit's or, for a log file before table version 8, that of the
            slice's base file.
        size: Bytes; 0 if the commit does not record it.
        previous: Instant of the base file that this one replaces; None if there was none.
        is_log: Whether it is a log file, which replaces nothing but an earlier state of itself.
    """

    partition: str
    file_id: str
    path: str
    commit_time: str
    size: int = 0
    previous: str | None = None
    is_log: bool = False

    def status(self, table_root: str) -> WriteStatus:
        """The write status, with the full path."""
        path = f"{table_root}/{self.path}"
        return WriteStatus(self.partition, self.file_id, path, self.size, self.commit_time)


@dataclass(frozen=True, slots=True)
class Commit:
    """A completed commit.

    Attributes:
        instant: When it was requested; identifies the commit.
        files: The base files and log files that it wrote.
        replaced: Partition and file id of the file groups that it removed from the table.
        others: Paths of other files that it wrote.
        schema: Avro schema of the table's own columns, as JSON; empty if the commit does not record it.
    """

    instant: str
    files: tuple[WrittenFile, ...]
    replaced: frozenset[tuple[str, str]]
    others: tuple[str, ...] = ()
    schema: str = ""

    @staticmethod
    def of(instant: str, document: Mapping[str, Any]) -> Commit:
        """The commit that metadata describes (`HoodieCommitMetadata`, `HoodieReplaceCommitMetadata`).

        Raises:
            ValueError, KeyError, TypeError, AttributeError: It is not a commit's.
        """
        # A file group whose rows were all deleted may have no new file.
        written = [
            stat
            for stats in (document.get("partitionToWriteStats") or {}).values()
            for stat in stats
            if stat["path"] and not stat["path"].endswith(_CHANGES)
        ]
        replaced = document.get("partitionToReplaceFileIds") or {}
        files = {stat["path"]: _written(instant, stat) for stat in written}
        return Commit(
            instant,
            tuple(file for file in files.values() if file is not None),
            frozenset((partition, file_id) for partition, ids in replaced.items() for file_id in ids),
            tuple(path for path, file in files.items() if file is None),
            _schema_of(document),
        )


@dataclass(frozen=True, slots=True)
class Entry:
    """A file of the timeline; the completion time is empty before table version 8."""

    name: str
    instant: str
    completion: str
    action: str
    completed: bool

    @staticmethod
    def parse(name: str) -> Entry | None:
        """Parses a file name; None if it does not belong to an instant."""
        found = _FILE.fullmatch(name)
        if found is None or not (found["action"] or found["state"]):
            return None
        # `<instant>.inflight` belongs to a commit.
        return Entry(
            name,
            found["instant"],
            found["completion"] or "",
            found["action"] or "commit",
            found["state"] is None,
        )


class Timeline:
    """The active timeline of a table, which excludes archived instants, as of its construction.

    Attributes:
        version: The table version.
        has_completions: Whether it records completion times, as from table version 8 on.
        archive: Folder of the archived timeline.
        entries: Its files.
        unknown: Names of files that look like those of instants, but are of an unknown form.
        commits: The completed commits.
        incomplete: The files of actions that have not completed.
        saved: Instants with a savepoint.
    """

    def __init__(self, table: Location, properties: TableProperties) -> None:
        self.version: Final = properties.version
        self.has_completions: Final = properties.version >= _FIRST_WITH_COMPLETIONS
        self.is_merge_on_read: Final = not properties.is_copy_on_write
        self.is_partitioned: Final = bool(properties.partition_columns)
        self._folder = table.child(properties.timeline)
        self.archive: Final = table.child(properties.archive)
        parsed = {name: Entry.parse(name) for name in list_folder(self._folder).names}
        self.entries: Final = tuple(entry for entry in parsed.values() if entry is not None)
        self.unknown: Final = tuple(
            name for name, entry in parsed.items() if entry is None and name[:1].isdigit()
        )
        self.commits: Final = tuple(
            entry for entry in self.entries if entry.completed and entry.action in COMMITS
        )
        done = {entry.instant for entry in self.entries if entry.completed}
        self.incomplete: Final = tuple(entry for entry in self.entries if entry.instant not in done)
        self.saved: Final = frozenset(entry.instant for entry in self.entries if entry.action == "savepoint")

    @staticmethod
    def of(table: Location) -> Timeline:
        """Reads the table's properties and lists its timeline.

        Raises:
            TableUnreadableError: The table has no properties.
        """
        return Timeline(table, TableProperties.read(table))

    @property
    def last_instant(self) -> str:
        """Instant of the last completed commit; empty if there is none."""
        return max((entry.instant for entry in self.commits), default="")

    def pending(self, action: str | None = None) -> frozenset[str]:
        """The instants of an action, or of all, that have been requested and not completed."""
        return frozenset(entry.instant for entry in self.incomplete if action in (None, entry.action))

    def reaches_back_to(self, instant: str) -> bool:
        """Whether every commit later than an instant is still there.

        Commits are archived in order, except that saved ones may be skipped.
        """
        known = any(entry.instant <= instant for entry in self.commits if entry.instant not in self.saved)
        return known or not list_folder(self.archive).files

    def since(self, instant: str) -> Iterator[Commit]:
        """The commits that a reader who has seen `instant` may not have seen, and all that replaced files.

        A commit requested earlier may have completed later. Before table version 8 completion times are
        unknown, so all commits are included.
        """
        seen = next((entry.completion for entry in self.commits if entry.instant == instant), "")
        for entry in self.commits:
            if entry.action == "replacecommit" or not entry.completion or entry.completion > seen:
                yield self.commit(entry)

    @property
    def newest_first(self) -> list[Entry]:
        """The commits by instant, the newest first."""
        return sorted(self.commits, key=lambda entry: entry.instant, reverse=True)

    def schema(self) -> str:
        """The schema of the last commit that records one, as in `Commit`; empty if none does."""
        for entry in self.newest_first:
            if schema := self.commit(entry).schema:
                return schema
        return ""

    def commit(self, entry: Entry) -> Commit:
        """Reads a completed commit."""
        file = self._folder.child(entry.name)
        try:
            return Commit.of(entry.instant, parse_document(read_whole(file)))
        except FileNotFoundError as error:
            raise TableUnreadableError(f"{file} has just been archived; try again") from error
        except (ValueError, KeyError, TypeError, AttributeError, EOFError) as error:
            raise TableUnreadableError(f"{file} cannot be read as a commit: {error!r}") from error

    def document(self, entry: Entry) -> Mapping[str, Any]:
        """The content of an instant's file; empty if the file is."""
        file = self._folder.child(entry.name)
        try:
            return parse_document(read_whole(file))
        except FileNotFoundError as error:
            raise TableUnreadableError(f"{file} is gone; try again") from error
        except (ValueError, EOFError) as error:
            raise TableUnreadableError(f"{file} cannot be read: {error!r}") from error


def parse_document(content: bytes) -> Mapping[str, Any]:
    """The content of an instant's file: an Avro file of one record, JSON, or nothing.

    Raises:
        ValueError, EOFError: It is none of them.
    """
    if not content.startswith(_AVRO):
        # A commit that wrote nothing may be empty.
        document = json.loads(content) if content.strip() else {}
        if not isinstance(document, dict):
            raise ValueError("not a JSON object")
        return document
    import fastavro  # Spark's executors need it for log files only.

    documents = list(fastavro.reader(io.BytesIO(content)))
    if len(documents) != 1 or not isinstance(documents[0], dict):
        raise ValueError(f"found {len(documents)} documents instead of one")
    return documents[0]


def _schema_of(document: Mapping[str, Any]) -> str:
    if document.get("operationType") in _KEEP_SCHEMA:
        return ""
    schema = (document.get("extraMetadata") or {}).get("schema")
    return schema if schema and schema != _NO_SCHEMA else ""


def _written(instant: str, stat: Mapping[str, Any]) -> WrittenFile | None:
    """A file in a commit's metadata; None if it is neither a base file nor a log file."""
    partition, _, name = stat["path"].rpartition("/")
    log = LogName.parse(name)
    if log is not None:
        size = stat.get("fileSizeInBytes") or 0
        return WrittenFile(partition, stat["fileId"], stat["path"], log.instant, size, is_log=True)
    if not name.endswith(_BASE_FILE):
        return None
    previous = stat.get("prevCommit")
    return WrittenFile(
        partition=partition,
        file_id=stat["fileId"],
        path=stat["path"],
        commit_time=instant,
        size=stat.get("fileSizeInBytes") or 0,
        previous=None if previous in (None, "", _NO_COMMIT) else previous,
    )
