"""The archived timeline: commits that completed before the active timeline begins.

From table version 8 on it is a log-structured tree of Parquet files, which a numbered manifest lists; before,
log files whose records are Avro (`HoodieLSMTimelineInstant`, `HoodieArchivedMetaEntry`).
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from pycompiler.index.file_systems.factory import list_folder, open_source, read_whole
from pycompiler.index.file_systems.location import Location
from pycompiler.index.log_files.avro_records import decoded_records
from pycompiler.index.log_files.blocks import read_blocks
from pycompiler.index.log_files.errors import LogUnreadableError
from pycompiler.table.errors import UnknownFilesError
from pycompiler.table.timeline import COMMITS, Commit, Timeline, parse_document

_VERSION: Final = "_version_"
_COLUMNS: Final = ("instantTime", "completionTime", "action", "metadata")
_LOGS: Final = ".commits_.archive."
"""How the names of log files begin."""
_COMPLETED: Final = "COMPLETED"


@dataclass(frozen=True, slots=True)
class ArchivedCommit:
    """A commit, and when it completed: before table version 8, its instant."""

    completion: str
    commit: Commit


def archived_commits(timeline: Timeline, instants: frozenset[str]) -> Mapping[str, ArchivedCommit]:
    """Those of the given instants that are archived commits."""
    folder = timeline.archive
    found = _in_tree(folder, instants) if timeline.has_completions else _in_logs(folder, instants)
    try:
        return {archived.commit.instant: archived for archived in found}
    except (
        OSError,
        ValueError,
        KeyError,
        TypeError,
        EOFError,
        AttributeError,
        pa.ArrowException,
        LogUnreadableError,
    ) as error:
        raise UnknownFilesError(f"its archived timeline {folder} cannot be read ({error})") from error


def _in_tree(folder: Location, instants: frozenset[str]) -> Iterator[ArchivedCommit]:
    try:
        version = read_whole(folder.child(_VERSION)).decode().strip()
    except FileNotFoundError:
        version = ""  # Nothing was archived.
    if not version:
        return
    manifest = json.loads(read_whole(folder.child(f"manifest_{version}")))
    wanted = pc.field(_COLUMNS[0]).isin(sorted(instants)) & pc.field("action").isin(sorted(COMMITS))
    for entry in manifest["files"]:
        with open_source(str(folder.child(entry["fileName"]))) as source:
            rows = pq.read_table(source, columns=list(_COLUMNS), filters=wanted).to_pylist()
        for row in rows:
            commit = Commit.of(row["instantTime"], parse_document(row["metadata"] or b""))
            # Archives of releases before 1.0, which an upgrade has copied, have no completion times.
            yield ArchivedCommit(row["completionTime"] or commit.instant, commit)


def _in_logs(folder: Location, instants: frozenset[str]) -> Iterator[ArchivedCommit]:
    for name in list_folder(folder).names:
        if not name.startswith(_LOGS):
            continue
        with open_source(str(folder.child(name))) as source:
            for block in read_blocks(source, source.size()):
                for record in decoded_records(source, block):
                    commit = _of_record(record)
                    if commit is not None and commit.instant in instants:
                        yield ArchivedCommit(commit.instant, commit)


def _of_record(record: Mapping[str, Any]) -> Commit | None:
    if record["actionType"] not in COMMITS or record["actionState"] != _COMPLETED:
        return None
    document = record["hoodieCommitMetadata"] or record["hoodieReplaceCommitMetadata"]
    return Commit.of(record["commitTime"], document or {})
