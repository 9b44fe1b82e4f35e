"""`.hoodie/hoodie.properties`: what kind of table it is, and where its timeline lies."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from pycompiler.index.storage.factory import open_source
from pycompiler.index.storage.location import Location
from pycompiler.table.errors import TableUnreadableError

_PROPERTIES: Final = ".hoodie/hoodie.properties"
_COPY_ON_WRITE: Final = "COPY_ON_WRITE"
_FIRST_WITH_TIMELINE_FOLDER: Final = 8
_ESCAPED: Final = re.compile(r"\\(.)")
_LINE: Final = re.compile(r"((?:\\.|[^\\=:\s])+)\s*[=:\s]\s*(.*)")


@dataclass(frozen=True, slots=True)
class TableProperties:
    """Properties of a Hudi table.

    Attributes:
        type: `COPY_ON_WRITE` or `MERGE_ON_READ`.
        timeline: Folder of the active timeline, relative to the table.
        archive: Folder of what was the active timeline; absent or empty if nothing was archived yet.
    """

    type: str
    timeline: str
    archive: str

    @property
    def is_copy_on_write(self) -> bool:
        """Whether every row is in a base file."""
        return self.type == _COPY_ON_WRITE

    @staticmethod
    def read(table: Location) -> TableProperties:
        """Reads the properties of the table with this root.

        Raises:
            TableUnreadableError: There are none.
            OSError: The file system failed.
            UnsupportedStorageError: Files of this file system can't be read.
        """
        try:
            with open_source(str(table.child(_PROPERTIES))) as source:
                text = bytes(source.read()).decode("utf-8", errors="replace")
        except FileNotFoundError as error:
            raise TableUnreadableError(
                f"{table} is not the root of a Hudi table: it has no {_PROPERTIES}"
            ) from error
        return _of(parse_properties(text))


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
    version = properties.get("hoodie.table.version", "")
    in_folder = version.isdecimal() and int(version) >= _FIRST_WITH_TIMELINE_FOLDER
    timeline = f".hoodie/{properties.get('hoodie.timeline.path', 'timeline')}"
    history = f"{timeline}/{properties.get('hoodie.timeline.history.path', 'history')}"
    archived = f".hoodie/{properties.get('hoodie.archivelog.folder', 'archived')}"
    return TableProperties(
        type=properties.get("hoodie.table.type", _COPY_ON_WRITE),
        timeline=timeline if in_folder else ".hoodie",
        archive=history if in_folder else archived,
    )
