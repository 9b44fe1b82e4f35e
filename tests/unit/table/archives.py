"""Archived timelines written as Hudi writes them, without Hudi."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from ..index.log_files.written import avro_block

_STATUS: Final = {
    "type": "record",
    "name": "HoodieWriteStat",
    "fields": [{"name": name, "type": ["null", "string"], "default": None} for name in ("fileId", "path")],
}


def _metadata(name: str) -> dict[str, Any]:
    statuses = {"type": "map", "values": {"type": "array", "items": _STATUS}}
    return {
        "type": "record",
        "name": name,
        "namespace": name.lower(),
        "fields": [{"name": "partitionToWriteStats", "type": ["null", statuses], "default": None}],
    }


_ENTRY: Final = json.dumps(
    {
        "type": "record",
        "name": "HoodieArchivedMetaEntry",
        "fields": [
            {"name": name, "type": ["null", kind], "default": None}
            for name, kind in {
                "hoodieCommitMetadata": _metadata("HoodieCommitMetadata"),
                "commitTime": "string",
                "actionType": "string",
                "hoodieReplaceCommitMetadata": _metadata("HoodieReplaceCommitMetadata"),
                "actionState": "string",
            }.items()
        ],
    }
)


class Archived(NamedTuple):
    """A completed action that is archived.

    Attributes:
        completion: None in archives of releases before 1.0 that an upgrade has copied.
        metadata: As its file on the timeline has it, in JSON.
    """

    instant: str
    completion: str | None
    action: str
    metadata: Mapping[str, Any]


def write_tree(folder: Path, actions: Sequence[Archived]) -> None:
    """Writes the archive of a table from version 8 on; the actions are ordered."""
    folder.mkdir(exist_ok=True)
    columns = {
        "instantTime": pa.array([action.instant for action in actions], pa.string()),
        "completionTime": pa.array([action.completion for action in actions], pa.string()),
        "action": pa.array([action.action for action in actions], pa.string()),
        "metadata": pa.array([json.dumps(action.metadata).encode() for action in actions], pa.binary()),
    }
    name = f"{actions[0].instant}_{actions[-1].instant}_0.parquet"
    pq.write_table(pa.table(columns), folder / name)
    (folder / "manifest_1").write_text(json.dumps({"files": [{"fileName": name, "fileLen": 1}]}))
    (folder / "_version_").write_text("1")


def write_logs(folder: Path, actions: Sequence[Archived]) -> None:
    """Writes the archive of a table before version 8: two blocks, with the requests of the actions."""
    folder.mkdir(exist_ok=True)
    half = len(actions) // 2
    blocks = [_block(some) for some in (actions[:half], actions[half:]) if some]
    (folder / ".commits_.archive.1_1-0-1").write_bytes(b"".join(blocks))


def _block(actions: Sequence[Archived]) -> bytes:
    records = []
    for action in actions:
        named: dict[str, Any] = {"commitTime": action.instant, "actionType": action.action}
        is_replacement = action.action == "replacecommit"
        metadata = f"hoodie{'Replace' if is_replacement else ''}CommitMetadata"
        records.append(named | {"actionState": "REQUESTED"})
        records.append(named | {"actionState": "COMPLETED", metadata: action.metadata})
    return avro_block(_ENTRY, records)
