"""The active timeline: the completed commits of a table, and the files that they wrote and replaced.

Up to table version 6 a completed commit is `.hoodie/<instant>.commit`, with JSON in it; from 8 on it is
`.hoodie/timeline/<instant>_<time of completion>.commit`, an Avro file. Of what was rolled back there is none.
What is not completed has files `<instant>.<action>.requested` and `.inflight` alone.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import fastavro

from pycompiler.index.records import WriteStatus
from pycompiler.index.storage.factory import list_names, open_source
from pycompiler.index.storage.location import Location
from pycompiler.log_files.names import LogName
from pycompiler.table.errors import TableUnreadableError
from pycompiler.table.properties import TableProperties

COMMITS: Final = frozenset({"commit", "deltacommit", "replacecommit"})
"""Actions that change of which files the table is, once they are completed. A compaction completes as a
commit, a log compaction as a delta commit, a clustering as a replacement."""
HARMLESS: Final = frozenset({"clean", "savepoint", "indexing"})
"""Actions that don't: a clean removes files that the table is not of any more."""
UNDOING: Final = frozenset({"rollback", "restore"})
"""Actions that take instants off the timeline."""

_FILE: Final = re.compile(
    r"(?P<instant>\d+)(?:_(?P<completion>\d+))?(?:\.(?P<action>[a-z]+))??(?:\.(?P<state>requested|inflight))?"
)
_AVRO: Final = b"Obj\x01"
_BASE_FILE: Final = ".parquet"
_NO_COMMIT: Final = "null"
"""What Hudi writes where there was no file before."""


@dataclass(frozen=True, slots=True)
class WrittenFile:
    """A base file or log file that a commit wrote.

    Attributes:
        partition: Partition path relative to the table.
        file_id: Hudi's id of the file group.
        path: Path relative to the table.
        commit_time: Instant in its name: that of the commit or, of a log file before table version 8, of the
            slice's base file.
        size: Bytes; 0 if the commit does not say.
        previous: Instant that wrote the base file that this one takes the place of; None if there was none.
        is_log: Whether it is a log file. It takes the place of none, unless it is the same file, grown.
    """

    partition: str
    file_id: str
    path: str
    commit_time: str
    size: int = 0
    previous: str | None = None
    is_log: bool = False

    def status(self, table_root: str) -> WriteStatus:
        """The same with the full path."""
        path = f"{table_root}/{self.path}"
        return WriteStatus(self.partition, self.file_id, path, self.size, self.commit_time)


@dataclass(frozen=True, slots=True)
class Commit:
    """A completed commit.

    Attributes:
        instant: When it was requested, the name that it is known by.
        files: The base files and log files that it wrote.
        replaced: Partition and file id of the file groups that it took out of the table.
        others: Paths of files that it wrote and that are neither.
        schema: Avro schema of the table's own columns, as JSON; empty if the commit does not say.
    """

    instant: str
    files: tuple[WrittenFile, ...]
    replaced: frozenset[tuple[str, str]]
    others: tuple[str, ...] = ()
    schema: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """A file of the timeline.

    Attributes:
        name: Its name.
        instant: When the action was requested.
        completion: When it was completed; empty before table version 8, and if it was not.
        action: What is or was done.
        completed: Whether it is.
    """

    name: str
    instant: str
    completion: str
    action: str
    completed: bool

    @staticmethod
    def parse(name: str) -> Entry | None:
        """Reads the name of a file; None if it is no file of an instant."""
        found = _FILE.fullmatch(name)
        if found is None or not (found["action"] or found["state"]):
            return None
        # `<instant>.inflight` is a commit's.
        return Entry(
            name,
            found["instant"],
            found["completion"] or "",
            found["action"] or "commit",
            found["state"] is None,
        )


class Timeline:
    """The active timeline of a table: what has not been archived, at the time of this look.

    Raises:
        OSError: The file system failed.
        UnsupportedStorageError: Folders of this file system can't be listed.
    """

    def __init__(self, table: Location, properties: TableProperties) -> None:
        self.is_merge_on_read: Final = not properties.is_copy_on_write
        self._folder = table.child(properties.timeline)
        self._archive = table.child(properties.archive)
        self.entries: Final = tuple(
            entry for name in list_names(self._folder) if (entry := Entry.parse(name)) is not None
        )
        self.commits: Final = tuple(
            entry for entry in self.entries if entry.completed and entry.action in COMMITS
        )

    @staticmethod
    def of(table: Location) -> Timeline:
        """Reads the table's properties and lists its timeline.

        Raises:
            TableUnreadableError: The table has no properties.
            OSError: The file system failed.
            UnsupportedStorageError: Folders of this file system can't be listed.
        """
        return Timeline(table, TableProperties.read(table))

    @property
    def last_instant(self) -> str:
        """The last instant of a completed commit; empty if there is none."""
        return max((entry.instant for entry in self.commits), default="")

    @property
    def has_completions(self) -> bool:
        """Whether it says when commits were completed, as from table version 8 on."""
        return any(entry.completion for entry in self.commits)

    def reaches_back_to(self, instant: str) -> bool:
        """Whether every commit that is later than an instant is still there.

        Commits are archived in the order of their instants, but those that are saved may be passed over.
        """
        saved = {entry.instant for entry in self.entries if entry.action == "savepoint"}
        known = any(entry.instant <= instant for entry in self.commits if entry.instant not in saved)
        return known or not list_names(self._archive)

    def since(self, instant: str) -> Iterator[Commit]:
        """The commits that whoever had seen an instant may not have seen, and those that replaced files.

        One that was requested earlier may have been completed later; before table version 8 nothing says
        when it was, so that all are among them.

        Raises:
            TableUnreadableError: A commit can't be read.
            OSError: The file system failed.
        """
        seen = next((entry.completion for entry in self.commits if entry.instant == instant), "")
        for entry in self.commits:
            if entry.action == "replacecommit" or not entry.completion or entry.completion > seen:
                yield self.commit(entry)

    def schema(self) -> str:
        """The schema of the last commit that says one, as in `Commit`; empty if none does.

        Raises:
            TableUnreadableError: A commit can't be read.
            OSError: The file system failed.
        """
        for entry in sorted(self.commits, key=lambda entry: entry.instant, reverse=True):
            if schema := self.commit(entry).schema:
                return schema
        return ""

    def commit(self, entry: Entry) -> Commit:
        """Reads a completed commit.

        Raises:
            TableUnreadableError: It can't be read.
            OSError: The file system failed.
        """
        file = self._folder.child(entry.name)
        try:
            return _commit_of(entry.instant, self._read(file))
        except FileNotFoundError as error:
            raise TableUnreadableError(f"{file} has just been archived; try again") from error
        except (ValueError, KeyError, TypeError, AttributeError, EOFError) as error:
            raise TableUnreadableError(f"{file} cannot be read as a commit: {error!r}") from error

    def document(self, entry: Entry) -> Mapping[str, Any]:
        """What an instant's file says; empty if the file is.

        Raises:
            TableUnreadableError: It can't be read, or is not there any more.
            OSError: The file system failed.
        """
        file = self._folder.child(entry.name)
        try:
            return self._read(file)
        except FileNotFoundError as error:
            raise TableUnreadableError(f"{file} is not there any more; try again") from error
        except (ValueError, EOFError) as error:
            raise TableUnreadableError(f"{file} cannot be read: {error!r}") from error

    @staticmethod
    def _read(file: Location) -> Mapping[str, Any]:
        with open_source(str(file)) as source:
            return _document(bytes(source.read()))


def _document(content: bytes) -> Mapping[str, Any]:
    if not content.startswith(_AVRO):
        # A commit that wrote nothing may be empty.
        document = json.loads(content) if content.strip() else {}
        if not isinstance(document, dict):
            raise ValueError("not a JSON object")
        return document
    documents = list(fastavro.reader(io.BytesIO(content)))
    if len(documents) != 1 or not isinstance(documents[0], dict):
        raise ValueError(f"{len(documents)} documents where there must be one")
    return documents[0]


def _commit_of(instant: str, document: Mapping[str, Any]) -> Commit:
    # A file group whose rows were all deleted may have no new file.
    written = [
        stat
        for stats in (document.get("partitionToWriteStats") or {}).values()
        for stat in stats
        if stat["path"]
    ]
    replaced = document.get("partitionToReplaceFileIds") or {}
    files = {stat["path"]: _written(instant, stat) for stat in written}
    return Commit(
        instant,
        tuple(file for file in files.values() if file is not None),
        frozenset((partition, file_id) for partition, ids in replaced.items() for file_id in ids),
        tuple(path for path, file in files.items() if file is None),
        (document.get("extraMetadata") or {}).get("schema") or "",
    )


def _written(instant: str, stat: Mapping[str, Any]) -> WrittenFile | None:
    """What a commit says of a file; None if that is neither a base file nor a log file."""
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
