"""`.hoodie/hoodie.properties`: the type of a table, and the place of its timeline."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from pycompiler.index.file_systems.factory import read_whole
from pycompiler.index.file_systems.location import Location
from pycompiler.table.errors import NotAHudiTableError, TableUnreadableError, UnknownVersionError
from pycompiler.table.known_properties import (
    VERSION,
    is_at_least,
    objection_to_reading,
    objection_to_version,
)

HUDI_COLUMNS: Final = (
    "_hoodie_commit_time",
    "_hoodie_commit_seqno",
    "_hoodie_record_key",
    "_hoodie_partition_path",
    "_hoodie_file_name",
)
"""Metadata columns that Hudi adds to a table."""

_PROPERTIES: Final = ".hoodie/hoodie.properties"
_COPY: Final = f"{_PROPERTIES}.backup"
"""The copy that Hudi keeps while it replaces the properties."""
_TIMEOUT_SECONDS: Final = 1.0
_PAUSE_SECONDS: Final = 0.02
_COPY_ON_WRITE: Final = "COPY_ON_WRITE"
_FIRST_WITH_TIMELINE_FOLDER: Final = 8
_PAYLOADS: Final = "org.apache.hudi.common.model."
_WHOLE_RECORDS: Final[Mapping[str, frozenset[str]]] = {
    "hoodie.record.merge.mode": frozenset({"EVENT_TIME_ORDERING", "COMMIT_TIME_ORDERING"}),
    "hoodie.compaction.payload.class": frozenset(
        {f"{_PAYLOADS}DefaultHoodieRecordPayload", f"{_PAYLOADS}OverwriteWithLatestAvroPayload"}
    ),
    "hoodie.table.partial.update.mode": frozenset(),
    **dict.fromkeys(
        ("hoodie.record.merge.strategy.id", "hoodie.compaction.record.merger.strategy"),
        frozenset({"eeb8d96f-b1e4-49fd-bbf8-28ac514178e5", "ce9acb64-bde0-424c-9b91-f6ebba25356d"}),
    ),
}
"""Values of the merging properties with which every row is one whole record."""
_ESCAPED: Final = re.compile(r"\\(.)")
_LINE: Final = re.compile(r"((?:\\.|[^\\=:\s])+)\s*[=:\s]\s*(.*)")


@dataclass(frozen=True, slots=True)
class TableProperties:
    """Properties of a Hudi table.

    Attributes:
        type: `COPY_ON_WRITE` or `MERGE_ON_READ`.
        timeline: Folder of the active timeline, relative to the table.
        archive: Folder of the archived timeline; missing or empty if nothing was archived.
        mixing: The property by which a row may combine several records; empty if every row is one record.
        partition_fields: Names of the partition columns, as Hudi spells them.
        objection: Why the table's rows cannot be read; empty if they can.
        name: Hudi's name of the table.
        version: The table version; 0 before Hudi 0.6.
        all: All properties, by name.
    """

    type: str
    timeline: str
    archive: str
    mixing: str = ""
    partition_fields: tuple[str, ...] = ()
    objection: str = ""
    name: str = ""
    version: int = 0
    all: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_copy_on_write(self) -> bool:
        """Whether every row is in a base file."""
        return self.type == _COPY_ON_WRITE

    @property
    def partition_columns(self) -> tuple[str, ...]:
        """Lower-case names of the partition columns."""
        return tuple(name.lower() for name in self.partition_fields)

    @property
    def has_list_of_files(self) -> bool:
        """Whether Hudi's metadata table has a list of the table's files."""
        return "files" in self.all.get("hoodie.table.metadata.partitions", "").split(",")

    @property
    def has_hudi_columns(self) -> bool:
        """Whether rows have Hudi's metadata columns, which tables may omit."""
        return self.all.get("hoodie.populate.meta.fields", "").strip().lower() != "false"

    @staticmethod
    def read(table: Location) -> TableProperties:
        """Reads the properties of the table with this root.

        Raises:
            NotAHudiTableError: The properties are missing.
            UnknownVersionError: The table version is not supported.
            TableUnreadableError: A writer has died while it replaced the properties.
        """
        properties = parse_properties(_stable_text(table))
        if objection := objection_to_version(properties.get(VERSION, "")):
            raise UnknownVersionError(f"{table} {objection}")
        return _of(properties)

    def require_readable(self, table: Location) -> None:
        """Verifies that the table's rows can be read correctly."""
        if self.objection:
            raise TableUnreadableError(f"{table} {self.objection}")


def _stable_text(table: Location) -> str:
    """The text of the properties, read while Hudi is not replacing them.

    Hudi replaces the file in place, and keeps a copy beside it meanwhile: a reader may find the file empty or
    truncated without noticing. The text is whole if there is no copy after reading and the file has not
    changed since; or if nothing has changed for a whole second, because the writer has died.
    """
    start = time.monotonic()
    before = _text(table, _PROPERTIES)
    while True:
        has_copy = _text(table, _COPY) is not None
        text = _text(table, _PROPERTIES)
        if text is None and before is None and not has_copy:
            raise NotAHudiTableError(f"{table} is not the root of a Hudi table: it has no {_PROPERTIES}")
        is_late = time.monotonic() - start > _TIMEOUT_SECONDS
        if text and text == before and (is_late or not has_copy):
            return text
        if is_late:
            raise TableUnreadableError(
                f"{table.child(_PROPERTIES)} has been incomplete for one second. If a writer has"
                " died, wait for the next write to the table, which repairs the file, or copy"
                " hoodie.properties.backup over hoodie.properties"
            )
        if has_copy or not text:
            time.sleep(_PAUSE_SECONDS)
        before = text


def _text(table: Location, name: str) -> str | None:
    try:
        return read_whole(table.child(name)).decode("utf-8", errors="replace")
    except FileNotFoundError:
        return None


def parse_properties(text: str) -> dict[str, str]:
    """Parses a Java properties file with one property per line."""
    found: dict[str, str] = {}
    for line in text.splitlines():
        parts = None if line.lstrip().startswith(("#", "!")) else _LINE.fullmatch(line.strip())
        if parts is not None:
            name, value = (_ESCAPED.sub(r"\1", part) for part in parts.groups())
            found[name] = value
    return found


def _of(properties: Mapping[str, str]) -> TableProperties:
    type_ = properties.get("hoodie.table.type", _COPY_ON_WRITE)
    in_folder = is_at_least(_FIRST_WITH_TIMELINE_FOLDER, properties)
    timeline = f".hoodie/{properties.get('hoodie.timeline.path', 'timeline')}"
    history = f"{timeline}/{properties.get('hoodie.timeline.history.path', 'history')}"
    archived = f".hoodie/{properties.get('hoodie.archivelog.folder', 'archived')}"
    return TableProperties(
        type=type_,
        timeline=timeline if in_folder else ".hoodie",
        archive=history if in_folder else archived,
        mixing=_mixing(properties),
        partition_fields=tuple(
            name
            for column in properties.get("hoodie.table.partition.fields", "").split(",")
            # The name may be followed by a key generator: `day:timestamp`.
            if (name := column.partition(":")[0].strip())
        ),
        objection=objection_to_reading(properties, type_ != _COPY_ON_WRITE),
        name=properties.get("hoodie.table.name", ""),
        version=int(properties.get(VERSION, "").strip() or 0),
        all=properties,
    )


def _mixing(properties: Mapping[str, str]) -> str:
    """The first property that selects a merge other than by commit time or ordering value.

    As in Hudi's `inferMergingConfigsForPreV9Table`, where any other value means mode CUSTOM or is rejected.
    From version 9 on, only the mode counts, and the partial update mode, which Hudi derives from payload
    classes that take parts of records. Columns that mark deletes remove whole rows.
    """
    for name, whole in _WHOLE_RECORDS.items():
        value = properties.get(name, "")
        if value and value not in whole:
            return f"{name}={value}"
    return ""
