"""Merge-on-read tables that are written by hand: slices of a base file and logs."""

import json
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from pycompiler.compile.sql.from_sql import Dialect
from pycompiler.compile.values.encoding import encode_value
from pycompiler.compile.values.types import HiveType
from pycompiler.index.file_systems.local import LocalStorage
from pycompiler.index.file_systems.location import Location
from pycompiler.index.manifest import LiveTotals, SeenTimeline
from pycompiler.index.publisher import Delta, IndexPublisher
from pycompiler.index.records import HoodieMetadataRecord, IndexedFile
from pycompiler.tools.explain.document import explanation_document
from pycompiler.tools.explain.explanation import Explanation, explain_filter
from pycompiler.tools.explain.text import explanation_text
from tests.records import write_records

INT = HiveType("int")
NOW = datetime(2026, 1, 1, tzinfo=timezone.utc)
SCHEMA = {"type": "record", "name": "t", "fields": [{"name": "n", "type": ["null", "int"]}]}


def at(second: int) -> str:
    return f"202601010000{second:02d}000"


@dataclass
class Table:
    """A table of one partition. The numbers in the names of its files are those of its columns' ranges."""

    root: Path
    properties: dict[str, str] = field(default_factory=dict)
    indexed: list[HoodieMetadataRecord] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        (self.root / ".hoodie" / "timeline").mkdir(parents=True)
        (self.root / "p").mkdir()
        of_all = {
            "hoodie.table.type": "MERGE_ON_READ",
            "hoodie.table.version": "8",
            "hoodie.record.merge.mode": "EVENT_TIME_ORDERING",
        }
        properties = {**of_all, **self.properties}
        lines = [f"{name}={value}\n" for name, value in properties.items()]
        (self.root / ".hoodie" / "hoodie.properties").write_text("".join(lines))

    def base(self, group: str, second: int, numbers: range, previous: int | None = None) -> str:
        """A commit with a base file."""
        name = f"{group}_0-1-0_{at(second)}.parquet"
        pq.write_table(pa.table({"n": pa.array(numbers, pa.int32())}), self.root / "p" / name)
        prev = {} if previous is None else {"prevCommit": at(previous)}
        return self._commit(group, second, "commit", name, prev)

    def log(self, group: str, second: int) -> str:
        """A delta commit with a log file."""
        name = f".{group}_{at(second)}.log.1_0-1-0"
        (self.root / "p" / name).write_bytes(b"#" * second)
        return self._commit(group, second, "deltacommit", name, {})

    def _commit(self, group: str, second: int, action: str, name: str, more: dict[str, Any]) -> str:
        path = f"p/{name}"
        size = (self.root / path).stat().st_size
        stat = {"fileId": group, "path": path, "fileSizeInBytes": size, **more}
        commit = {
            "partitionToWriteStats": {"p": [stat]},
            "extraMetadata": {"schema": json.dumps(SCHEMA)},
        }
        entry = f"{at(second)}_{at(second + 1)}.{action}"
        (self.root / ".hoodie" / "timeline" / entry).write_text(json.dumps(commit))
        return path

    def know(self, path: str, lower: int, upper: int, column: str = "n") -> None:
        """Has bounds of a file in the index."""
        name = path.rpartition("/")[2]
        size = (self.root / path).stat().st_size
        group, *rest = name.lstrip(".").split("_")
        instant = rest[0] if name.startswith(".") else rest[-1]
        record = HoodieMetadataRecord.about(
            IndexedFile("p", name, group, instant[:17], size, 10), column, INT
        )
        ends = encode_value(INT, lower), encode_value(INT, upper)
        self.indexed.append(replace(record, lower=ends[0], upper=ends[1], null_count=0))

    def publish(self) -> None:
        """Publishes what is known, as of now."""
        entries = sorted(entry.name for entry in (self.root / ".hoodie" / "timeline").iterdir())
        storage = LocalStorage(self.root)
        files, totals = write_records(storage, self.indexed), LiveTotals(len(self.indexed), 0, 0)
        seen = SeenTimeline(frozenset(entries), frozenset())
        IndexPublisher(storage).add(Delta(files, "t", entries[-1][:17], totals, None, None, timeline=seen))

    def explained(self, where: str, *, is_read_optimized: bool = False) -> Explanation:
        location = Location.parse(str(self.root))
        return explain_filter(location, where, Dialect.HIVE, NOW, is_read_optimized=is_read_optimized)

    def text(self, where: str, verdict: str | None = None) -> str:
        found = self.explained(where)
        of_slice = None if verdict is None else found.slices[verdict]
        document = explanation_document("/lake/t", found, of_slice, NOW)
        return "\n".join(explanation_text(document, of_slice))


def known_table(table: Table) -> Table:
    """A slice without logs, and one with two."""
    table.know(table.base("a", 1, range(10)), 0, 9)
    table.know(table.base("b", 3, range(20, 30)), 20, 29)
    table.know(table.log("b", 5), 25, 45)
    table.know(table.log("b", 7), 60, 69)
    table.publish()
    return table
