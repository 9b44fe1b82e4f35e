"""The types that Hudi's hive-sync declares, and what the handler makes of them: see docs/guides/adopt.md."""

import re
from pathlib import Path
from typing import Any, Final

from pycompiler.installation import installation

from ..harness.avro_writer import AvroWriter
from .conftest import Lake

_GUIDE: Final = installation() / "docs" / "guides" / "adopt.md"


def _logical(kind: str, logical: str, **more: Any) -> dict[str, Any]:
    return {"type": kind, "logicalType": logical, **more}


TYPES: Final[dict[str, tuple[Any, Any]]] = {
    "boolean": ("boolean", True),
    "int": ("int", 7),
    "long": ("long", 1 << 40),
    "float": ("float", 1.5),
    "double": ("double", 2.5),
    "string": ("string", "a"),
    "bytes": ("bytes", "ab"),
    "fixed": ({"type": "fixed", "name": "pair", "size": 2}, "cd"),
    "enum": ({"type": "enum", "name": "color", "symbols": ["RED", "BLUE"]}, "BLUE"),
    "uuid": (_logical("string", "uuid"), "4f1c0f2e-0000-4000-8000-000000000001"),
    "decimal in bytes": (_logical("bytes", "decimal", precision=10, scale=2), "\x04\xd2"),
    "decimal in fixed": (
        {"type": "fixed", "name": "money", "size": 5, "logicalType": "decimal", "precision": 10, "scale": 2},
        "\x00\x00\x00\x04\xd2",
    ),
    "date": (_logical("int", "date"), 19000),
    "timestamp-micros": (_logical("long", "timestamp-micros"), 1_641_603_723_456_789),
    "timestamp-millis": (_logical("long", "timestamp-millis"), 1_641_603_723_456),
    "local-timestamp-micros": (_logical("long", "local-timestamp-micros"), 1_641_603_723_456_789),
    "local-timestamp-millis": (_logical("long", "local-timestamp-millis"), 1_641_603_723_456),
    "time-millis": (_logical("int", "time-millis"), 5000),
    "time-micros": (_logical("long", "time-micros"), 5_000_000),
}
VALUES: Final[dict[str, Any]] = {
    "bytes": b"ab",
    "fixed": b"cd",
    "decimal in bytes": "12.34",
    "decimal in fixed": "12.34",
    "date": "2022-01-08",
}
TIMES: Final = ("time-millis", "time-micros")


def _column(name: str) -> str:
    return "Of_" + re.sub(r"\W", "_", name)


def _table(lake: Lake, name: str, kinds: list[str]) -> AvroWriter:
    table = AvroWriter(lake.spark, lake.root / name)
    table.write(
        {_column(kind): TYPES[kind][0] for kind in kinds},
        [{"id": "1", **{_column(kind): TYPES[kind][1] for kind in kinds}}],
    )
    return table


def _declared(lake: Lake, path: Path, name: str, *options: str) -> dict[str, str]:
    assert not lake.sync.run(path, name, *options, partition=None)
    return {row[0]: row[1] for row in lake.session.rows(f"describe lake.{name}")}


def test_the_guide_lists_every_type_that_hive_sync_declares(synced: Lake) -> None:
    kinds = [kind for kind in TYPES if kind not in TIMES]
    table = _table(synced, "types", kinds)
    by_default = _declared(synced, table.path, "types")
    supported = _declared(synced, table.path, "types_ts", "--support-timestamp")
    found = {}
    for name in ("types", "types_ts"):
        synced.adopt(f"lake.{name}", "--in-place", "--no-compare")
    for kind in kinds:
        column = _column(kind).lower()
        answers = [
            synced.session.rows(f"select {column} from lake.{name}")[0][0] for name in ("types", "types_ts")
        ]
        found[kind] = (by_default[column], supported[column], *map(str, answers))
    for kind in TIMES:
        name = kind.replace("-", "_")
        of_time = _table(synced, name, [kind])
        column = _column(kind).lower()
        by_default = _declared(synced, of_time.path, name)
        supported = _declared(synced, of_time.path, f"{name}_ts", "--support-timestamp")
        message = synced.refusal(f"lake.{name}", "--in-place", "--no-compare")
        found[kind] = (by_default[column], supported[column], message, message)
    print(found)
    assert found == {}
