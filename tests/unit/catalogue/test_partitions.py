import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from pycompiler.catalogue.errors import CatalogueError
from pycompiler.catalogue.partitions import Generation, Partition, read_generation
from pycompiler.index.file_systems.local import LocalStorage
from pycompiler.index.file_systems.location import Location
from pycompiler.index.manifest import LiveTotals, Manifest, SeenTimeline
from pycompiler.index.publisher import Delta, IndexPublisher
from pycompiler.index.records import HoodieMetadataRecord, IndexedFile
from pycompiler.planner.keys import key_columns
from pycompiler.values.types import HiveType
from tests.records import write_records

STRING = HiveType("string")

GENERATION = Generation(
    key_columns([("year", HiveType("int"))]),
    (Partition("2013", b"\1\2", 2, 30, "5"), Partition("mixed", None, 1, 10, "4")),
    Manifest(3, "t", "5", "", "", LiveTotals(3, 9, 40), ()),
    SeenTimeline(frozenset({"4_5.commit"}), frozenset({"6"})),
)


def test_the_document_has_what_readers_need() -> None:
    assert json.loads(GENERATION.document()) == {
        "format_version": 1,
        "generation": 3,
        "instant": "5",
        "columns": [{"name": "year", "type": "int"}],
        "partitions": 2,
        "unkeyed": 1,
        "live": {"files": 3, "rows": 9, "bytes": 40},
        "timeline": {"completed": ["4_5.commit"], "pending": ["6"]},
    }


@pytest.mark.parametrize(
    ("properties", "reason"),
    [
        ("hoodie.table.type=MERGE_ON_READ\nhoodie.table.partition.fields=day", "a merge-on-read table"),
        ("hoodie.table.type=COPY_ON_WRITE", "has no partition columns"),
    ],
)
def test_an_unsupported_table_is_refused(tmp_path: Path, properties: str, reason: str) -> None:
    (tmp_path / ".hoodie").mkdir()
    (tmp_path / ".hoodie" / "hoodie.properties").write_text(properties)
    with pytest.raises(CatalogueError, match=reason):
        read_generation(Location.parse(str(tmp_path)))


def test_a_partition_whose_row_key_would_be_too_long_has_no_key(tmp_path: Path) -> None:
    """A row key is the table's root, the publication's number and the partition's key."""
    (tmp_path / ".hoodie").mkdir()
    properties = "hoodie.table.type=COPY_ON_WRITE\nhoodie.table.partition.fields=day"
    (tmp_path / ".hoodie" / "hoodie.properties").write_text(properties)
    before_key = len(os.fsencode(tmp_path)) + len(b"\0\1") + 16 + len(b"\0\1")
    longest = b"a" * (32_767 - before_key - len(b"\2" + b"\0\1" + b"\0\0"))
    records = [
        replace(
            HoodieMetadataRecord.about(IndexedFile(path, "f.parquet", path, "1", 10, 1), "day", STRING),
            lower=day,
            upper=day,
            null_count=0,
        )
        for path, day in (("fits", longest), ("too long", longest + b"a"))
    ]
    storage = LocalStorage(tmp_path)
    totals, seen = LiveTotals(2, 2, 20), SeenTimeline(frozenset(), frozenset())
    delta = Delta(write_records(storage, records), "t", "1", totals, None, None, timeline=seen)
    IndexPublisher(storage).add(delta)

    partitions = read_generation(Location.parse(str(tmp_path))).partitions

    assert [(of.path, of.key and before_key + len(of.key)) for of in partitions] == [
        ("fits", 32_767),
        ("too long", None),
    ]
