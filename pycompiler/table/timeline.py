"""The active timeline: the completed commits of a table, and the files that they wrote and replaced.

Up to table version 6 a completed commit is `.hoodie/<instant>.commit`, with JSON in it; from 8 on it is
`.hoodie/timeline/<instant>_<time of completion>.commit`, an Avro file. Of what was rolled back there is none.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import fastavro

from pycompiler.index.storage.factory import list_names, open_source
from pycompiler.index.storage.location import Location
from pycompiler.table.errors import TableUnreadableError
from pycompiler.table.properties import TableProperties

_COMPLETED: Final = re.compile(r"(?P<instant>\d+)(?:_(?P<completion>\d+))?\.(?P<action>commit|replacecommit)")
_AVRO: Final = b"Obj\x01"
_BASE_FILE: Final = ".parquet"


@dataclass(frozen=True, slots=True)
class WrittenFile:
    """A base file that a commit wrote.

    Attributes:
        partition: Partition path relative to the table.
        file_id: Hudi's id of the file group.
        path: Path relative to the table.
        commit_time: Instant of the commit.
    """

    partition: str
    file_id: str
    path: str
    commit_time: str


@dataclass(frozen=True, slots=True)
class Commit:
    """A completed commit.

    Attributes:
        instant: When it was requested, the name that it is known by.
        files: The base files that it wrote.
        replaced: Partition and file id of the file groups that it took out of the table.
    """

    instant: str
    files: tuple[WrittenFile, ...]
    replaced: frozenset[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class _Entry:
    name: str
    instant: str
    completion: str
    replaces: bool


class Timeline:
    """The completed commits of a copy-on-write table that have not been archived.

    Raises:
        OSError: The file system failed.
        UnsupportedStorageError: Folders of this file system can't be listed.
    """

    def __init__(self, table: Location, properties: TableProperties) -> None:
        self._folder = table.child(properties.timeline)
        self._archive = table.child(properties.archive)
        found = [_COMPLETED.fullmatch(name) for name in list_names(self._folder)]
        self._entries = [
            _Entry(entry[0], entry["instant"], entry["completion"] or "", entry["action"] == "replacecommit")
            for entry in found
            if entry is not None
        ]

    def reaches_back_to(self, instant: str) -> bool:
        """Whether every commit that is later than an instant is still there.

        Commits are archived in the order of their instants.
        """
        oldest = min((entry.instant for entry in self._entries), default="")
        return oldest <= instant or not list_names(self._archive)

    def since(self, instant: str) -> Iterator[Commit]:
        """The commits that whoever had seen an instant may not have seen, and those that replaced files.

        One that was requested earlier may have been completed later; before table version 8 nothing says
        when it was, so that all are among them.

        Raises:
            TableUnreadableError: A commit can't be read.
            OSError: The file system failed.
        """
        seen = next((entry.completion for entry in self._entries if entry.instant == instant), "")
        for entry in self._entries:
            if entry.replaces or not entry.completion or entry.completion > seen:
                yield self._commit(entry)

    def _commit(self, entry: _Entry) -> Commit:
        file = self._folder.child(entry.name)
        try:
            with open_source(str(file)) as source:
                document = _document(bytes(source.read()))
            return _commit_of(entry.instant, document)
        except FileNotFoundError as error:
            raise TableUnreadableError(f"{file} has just been archived; try again") from error
        except (ValueError, KeyError, TypeError, AttributeError, EOFError) as error:
            raise TableUnreadableError(f"{file} cannot be read as a commit: {error!r}") from error


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
    written = (document.get("partitionToWriteStats") or {}).values()
    replaced = document.get("partitionToReplaceFileIds") or {}
    return Commit(
        instant,
        tuple(
            WrittenFile(stat["path"].rpartition("/")[0], stat["fileId"], stat["path"], instant)
            for stats in written
            for stat in stats
            # A file group whose rows were all deleted may have no new file.
            if (stat["path"] or "").endswith(_BASE_FILE)
        ),
        frozenset((partition, file_id) for partition, ids in replaced.items() for file_id in ids),
    )
