import datetime as dt
import json
import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from pycompiler.compile.planner.keys import key_columns
from pycompiler.compile.values.encoding import encode_value
from pycompiler.compile.values.types import HiveType
from pycompiler.index.file_systems.local import LocalStorage
from pycompiler.index.file_systems.location import Location
from pycompiler.index.manifest import LiveTotals, Manifest, SeenTimeline
from pycompiler.index.publisher import Delta, IndexPublisher
from pycompiler.index.records import HoodieMetadataRecord, IndexedFile
from pycompiler.table.catalogue.errors import CatalogueError
from pycompiler.table.catalogue.partitions import Generation, Partition, read_generation
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


def test_a_partition_whose_row_key_would_be_too_long_has_no_key(tmp_path: Path) -> None:
    """A row key is the table's root, the publication's number and the partition's key."""
    before_key = len(os.fsencode(tmp_path)) + len(b"\0\1") + 16 + len(b"\0\1")
    longest = b"a" * (32_767 - before_key - len(b"\2" + b"\0\1" + b"\0\0"))
    read = generation(tmp_path, STRING, {"fits": longest, "too long": longest + b"a"})
    assert [(of.path, of.key and before_key + len(of.key)) for of in read.partitions] == [
        ("fits", 32_767),
        ("too long", None),
    ]


@pytest.mark.parametrize(
    ("recorded", "has_key"),
    [("timestamp", True), ("timestamp_from_micros", True), ("timestamp_millis", False)],
)
def test_a_timestamp_has_the_type_of_queries_whatever_its_files_count(
    tmp_path: Path, recorded: str, has_key: bool
) -> None:
    read = generation(tmp_path, HiveType(recorded), {"day": b"\x80" + bytes(7)})
    assert [str(column.type) for column in read.columns] == ["timestamp"]
    assert [of.key is not None for of in read.partitions] == [has_key]


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
    (partition,) = generation(tmp_path, hive_type, {f"day={folder}": stored}, properties).partitions
    assert (partition.key is not None) == has_key, partition


def test_the_files_count_where_a_key_generator_writes_other_texts(tmp_path: Path) -> None:
    properties = "hoodie.table.keygenerator.class=org.apache.hudi.keygen.TimestampBasedKeyGenerator"
    (partition,) = generation(tmp_path, STRING, {"2026/01": b"1767225600"}, properties).partitions
    assert partition.key is not None


def generation(
    table: Path, day: HiveType, partitions: Mapping[str, bytes | None], properties: str = ""
) -> Generation:
    """Partitions of one file, and the one value of each file's column `day`."""
    (table / ".hoodie").mkdir()
    (table / ".hoodie" / "hoodie.properties").write_text(
        f"hoodie.table.type=COPY_ON_WRITE\nhoodie.table.partition.fields=day\n{properties}"
    )
    records = [
        replace(
            HoodieMetadataRecord.about(IndexedFile(path, "f.parquet", path, "1", 10, 1), "day", day),
            lower=value,
            upper=value,
            null_count=0 if value is not None else 1,
        )
        for path, value in partitions.items()
    ]
    storage, files = LocalStorage(table), len(partitions)
    totals, seen = LiveTotals(files, files, 10 * files), SeenTimeline(frozenset(), frozenset())
    delta = Delta(write_records(storage, records), "t", "1", totals, None, None, timeline=seen)
    IndexPublisher(storage).add(delta)
    return read_generation(Location.parse(str(table)))
