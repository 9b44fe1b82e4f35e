"""Writes the golden index in tests/conformance/index-v2, once per format version.

    python -m tests.conformance.index_golden FOLDER

Readers in both languages must read the committed folder, whatever later writers do. So once its format
version is released, the folder is never regenerated.
"""

import json
import sys
from dataclasses import asdict, replace
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any
from unittest import mock

from pycompiler.compile.expression.bloom import BloomFilter
from pycompiler.compile.values.encoding import Value, encode_value
from pycompiler.compile.values.types import HiveType
from pycompiler.index import blocks
from pycompiler.index.blocks import BlockStatistics
from pycompiler.index.file_systems.local import LocalStorage
from pycompiler.index.index import StatisticsIndex
from pycompiler.index.manifest import LiveTotals
from pycompiler.index.publisher import Delta, IndexPublisher
from pycompiler.index.records import RANGE, HoodieMetadataRecord, RecordFlag
from pycompiler.index.value_set import parse_values, serialize_values
from tests.records import write_records

_FILES = {
    "p/f1.parquet": 1001,
    "p/f2.parquet": 1002,
    "q=1/r=a%3Ab/f3.parquet": 1003,
    "f4.parquet": 1004,
}
_ROWS = 10
_NOTHING: dict[str, Any] = dict.fromkeys(("lower", "upper", "null_count", "nan_count", "values", "bloom"))


def _record(
    column: str,
    path: str,
    type_name: str,
    lower: Value | bytes | None = None,
    upper: Value | bytes | None = None,
    *,
    nulls: int | None = 0,
    nans: int | None = None,
    flags: RecordFlag = RecordFlag.NONE,
    size: int | None = None,
) -> HoodieMetadataRecord:
    hive_type = HiveType.parse(type_name)
    partition, _, file_name = path.rpartition("/")
    bounds = [None if value is None else encode_value(hive_type, value) for value in (lower, upper)]
    return HoodieMetadataRecord(
        column=column,
        type=hive_type,
        partition=partition,
        file_name=file_name,
        file_id=file_name.partition(".")[0],
        commit_time="20260101000000000",
        file_size=_FILES[path] if size is None else size,
        lower=bounds[0],
        upper=bounds[1],
        null_count=nulls,
        value_count=_ROWS,
        nan_count=nans,
        flags=flags,
    )


def _content(kind: str, column: str, path: str, type_name: str, content: bytes) -> HoodieMetadataRecord:
    return replace(_record(column, path, type_name, nulls=None), kind=kind, content=content)


def _bigints(*values: int) -> list[bytes]:
    return [encode_value(HiveType("bigint"), value) for value in values]


def _first() -> list[HoodieMetadataRecord]:
    f1, f2, f3, _ = _FILES
    missing = RecordFlag.STATISTICS_MISSING
    return [
        _record("a", f1, "bigint", -5, 7),
        _record("a", f2, "bigint", 8, 2**63 - 1, nulls=3),
        _record("a", f3, "int", nulls=_ROWS),
        _record("b", f1, "boolean", False, True),
        _record("d", f1, "double", -1.5, 2.5, nans=0),
        _record("d", f2, "double", nulls=2),
        _record("day", f1, "date", date(1969, 12, 31), date(2021, 3, 4)),
        _record("day", f2, "date", None, date(2021, 3, 4)),
        _record("dec", f1, "decimal(10,2)", Decimal("-12.34"), Decimal("0")),
        _record("dec", f2, "decimal(38,0)", Decimal(1), Decimal(10**38 - 1)),
        _record("raw", f1, "binary", nulls=1),
        _record("s", f1, "string", "", "zebra"),
        _record(
            "s", f2, "string", b"a" * 64, b"a" * 63 + b"b", flags=RecordFlag.LOWER_CUT | RecordFlag.UPPER_CUT
        ),
        _record("s", f3, "string", nulls=None, flags=missing),
        _record("st.x.y", f1, "smallint", -1, 1),
        _record("ts", f1, "timestamp", datetime(1969, 12, 31, 23, 59, 59, 999999), datetime(2021, 3, 4)),
        _record("ü", f1, "string", "é", "😀"),
        _record("all", f1, "int", 3, 4, nulls=1),
        _record("all", f2, "int", nulls=_ROWS),
        _record("all", f3, "int", 2, 2),
        _content("bloom", "a", f1, "bigint", BloomFilter.of(_bigints(-5, 0, 7), 0.01).data),
        _content("bloom", "a", f2, "bigint", BloomFilter.of(_bigints(8, 2**63 - 1), 0.01).data),
        _content("bloom", "a", f3, "int", BloomFilter.of([], 0.01).data),
        _content("bloom", "s", f1, "string", b"no Bloom filter"),
        _content("values", "a", f1, "bigint", serialize_values(_bigints(-5, 7))),
        _content("values", "s", f1, "string", serialize_values([b"", b"b" * 200, b"zebra"])),
        _content("values", "s", f2, "string", b"\x05no"),
        _content("of the future", "a", f1, "bigint", b"?"),
    ]


def _second() -> list[HoodieMetadataRecord]:
    f1, _, f3, f4 = _FILES
    return [
        # Replaces the first delta's row: the file was rewritten with another size.
        _record("a", f1, "bigint", 0, 1, size=2001),
        _record("a", f4, "bigint", 100, 200, nulls=1),
        _record("s", f3, "string", "k", "l"),
        _content("values", "s", f3, "string", serialize_values([b"k", b"l"])),
        # The older data file's range still holds: the file has the same size in both.
        _content("values", "a", f3, "int", serialize_values([])),
    ]


def make(folder: Path) -> None:
    """Writes the index and expected.json."""
    (folder / ".hoodie").mkdir(parents=True)
    storage = LocalStorage(folder)
    live = LiveTotals(len(_FILES), _ROWS * len(_FILES), sum(_FILES.values()))
    generation: int | None = None
    instant = ""
    # Small row groups, so that there are several: in the first data file two files per block, in the second
    # several columns per group.
    for number, (records, block_files) in enumerate(((_first(), 2), (_second(), 16)), 1):
        with mock.patch.multiple(blocks, ROW_GROUP_ROWS=3, BLOCK_FILES=block_files):
            instant = f"2026010{number}000000000"
            data_files = write_records(storage, records)
            delta = Delta(data_files, "golden", instant, live, frozenset(_FILES), generation)
            generation = IndexPublisher(storage).add(delta).generation
    index = StatisticsIndex.open(folder)
    columns: dict[str, dict[str, Any]] = {}
    for record in [*_first(), *_second()]:
        if record.kind != "of the future":
            of_column = columns.setdefault(record.column, {})
            before = of_column.get(record.path, {})
            same = before.get("file_size") == record.file_size
            of_column[record.path] = (before if same else _NOTHING) | _content_of(record)
    expected = {
        "generation": generation,
        "instant": instant,
        "live": {"files": live.files, "rows": live.rows, "bytes": live.bytes},
        "files": sorted(_FILES),
        "columns": {**columns, "no_such_column": {}},
        "blocks": {
            f"{group.first_column} {group.first_file}-{group.last_file}": _block(group.block)
            for group in index.manifest.data_files[0].row_groups
            if group.kind == RANGE
        },
    }
    text = json.dumps(expected, indent=1, ensure_ascii=False)
    (folder / "expected.json").write_text(text + "\n", encoding="utf-8")


def _content_of(record: HoodieMetadataRecord) -> dict[str, Any]:
    expected: dict[str, Any] = {
        "type": str(record.type),
        "value_count": record.value_count,
        "file_size": record.file_size,
    }
    match record.kind:
        case "range":
            expected |= {"lower": _hex(record.lower), "upper": _hex(record.upper)}
            expected |= {"null_count": record.null_count, "nan_count": record.nan_count}
        case "bloom" if record.content != b"no Bloom filter":
            expected["bloom"] = _hex(record.content)
        case "values" if record.content != b"\x05no":
            expected["values"] = [value.hex() for value in parse_values(record.content or b"")]
    return expected


def _block(block: BlockStatistics | None) -> dict[str, Any] | None:
    return None if block is None else asdict(block) | {"lower": _hex(block.lower), "upper": _hex(block.upper)}


def _hex(content: bytes | None) -> str | None:
    return None if content is None else content.hex()


if __name__ == "__main__":
    make(Path(sys.argv[1]))
