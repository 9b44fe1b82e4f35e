import json
from pathlib import Path

import pytest

from pycompiler.catalogue.errors import CatalogueError
from pycompiler.catalogue.partitions import Generation, Partition, read_generation
from pycompiler.index.file_systems.location import Location
from pycompiler.index.manifest import LiveTotals, Manifest, SeenTimeline
from pycompiler.planner.keys import key_columns
from pycompiler.values.types import HiveType

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
