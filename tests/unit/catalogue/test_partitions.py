import datetime as dt
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
from pycompiler.values.encoding import encode_value
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
        "format_version": 2,
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


def _published(
    root: Path, properties: str, values: list[tuple[str, HiveType, bytes | None]]
) -> dict[str, bytes | None]:
    """The keys of partitions, each with one file whose rows all have one `day`."""
    (root / ".hoodie").mkdir()
    (root / ".hoodie" / "hoodie.properties").write_text(
        f"hoodie.table.type=COPY_ON_WRITE\nhoodie.table.partition.fields=day\n{properties}"
    )
    records = [
        replace(
            HoodieMetadataRecord.about(IndexedFile(path, "f.parquet", path, "1", 10, 1), "day", hive_type),
            lower=day,
            upper=day,
            null_count=0 if day is not None else 1,
        )
        for path, hive_type, day in values
    ]
    storage = LocalStorage(root)
    live = LiveTotals(len(records), len(records), 10 * len(records))
    seen = SeenTimeline(frozenset(), frozenset())
    IndexPublisher(storage).add(
        Delta(write_records(storage, records), "t", "1", live, None, None, timeline=seen)
    )
    return {of.path: of.key for of in read_generation(Location.parse(str(root))).partitions}


def test_a_partition_whose_row_key_would_be_too_long_has_no_key(tmp_path: Path) -> None:
    """A row key is the table's root, the publication's number and the partition's key."""
    before_key = len(os.fsencode(tmp_path)) + len(b"\0\1") + 16 + len(b"\0\1")
    longest = b"a" * (32_767 - before_key - len(b"\2" + b"\0\1" + b"\0\0"))
    keys = _published(tmp_path, "", [("fits", STRING, longest), ("too long", STRING, longest + b"a")])
    assert {path: key and before_key + len(key) for path, key in keys.items()} == {
        "fits": 32_767,
        "too long": None,
    }


@pytest.mark.parametrize(
    ("hive_type", "folder", "stored", "has_key"),
    [
        (STRING, "a", b"a", True),
        (STRING, "b", b"a", False),
        (STRING, "a%2Fb", b"a/b", True),
        (STRING, "__HIVE_DEFAULT_PARTITION__", None, True),
        (STRING, "__HIVE_DEFAULT_PARTITION__", b"", False),
        (STRING, "a", None, False),
        (HiveType("int"), "7", encode_value(HiveType("int"), 7), True),
        (HiveType("int"), "8", encode_value(HiveType("int"), 7), False),
        (HiveType("date"), "2026-01-03", encode_value(HiveType("date"), dt.date(2026, 1, 3)), True),
        (HiveType("date"), "2026-01-04", encode_value(HiveType("date"), dt.date(2026, 1, 3)), False),
        (HiveType("boolean"), "true", b"\1", True),
        (HiveType("boolean"), "false", b"\1", False),
        (HiveType("timestamp"), "1767398400000000", encode_value(HiveType("timestamp"), 5), True),
    ],
)
def test_a_partition_whose_path_has_another_value_than_its_files_has_no_key(
    tmp_path: Path, hive_type: HiveType, folder: str, stored: bytes | None, has_key: bool
) -> None:
    """Readers return the path's value, of the types for which a path determines it."""
    properties = (
        "hoodie.table.keygenerator.type=SIMPLE\n"
        "hoodie.datasource.write.hive_style_partitioning=true\n"
        "hoodie.datasource.write.partitionpath.urlencode=true\n"
    )
    keys = _published(tmp_path, properties, [(f"day={folder}", hive_type, stored)])
    assert (keys[f"day={folder}"] is not None) == has_key, keys


def test_the_files_count_where_a_key_generator_writes_other_texts(tmp_path: Path) -> None:
    properties = "hoodie.table.keygenerator.class=org.apache.hudi.keygen.TimestampBasedKeyGenerator"
    assert _published(tmp_path, properties, [("2026/01", STRING, b"1767225600")])["2026/01"] is not None
