"""The documented types are those that Hudi's hive-sync declares, and what the handler makes of them."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from ..harness.avro_writer import AvroWriter
from .conftest import Lake

NUMBER: Final = 1_641_603_723_456


def _logical(kind: str, name: str, **more: Any) -> dict[str, Any]:
    return {"type": kind, "logicalType": name, **more}


MICROS: Final = _logical("long", "timestamp-micros")
DAY: Final = _logical("int", "date")
INNER: Final = [{"name": "Moment", "type": MICROS}, {"name": "day", "type": DAY}]
TYPES: Final[Mapping[str, tuple[Any, Any]]] = {
    "boolean": ("boolean", True),
    "int": ("int", 7),
    "long": ("long", NUMBER),
    "float": ("float", 1.5),
    "double": ("double", 1.5),
    "string": ("string", "x"),
    "enum": ({"type": "enum", "name": "suit", "symbols": ["A", "B"]}, "B"),
    "bytes": ("bytes", "ab"),
    "fixed(4)": ({"type": "fixed", "name": "four", "size": 4}, "abcd"),
    "decimal(10,2)": (_logical("bytes", "decimal", precision=10, scale=2), "\u0007"),
    "date": (DAY, 18_000),
    "timestamp-micros": (MICROS, NUMBER),
    "timestamp-millis": (_logical("long", "timestamp-millis"), NUMBER),
    "local-timestamp-micros": (_logical("long", "local-timestamp-micros"), NUMBER),
    "local-timestamp-millis": (_logical("long", "local-timestamp-millis"), NUMBER),
    "time-millis": (_logical("int", "time-millis"), 7),
    "time-micros": (_logical("long", "time-micros"), 7),
    "record": ({"type": "record", "name": "inner", "fields": INNER}, {"Moment": NUMBER, "day": 18_000}),
    "array": ({"type": "array", "items": MICROS}, [NUMBER]),
    "map": ({"type": "map", "values": MICROS}, {"k": NUMBER}),
}
"""Each of the documented types with a value, as in Avro's JSON."""


def documented() -> dict[str, tuple[str, str, str]]:
    """The rows of the page: declared by default, with `support_timestamp`, and of the handler's table."""
    page = (Path(__file__).parents[3] / "docs" / "guides" / "adopt.md").read_text(encoding="utf-8")
    _, _, section = page.partition("\n## Types\n")
    section, _, _ = section.partition("\n## ")
    rows = [
        [cell.strip().strip("`") for cell in line.strip("|").split(" | ")]
        for line in section.splitlines()
        if line.startswith("| `")
    ]
    return {name: (default, timestamps or default, handler) for name, default, timestamps, handler in rows}


def test_the_documented_types_are_those_of_hive_sync_and_of_the_handler(synced: Lake) -> None:
    rows = documented()
    assert list(rows) == list(TYPES)
    kept = [name for name in TYPES if rows[name][0] != "fails"]
    assert {rows[name][2] for name in kept} == {"as declared"}
    for option, position in ([], 0), (["--support-timestamp"], 1):
        table = f"declared{position}"
        assert not _register(synced, kept, table, option)
        before = _columns(synced, table)
        declared = {name: before[_column(name).lower()] for name in kept}
        assert declared == {name: rows[name][position] for name in kept}
        assert synced.adopt(f"lake.{table}", "--in-place")["compared"]["counted"] == 1
        assert _columns(synced, table) == before, "types and order stay"
        numbers = ", ".join(_column(name) for name in kept if declared[name] == "bigint")
        (found,) = synced.session.rows(f"select {numbers} from lake.{table}")
        assert set(found) == {NUMBER}, "the numbers that were written"
    for name in TYPES.keys() - kept:
        assert "HoodieException" in _register(synced, [name], "failing", [])


def _column(name: str) -> str:
    return "C_" + re.sub(r"\W", "_", name)


def _register(lake: Lake, names: list[str], table: str, option: list[str]) -> str:
    """Registers a table of these types, whose columns' names have capitals; returns what hive-sync says."""
    path = lake.root / f"types_{_column(names[0])}"
    if not path.exists():
        fields = {_column(name): TYPES[name][0] for name in names}
        row = {"id": "1", **{_column(name): TYPES[name][1] for name in names}}
        AvroWriter(lake.spark, path).write(fields, [row])
    return lake.sync.run(path, table, *option, partition=None)


def _columns(lake: Lake, table: str) -> dict[str, str]:
    with lake.session.settings({"hive.ddl.output.format": "json"}):
        ((document,),) = lake.session.rows(f"describe extended lake.{table}")
    return {each["name"]: each["type"] for each in json.loads(document)["tableInfo"]["sd"]["cols"]}
