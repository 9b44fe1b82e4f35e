"""`.hoodie/hoodie.properties`: what kind of table it is, and where its timeline lies."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from pycompiler.index.storage.factory import open_source
from pycompiler.index.storage.location import Location
from pycompiler.table.errors import TableUnreadableError
from pycompiler.table.known_properties import VERSION, objection_to_reading, objection_to_version

HUDI_COLUMNS: Final = (
    "_hoodie_commit_time",
    "_hoodie_commit_seqno",
    "_hoodie_record_key",
    "_hoodie_partition_path",
    "_hoodie_file_name",
)
"""What Hudi adds to the columns of a table."""

_PROPERTIES: Final = ".hoodie/hoodie.properties"
_COPY: Final = f"{_PROPERTIES}.backup"
"""The copy that Hudi keeps while it replaces the properties."""
_PATIENCE_SECONDS: Final = 1.0
_PAUSE_SECONDS: Final = 0.02
_COPY_ON_WRITE: Final = "COPY_ON_WRITE"
_FIRST_WITH_TIMELINE_FOLDER: Final = 8
_PAYLOADS: Final = "org.apache.hudi.common.model."
_WHOLE_RECORDS: Final[Mapping[str, frozenset[str]]] = {
    "hoodie.record.merge.mode": frozenset({"EVENT_TIME_ORDERING", "COMMIT_TIME_ORDERING"}),
    "hoodie.compaction.payload.class": frozenset(
        {f"{_PAYLOADS}DefaultHoodieRecordPayload", f"{_PAYLOADS}OverwriteWithLatestAvroPayload"}
    ),
    **dict.fromkeys(
        ("hoodie.record.merge.strategy.id", "hoodie.compaction.record.merger.strategy"),
        frozenset({"eeb8d96f-b1e4-49fd-bbf8-28ac514178e5", "ce9acb64-bde0-424c-9b91-f6ebba25356d"}),
    ),
}
"""Values of the properties about merging by which each row is one record as a whole."""
_ESCAPED: Final = re.compile(r"\\(.)")
_LINE: Final = re.compile(r"((?:\\.|[^\\=:\s])+)\s*[=:\s]\s*(.*)")


@dataclass(frozen=True, slots=True)
class TableProperties:
    """Properties of a Hudi table.

    Attributes:
        type: `COPY_ON_WRITE` or `MERGE_ON_READ`.
        timeline: Folder of the active timeline, relative to the table.
        archive: Folder of what was the active timeline; absent or empty if nothing was archived yet.
        mixing: The property by which one row may be made of several records; empty if every row is one.
        partition_columns: Names of the partition columns in lower case.
        objection: Why the rows of the table cannot be read; empty if they can.
        name: The name that Hudi knows it by.
    """

    type: str
    timeline: str
    archive: str
    mixing: str = ""
    partition_columns: tuple[str, ...] = ()
    objection: str = ""
    name: str = ""

    @property
    def is_copy_on_write(self) -> bool:
        """Whether every row is in a base file."""
        return self.type == _COPY_ON_WRITE

    @staticmethod
    def read(table: Location) -> TableProperties:
        """Reads the properties of the table with this root.

        Raises:
            TableUnreadableError: There are none, or they are of a table version that is not known.
            OSError: The file system failed.
            UnsupportedStorageError: Files of this file system can't be read.
        """
        properties = parse_properties(_settled(table))
        if objection := objection_to_version(properties.get(VERSION, "")):
            raise TableUnreadableError(f"{table} {objection}")
        return _of(properties)

    def require_readable(self, table: Location) -> None:
        """Makes sure that rows can be read rightly.

        Raises:
            TableUnreadableError: A property may decide what they are, and is not known.
        """
        if self.objection:
            raise TableUnreadableError(f"{table} {self.objection}")


def _settled(table: Location) -> str:
    """The text of the properties while Hudi does not replace them.

    Hudi replaces the file in place, with a copy beside it meanwhile: who reads it then may find it empty, or
    cut off, without a sign of it. It is whole if there was no copy after it was read, and if it is the same
    after that; or if nothing has moved for all of a second, because the writer has died.
    """
    start = time.monotonic()
    before = _text(table, _PROPERTIES)
    while True:
        has_copy = _text(table, _COPY) is not None
        text = _text(table, _PROPERTIES)
        if text is None and before is None and not has_copy:
            raise TableUnreadableError(f"{table} is not the root of a Hudi table: it has no {_PROPERTIES}")
        is_late = time.monotonic() - start > _PATIENCE_SECONDS
        if text and text == before and (is_late or not has_copy):
            return text
        if is_late:
            raise TableUnreadableError(
                f"{table.child(_PROPERTIES)} is not complete, and has been for a second: if a writer has"
                " died, the next write to the table repairs the file, or copy hoodie.properties.backup over"
                " it"
            )
        if has_copy or not text:
            time.sleep(_PAUSE_SECONDS)
        before = text


def _text(table: Location, name: str) -> str | None:
    try:
        with open_source(str(table.child(name))) as source:
            return bytes(source.read()).decode("utf-8", errors="replace")
    except FileNotFoundError:
        return None


def parse_properties(text: str) -> dict[str, str]:
    """Reads the text of a Java properties file that has one property a line."""
    found: dict[str, str] = {}
    for line in text.splitlines():
        parts = None if line.lstrip().startswith(("#", "!")) else _LINE.fullmatch(line.strip())
        if parts is not None:
            name, value = (_ESCAPED.sub(r"\1", part) for part in parts.groups())
            found[name] = value
    return found


def _of(properties: Mapping[str, str]) -> TableProperties:
    type_ = properties.get("hoodie.table.type", _COPY_ON_WRITE)
    version = properties.get(VERSION, "")
    in_folder = version.isdecimal() and int(version) >= _FIRST_WITH_TIMELINE_FOLDER
    timeline = f".hoodie/{properties.get('hoodie.timeline.path', 'timeline')}"
    history = f"{timeline}/{properties.get('hoodie.timeline.history.path', 'history')}"
    archived = f".hoodie/{properties.get('hoodie.archivelog.folder', 'archived')}"
    return TableProperties(
        type=type_,
        timeline=timeline if in_folder else ".hoodie",
        archive=history if in_folder else archived,
        mixing=_mixing(properties),
        partition_columns=tuple(
            # A key generator may stand behind the name: `day:timestamp`.
            column.partition(":")[0].strip().lower()
            for column in properties.get("hoodie.table.partition.fields", "").split(",")
            if column.strip()
        ),
        objection=objection_to_reading(properties, type_ != _COPY_ON_WRITE),
        name=properties.get("hoodie.table.name", ""),
    )


def _mixing(properties: Mapping[str, str]) -> str:
    """The first property that names another way of merging than taking the later or the greater record.

    As in Hudi's `inferCorrectMergingBehavior`, where any other value makes the mode CUSTOM or is refused.
    """
    for name, whole in _WHOLE_RECORDS.items():
        value = properties.get(name, "")
        if value and value not in whole:
            return f"{name}={value}"
    return ""
