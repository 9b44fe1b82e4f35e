"""Random states of a table's storage: any timeline beside any files, also those that no writer leaves behind.

A history can only reach what its writers do; a listing has to be right about whatever it finds.
"""

from __future__ import annotations

import io
import json
import random
import shutil
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import fastavro
from pyspark.sql import SparkSession

from pycompiler.spark.jvm import jvm

from ..unit.table.archives import Archived, write_logs, write_tree

_FIRST: Final = 20260101000000000
_PARTITIONS: Final = ("east", "west/deep")
_GROUPS: Final = 5
_INSTANTS: Final = 9
_DONE_ON_WRITE: Final = {"commit": 6, "replacecommit": 2}
_DONE_ON_READ: Final = {"deltacommit": 6, "commit": 2, "replacecommit": 2}
_UNDER_WAY: Final = {"commit": 1, "deltacommit": 1, "replacecommit": 1, "clustering": 1}
_HARMLESS: Final = {"clean": 1, "rollback": 1}


@dataclass(frozen=True)
class AvroSchemas:
    """Hudi's schemas of what its view reads, as JSON."""

    replacement: str
    compaction: str

    @staticmethod
    def of(spark: SparkSession) -> AvroSchemas:
        """Those of a session's Hudi."""
        avro = jvm(spark).org.apache.hudi.avro.model
        named = (avro.HoodieReplaceCommitMetadata, avro.HoodieCompactionPlan)
        return AvroSchemas(*(str(record.getClassSchema().toString()) for record in named))


@dataclass(frozen=True)
class _Instant:
    time: str
    completion: str
    action: str
    state: str

    @property
    def is_done(self) -> bool:
        return self.state in ("done", "archived")


class RandomState:
    """A table in a state drawn at random.

    Attributes:
        said: The state, for messages.
    """

    def __init__(self, root: Path, choose: random.Random, schemas: AvroSchemas, newest_version: int) -> None:
        self.root = root
        self._choose = choose
        self._schemas = schemas
        self._version = min(choose.choice((6, 8, 9)), newest_version)
        self.is_merge_on_read = choose.random() < 0.6
        self._is_partitioned = choose.random() < 0.8
        self._groups = [(choose.choice(self._partitions), f"f{number}-0") for number in range(_GROUPS)]
        self._instants = self._drawn()
        self._files: dict[str, list[tuple[tuple[str, str], str]]] = defaultdict(list)
        self._write()

    @property
    def said(self) -> str:
        on_disk = [
            str(file.relative_to(self.root)) for file in sorted(self.root.rglob("*.*")) if file.is_file()
        ]
        return f"version {self._version}, merge on read: {self.is_merge_on_read}, {self._instants}, {on_disk}"

    @property
    def _partitions(self) -> Sequence[str]:
        return _PARTITIONS if self._is_partitioned else ("",)

    @property
    def _timeline(self) -> Path:
        return self.root / ".hoodie" / ("timeline" if self._version >= 8 else "")

    def _drawn(self) -> list[_Instant]:
        choose, found = self._choose, []
        archived = choose.choice((0, 0, 2, 3))
        for number in range(_INSTANTS):
            time = _FIRST + number * 100
            completion = str(time + choose.choice((5, 50, 150, 350)))
            state = choose.choices(("done", "pending", "gone"), (14, 4, 2))[0]
            if number < archived:
                state = choose.choices(("archived", "gone", "pending"), (12, 1, 1))[0]
            actions = {**(_DONE_ON_READ if self.is_merge_on_read else _DONE_ON_WRITE), **_HARMLESS}
            if state == "pending":
                actions = {
                    **_UNDER_WAY,
                    **({"compaction": 4, "logcompaction": 1} if self.is_merge_on_read else {}),
                }
            action = choose.choices(list(actions), list(actions.values()))[0]
            found.append(_Instant(str(time), completion, action, state))
        return found

    def _write(self) -> None:
        self._timeline.mkdir(parents=True)
        self._write_properties()
        for partition in self._partitions:
            (self.root / partition).mkdir(parents=True, exist_ok=True)
            (self.root / partition / ".hoodie_partition_metadata").touch()
        self._write_files()
        if self._is_partitioned and self._choose.random() < 0.4:
            # Neither is a partition: one is below a partition, and the other has no partition file.
            below, backup = self.root / "east" / "below", self.root / "backup"
            shutil.copytree(self.root / "east", below)
            shutil.copytree(below, backup, ignore=shutil.ignore_patterns(".hoodie_partition_metadata"))
        compacted = list(self._groups)
        self._choose.shuffle(compacted)
        for instant in self._instants:
            if instant.state == "pending":
                plan = b""
                if instant.action in ("compaction", "logcompaction"):
                    # Hudi plans no file group twice.
                    plan = self._plan(
                        instant,
                        [compacted.pop() for _ in range(self._choose.randint(0, min(2, len(compacted))))],
                    )
                self._put(f"{instant.time}.{instant.action}.requested", plan)
                if self._choose.random() < 0.7:
                    is_commit = instant.action == "commit"
                    self._put(f"{instant.time}{'' if is_commit else '.' + instant.action}.inflight", b"")
            elif instant.state == "done":
                self._put(self._completed(instant), self._content(instant))
                if instant.action not in _HARMLESS and self._choose.random() < 0.05:
                    self._put(self._completed(instant, "savepoint"), b"")
        self._write_archive()

    def _completed(self, instant: _Instant, action: str | None = None) -> str:
        completion = f"_{instant.completion}" if self._version >= 8 else ""
        return f"{instant.time}{completion}.{action or instant.action}"

    def _put(self, name: str, content: bytes) -> None:
        (self._timeline / name).write_bytes(content)

    def _write_properties(self) -> None:
        properties = {
            "hoodie.table.name": "t",
            "hoodie.table.type": "MERGE_ON_READ" if self.is_merge_on_read else "COPY_ON_WRITE",
            "hoodie.table.version": self._version,
            "hoodie.timeline.layout.version": 2 if self._version >= 8 else 1,
            "hoodie.table.partition.fields": "part" if self._is_partitioned else "",
        }
        lines = [f"{name}={value}\n" for name, value in properties.items()]
        (self.root / ".hoodie" / "hoodie.properties").write_text("".join(lines))

    def _write_files(self) -> None:
        choose = self._choose
        for group in self._groups:
            has_base = choose.random() < 0.8
            begun = []
            for instant in self._instants:
                if instant.action in _HARMLESS or (instant.state == "gone" and choose.random() < 0.5):
                    continue
                # A compaction in progress may have written a file already.
                if has_base and choose.random() < (0.03 if instant.action == "compaction" else 0.35):
                    for token in range(1 + (choose.random() < 0.03)):  # More than one after failed tasks.
                        self._add(group, instant, f"{group[1]}_{token}-1-0_{instant.time}.parquet")
                    begun.append(instant)
                elif instant.action == "compaction":
                    begun.append(instant)
                # Hudi cleans what it archives.
                has_log = choose.random() < (0.03 if instant.state == "archived" else 0.35)
                if self.is_merge_on_read and self._version >= 8 and has_log:
                    self._add_log(group, instant)
            if self.is_merge_on_read and self._version == 6:
                for instant in begun[choose.choice((-2, -1, -1, -1, -1)) :] or self._instants[:1]:
                    self._add_log(group, instant)

    def _add_log(self, group: tuple[str, str], instant: _Instant) -> None:
        # In the view, a log of changes that is being written hides the group's logs: they are listed.
        kind = "" if instant.state == "pending" else self._choose.choices(("", ".cdc"), (10, 1))[0]
        self._add(group, instant, f".{group[1]}_{instant.time}.log.1_0-1-0{kind}")

    def _add(self, group: tuple[str, str], instant: _Instant, name: str) -> None:
        (self.root / group[0] / name).write_bytes(b"x" * self._choose.randint(0, 9))
        self._files[instant.time].append((group, name))

    def _content(self, instant: _Instant) -> bytes:
        if instant.action in _HARMLESS:
            return b""
        written = self._written_at(instant)
        if instant.action != "replacecommit":
            return json.dumps({"partitionToWriteStats": written}).encode()
        replaced = defaultdict(list)
        for partition, file_id in self._choose.sample(self._groups, self._choose.randint(0, 2)):
            replaced[partition].append(file_id)
        document = {"partitionToWriteStats": written, "partitionToReplaceFileIds": replaced}
        if self._version < 8:
            return json.dumps(document).encode()
        return _avro(self._schemas.replacement, document)

    def _written_at(self, instant: _Instant) -> Mapping[str, Any]:
        written = defaultdict(list)
        for (partition, file_id), name in self._files[instant.time]:
            if self._choose.random() < 0.01:
                continue  # A task has outlived its commit.
            path = f"{partition}/{name}" if partition else name
            written[partition].append({"fileId": file_id, "path": path, "fileSizeInBytes": 1})
        return written

    def _plan(self, instant: _Instant, groups: Sequence[tuple[str, str]]) -> bytes:
        operations = [
            {
                "baseInstantTime": self._instants[0].time,
                "deltaFilePaths": [],
                "partitionPath": partition,
                "fileId": file_id,
            }
            for partition, file_id in groups
        ]
        return _avro(self._schemas.compaction, {"operations": operations, "version": 2})

    def _write_archive(self) -> None:
        # Releases of Hudi fail on logs if a completion time is missing, as in what an upgrade has copied.
        is_copied = not self.is_merge_on_read and self._choose.random() < 0.2
        actions = [
            Archived(
                instant.time,
                None if is_copied else instant.completion,
                instant.action,
                {"partitionToWriteStats": self._written_at(instant)},
            )
            for instant in self._instants
            if instant.state == "archived"
        ]
        if not actions:
            return
        if self._version < 8:
            write_logs(self._timeline / "archived", actions)
        else:
            write_tree(self._timeline / "history", actions)


def _avro(schema: str, document: Mapping[str, Any]) -> bytes:
    content = io.BytesIO()
    fastavro.writer(content, fastavro.parse_schema(json.loads(schema)), [document])
    return content.getvalue()
