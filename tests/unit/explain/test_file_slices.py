"""Explanations of merge-on-read tables that are written by hand: slices of a base file and logs."""

import json
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pycompiler.explain.document import explanation_document
from pycompiler.explain.explanation import Explanation, explain_filter
from pycompiler.explain.text import explanation_text
from pycompiler.index.file_systems.local import LocalStorage
from pycompiler.index.file_systems.location import Location
from pycompiler.index.manifest import LiveTotals, SeenTimeline
from pycompiler.index.publisher import Delta, IndexPublisher
from pycompiler.index.records import HoodieMetadataRecord, IndexedFile
from pycompiler.sql.from_sql import Dialect
from pycompiler.values.encoding import encode_value
from pycompiler.values.types import HiveType
from tests.records import write_records

INT = HiveType("int")
NOW = datetime(2026, 1, 1, tzinfo=timezone.utc)
SCHEMA = {"type": "record", "name": "t", "fields": [{"name": "n", "type": ["null", "int"]}]}
CUSTOM = {"hoodie.record.merge.mode": "CUSTOM"}


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
        return "\n".join(explanation_text("/lake/t", found, of_slice, NOW))


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return known_table(Table(tmp_path / "t"))


def known_table(table: Table) -> Table:
    """A slice without logs, and one with two."""
    table.know(table.base("a", 1, range(10)), 0, 9)
    table.know(table.base("b", 3, range(20, 30)), 20, 29)
    table.know(table.log("b", 5), 25, 45)
    table.know(table.log("b", 7), 60, 69)
    table.publish()
    return table


@pytest.mark.parametrize(
    ("where", "kept"),
    [
        ("n = 5", {"a"}),
        ("n = 22", {"b"}),
        ("n = 44", {"b"}),
        ("n = 65", {"b"}),
        ("n = 50", set()),
        ("n < 25", {"a", "b"}),
        # Of the slice some files are excluded by one part, and the others by the other part.
        ("n > 28 and n < 25", set()),
    ],
)
def test_a_slice_is_skipped_if_its_base_file_and_all_of_its_logs_are(
    table: Table, where: str, kept: set[str]
) -> None:
    found = table.explained(where)
    assert {path.removeprefix("p/")[0] for path, verdict in found.slices.items() if verdict.kept} == kept
    assert (found.slices_kept, len(found.slices), found.slices_with_logs) == (len(kept), 2, 1)


def test_no_slice_with_logs_is_skipped_where_records_are_put_together(tmp_path: Path) -> None:
    table = known_table(Table(tmp_path / "t", CUSTOM))
    found = table.explained("n = 50")
    assert (found.slices_kept, len(found.slices)) == (1, 2)
    assert explanation_document("t", found, None)["mixing"] == "hoodie.record.merge.mode=CUSTOM"
    assert (
        "note    1 of 2 files have logs to merge, and are kept, because a row may combine several"
        " records (hoodie.record.merge.mode=CUSTOM)"
    ) in table.text("n = 50")


def test_a_log_without_statistics_keeps_its_slice_and_is_named_as_the_reason(tmp_path: Path) -> None:
    table = Table(tmp_path / "t")
    table.know(table.base("a", 1, range(10)), 0, 9)
    table.know(table.log("a", 3), 0, 9, column="other")
    table.publish()
    assert table.explained("n = 50").slices_kept == 1
    assert (
        "note    1 of them have a log without statistics of these columns (such as one with partial updates),"
    ) in table.text("n = 50")


def test_a_log_that_the_index_has_not_seen_keeps_its_slice(table: Table) -> None:
    table.log("a", 9)
    found = table.explained("n = 50")
    assert (found.slices_kept, found.slices_not_indexed, found.slices_with_logs) == (1, 1, 2)
    assert "1 of 2 files are not in it, and are always read" in table.text("n = 50")


def test_a_compaction_takes_the_logs_away_that_were_completed_before_it(table: Table) -> None:
    path = table.base("b", 9, range(20, 70), previous=3)
    written_beside = table.log("b", 11)
    found = table.explained("n = 50").slices[path]
    assert [file.path for file in found.files] == [path, written_beside]


def test_read_optimized_is_without_logs(table: Table) -> None:
    table.log("c", 9)
    found = table.explained("n = 44", is_read_optimized=True)
    assert (found.slices_kept, len(found.slices), found.slices_with_logs) == (0, 2, 0)


def test_the_columns_of_a_table_of_logs_alone_are_those_of_its_last_commit(tmp_path: Path) -> None:
    table = Table(tmp_path / "t")
    table.know(table.log("a", 1), 0, 9)
    table.publish()
    assert table.explained("n = 5").slices_kept == 1
    assert table.explained("n = 50 and _hoodie_record_key is not null").slices_kept == 0


def test_each_file_of_a_slice_says_what_it_is_kept_by(table: Table) -> None:
    path = next(path for path in table.explained("n = 44").slices if path.startswith("p/b"))
    assert table.text("n = 44", path).splitlines()[-7:] == [
        f"the slice of {path} is kept; of its files,",
        f"  base file {path} would be skipped:",
        "    skips  n = 44  (int: 20 to 29, 0 of 10 NULL)",
        f"  log p/.b_{at(5)}.log.1_0-1-0 would be kept:",
        "    keeps  n = 44  (int: 25 to 45, 0 of 10 NULL)",
        f"  log p/.b_{at(7)}.log.1_0-1-0 would be skipped:",
        "    skips  n = 44  (int: 60 to 69, 0 of 10 NULL)",
    ]
    found = table.explained("n = 44")
    of_file = explanation_document("t", found, found.slices[path])["file"]
    assert (of_file["path"], of_file["kept"]) == (path, True)
    assert [log["kept"] for log in of_file["logs"]] == [True, False]
