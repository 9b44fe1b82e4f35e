"""The archived timeline: which instants completed before the active timeline begins.

From table version 8 on it is a log-structured tree of Parquet files, which a numbered manifest lists.
Earlier archives hold whole commits in log files and are not read: Hudi's view takes each instant before the
active timeline as completed.
"""

import json
from collections.abc import Mapping
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from pycompiler.index.file_systems.factory import open_source
from pycompiler.index.file_systems.location import Location
from pycompiler.table.errors import UnknownFilesError

_VERSION: Final = "_version_"
_COLUMNS: Final = ("instantTime", "completionTime")


def archived_completions(history: Location) -> Mapping[str, str]:
    """Completion times of the archived instants, by instant, from table version 8 on.

    Raises:
        UnknownFilesError: The archive cannot be read.
    """
    try:
        version = _read(history.child(_VERSION))
        if not version.strip():
            return {}
        manifest = json.loads(_read(history.child(f"manifest_{version.decode().strip()}")))
        found: dict[str, str] = {}
        for entry in manifest["files"]:
            with open_source(str(history.child(entry["fileName"]))) as source:
                table = pq.read_table(source, columns=list(_COLUMNS))
            found.update(zip(*(table[name].to_pylist() for name in _COLUMNS), strict=True))
        return found
    except (OSError, ValueError, KeyError, TypeError, pa.ArrowException) as error:
        raise UnknownFilesError(f"its archived timeline {history} cannot be read ({error})") from error


def _read(file: Location) -> bytes:
    try:
        with open_source(str(file)) as source:
            content: Any = source.read()
            return bytes(content)
    except FileNotFoundError:
        if file.path.endswith(_VERSION):
            return b""  # Nothing was archived.
        raise
