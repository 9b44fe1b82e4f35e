from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from pycompiler.catalogue.errors import CatalogueError
from pycompiler.catalogue.hbase import write_generation
from pycompiler.catalogue.partitions import Generation, Partition, read_generation
from pycompiler.index.manifest import LiveTotals, Manifest, SeenTimeline
from pycompiler.index.storage.location import Location
from pycompiler.planner.keys import key_columns
from pycompiler.values.types import HiveType

GENERATION = Generation(
    key_columns([("year", HiveType("int"))]),
    (Partition("2013", b"\1\2", 2, 30, "5"), Partition("mixed", None, 1, 10, "4")),
    Manifest(3, "t", "5", "", "", LiveTotals(3, 9, 40), ()),
    SeenTimeline(frozenset({"4_5.commit"}), frozenset({"6"})),
)


def test_the_document_says_what_readers_have_to_know() -> None:
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


def test_a_generation_is_sent_with_its_end_last() -> None:
    sink = io.BytesIO()
    write_generation(sink, GENERATION)
    sent = sink.getvalue()
    document = GENERATION.document()
    assert sent.startswith(len(document).to_bytes(4, "big") + document)
    keyed = b"\1" + b"\0\0\0\2\1\2" + b"\0\0\0\x042013" + b"\0\0\0\x062 30 5"
    unkeyed = b"\2" + b"\0\0\0\5mixed" + b"\0\0\0\x061 10 4"
    assert sent[4 + len(document) :] == keyed + unkeyed + b"\0"


@pytest.mark.parametrize(
    ("properties", "reason"),
    [
        ("hoodie.table.type=MERGE_ON_READ\nhoodie.table.partition.fields=day", "a merge-on-read table"),
        ("hoodie.table.type=COPY_ON_WRITE", "has no partition columns"),
    ],
)
def test_a_table_that_no_query_asks_for_is_refused(tmp_path: Path, properties: str, reason: str) -> None:
    (tmp_path / ".hoodie").mkdir()
    (tmp_path / ".hoodie" / "hoodie.properties").write_text(properties)
    with pytest.raises(CatalogueError, match=reason):
        read_generation(Location.parse(str(tmp_path)))
