"""Statistics of log files: those of a base file with the same rows, or none."""

import math
import re
from collections.abc import Mapping
from datetime import date, datetime, timezone
from decimal import Decimal
from pathlib import Path
from typing import Any
from unittest import mock

import pyarrow as pa
import pytest

from pycompiler.collect.footer import FooterReader
from pycompiler.collect.table_columns import TableColumns
from pycompiler.expression.statistics import ColumnStatistics
from pycompiler.index.options import IndexOptions
from pycompiler.index.records import FILES, HoodieMetadataRecord, from_table
from pycompiler.log_files import avro_records
from pycompiler.log_files.blocks import BlockKind
from pycompiler.values.encoding import encode_value
from pycompiler.values.types import HiveType
from tests.contents import all_values, bloom_filter

from .written import NAME, avro_block, avro_content, block, log_file, parquet_block, schema

EVERYTHING: Mapping[str, Any] = {
    "truth": "boolean",
    "i": "int",
    "n": "long",
    "f": "float",
    "d": "double",
    "s": "string",
    "raw": "bytes",
    "day": {"type": "int", "logicalType": "date"},
    "ms": {"type": "long", "logicalType": "timestamp-millis"},
    "us": {"type": "long", "logicalType": "timestamp-micros"},
    "small": {"type": "bytes", "logicalType": "decimal", "precision": 9, "scale": 2},
    "big": {
        "type": "fixed",
        "name": "big_fixed",
        "size": 16,
        "logicalType": "decimal",
        "precision": 38,
        "scale": 10,
    },
    "st": {
        "type": "record",
        "name": "inner",
        "fields": [
            {"name": "x", "type": ["null", "int"]},
            {"name": "list", "type": {"type": "array", "items": "int"}},
        ],
    },
    "list": {"type": "array", "items": "int"},
    "map": {"type": "map", "values": "int"},
    "time": {"type": "int", "logicalType": "time-millis"},
    "kind": {"type": "enum", "name": "kinds", "symbols": ["A"]},
}
NOON = datetime(2021, 3, 4, 12, tzinfo=timezone.utc)
ROW: Mapping[str, Any] = {
    "truth": True,
    "i": -5,
    "n": 1 << 40,
    "f": 0.5,
    "d": -0.0,
    "s": "sämtlich",
    "raw": b"\xff",
    "day": date(2021, 3, 4),
    "ms": NOON,
    "us": NOON.replace(microsecond=123456),
    "small": Decimal("-1.25"),
    "big": Decimal("1234567890123456789.0000000001"),
    "st": {"x": 7, "list": [1]},
    "list": [1],
    "map": {"a": 1},
    "time": None,
    "kind": "A",
}
NUMBERS = schema(n="long")


class LogStatistics:
    """The statistics of a log file."""

    def __init__(self, records: list[HoodieMetadataRecord], rows: int, unread: list[str]) -> None:
        self.rows = rows
        self.unread = unread
        self._records = {(record.kind, record.column): record for record in records}
        self.columns = {column for kind, column in self._records if kind == "range"}

    def __getitem__(self, column: str) -> ColumnStatistics:
        return self._records["range", column].statistics()

    def of_kind(self, kind: str, column: str) -> ColumnStatistics:
        return self._records[kind, column].statistics()


def collect(
    folder: Path, *blocks: bytes, table: str = NUMBERS, options: IndexOptions | None = None
) -> LogStatistics:
    unread: list[str] = []
    reader = FooterReader(
        options or IndexOptions(), TableColumns(schema=table), lambda path, reason: unread.append(reason)
    )
    status = log_file(folder, *blocks)
    reader.add(status)
    rows = reader.take()
    kinds = rows["kind"].to_pylist()
    at = kinds.index(FILES)
    assert kinds.count(FILES) == 1 and rows["file_name"][at].as_py() == NAME
    assert rows["file_size"][at].as_py() == status.size
    records = list(from_table(rows.filter(pa.array([kind != FILES for kind in kinds]))))
    return LogStatistics(records, rows["value_count"][at].as_py(), unread)


def test_every_type_has_the_bounds_of_a_base_file(tmp_path: Path) -> None:
    table = schema(**EVERYTHING)
    nothing = dict.fromkeys(ROW)
    found = collect(tmp_path, avro_block(table, [ROW, nothing]), table=table)
    assert (found.rows, found.unread) == (2, [])
    assert found.columns == {*EVERYTHING, "st.x"} - {"st", "list", "map", "time", "kind"}
    plain = {name: value.replace(tzinfo=None) for name, value in ROW.items() if isinstance(value, datetime)}
    types = {
        "truth": "boolean",
        "i": "int",
        "n": "bigint",
        "f": "float",
        "d": "double",
        "s": "string",
        "day": "date",
        "ms": "timestamp",
        "us": "timestamp",
        "small": "decimal(9,2)",
        "big": "decimal(38,10)",
        "st.x": "int",
    }
    for column, type_name in types.items():
        statistics = found[column]
        value = 7 if column == "st.x" else plain.get(column, ROW[column])
        encoded = encode_value(HiveType.parse(type_name), value)
        assert str(statistics.type) == type_name
        assert (statistics.lower, statistics.upper, statistics.null_count) == (encoded, encoded, 1), column
    assert (found["raw"].lower, found["raw"].null_count) == (None, 1)
    assert found["f"].nan_count == 0


def test_records_of_all_blocks_count_even_rolled_back_ones(tmp_path: Path) -> None:
    found = collect(
        tmp_path,
        avro_block(NUMBERS, [{"n": 1}]),
        avro_block(NUMBERS, [{"n": 9}, {"n": 5}]),
        block(BlockKind.COMMAND, b"\0\0\0\3\0\0\0\0", {0: "20260101000000002", 3: "0"}),
    )
    assert (found.rows, found["n"].lower, found["n"].upper) == (3, _number(1), _number(9))


def _number(value: int) -> bytes:
    return encode_value(HiveType("bigint"), value)


@pytest.mark.parametrize("at_once", [1, 2, 3, 1000])
def test_all_batches_of_records_count(tmp_path: Path, at_once: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(avro_records, "_RECORDS_AT_ONCE", at_once)
    monkeypatch.setattr(avro_records, "_BUFFER_BYTES", 7)
    found = collect(tmp_path, avro_block(NUMBERS, [{"n": n * 1000} for n in range(5)]))
    assert (found.rows, found["n"].lower, found["n"].upper) == (5, _number(0), _number(4000))


@pytest.mark.parametrize("at_once", [1, 1000])
def test_nan_leaves_a_column_without_bounds(
    tmp_path: Path, at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(avro_records, "_RECORDS_AT_ONCE", at_once)
    inner = {"type": "record", "name": "inner", "fields": [{"name": "x", "type": "float"}]}
    table = schema(d="double", clean="double", st=inner)
    rows = [{"d": 1.0, "clean": 2.0, "st": {"x": 3.0}}, {"d": math.nan, "clean": 4.0, "st": {"x": math.nan}}]
    found = collect(tmp_path, avro_block(table, rows), table=table)
    for column in ("d", "st.x"):
        assert (found[column].lower, found[column].upper, found[column].nan_count) == (None, None, None)
    assert found["clean"].nan_count == 0 and found["clean"].lower is not None


def test_a_log_of_deletes_has_no_rows(tmp_path: Path) -> None:
    found = collect(
        tmp_path, block(BlockKind.DELETE, b"whatever", {2: NUMBERS}), table=schema(n="long", s="string")
    )
    assert (found.rows, found.unread, found.columns) == (0, [], {"n", "s"})
    for column in found.columns:
        assert (found[column].null_count, found[column].value_count) == (0, 0), (
            "no filter is TRUE for a row of it"
        )


def test_change_data_capture_adds_no_rows(tmp_path: Path) -> None:
    found = collect(tmp_path, avro_block(NUMBERS, [{"n": 3}]), block(BlockKind.CHANGES, b"whatever"))
    assert (found.rows, found["n"].lower) == (1, _number(3))


def test_blooms_and_value_sets_have_the_values_of_all_blocks(tmp_path: Path) -> None:
    table = schema(n="long", s="string")
    options = IndexOptions({"n": "bloom(fpp=0.01)", "s": "values(max=10)"})
    found = collect(
        tmp_path,
        avro_block(table, [{"n": 1, "s": "a"}]),
        avro_block(table, [{"n": 2, "s": "b"}]),
        table=table,
        options=options,
    )
    bloom, values = bloom_filter(found.of_kind("bloom", "n")), all_values(found.of_kind("values", "s"))
    assert bloom is not None and all(bloom.might_contain(_number(n)) for n in (1, 2))
    assert not bloom.might_contain(_number(3))
    assert values == (b"a", b"b")


def test_a_parquet_block_has_the_same_statistics(tmp_path: Path) -> None:
    table = schema(**{name: EVERYTHING[name] for name in ("n", "d", "s", "us", "small", "st", "list")})
    rows = pa.table(
        {
            "n": pa.array([4, 2], pa.int64()),
            "d": pa.array([1.0, math.nan]),
            "s": ["b", None],
            "us": pa.array([NOON, NOON], pa.timestamp("us", "UTC")),
            "small": pa.array([Decimal("1.25"), None], pa.decimal128(9, 2)),
            "st": pa.array([None, {"x": 3}], pa.struct([("x", pa.int32()), ("list", pa.list_(pa.int32()))])),
            "list": pa.array([[1], None], pa.list_(pa.int32())),
        }
    )
    found = collect(tmp_path, parquet_block(table, rows), table=table)
    assert (found.rows, found.unread) == (2, [])
    assert (found["n"].lower, found["n"].upper) == (_number(2), _number(4))
    assert (found["d"].lower, found["d"].nan_count) == (None, None)
    assert (found["s"].upper, found["s"].null_count) == (b"b", 1)
    noon = NOON.replace(tzinfo=None)
    assert found["us"].lower == encode_value(HiveType("timestamp"), noon)
    assert found["small"].lower == encode_value(HiveType.parse("decimal(9,2)"), Decimal("1.25"))
    assert (found["st.x"].null_count, "list" in found.columns) == (1, False)


def test_columns_missing_in_the_block_or_table_have_no_statistics(tmp_path: Path) -> None:
    block_schema = schema(old="long", n="int", both="string")
    found = collect(
        tmp_path,
        avro_block(block_schema, [{"old": 1, "n": 2, "both": "x"}]),
        table=schema(n="long", both="string", added="long"),
    )
    assert found.columns == {"n", "both"}
    assert str(found["n"].type) == "int", "an integer that became longer is the same number"


def _whole() -> bytes:
    return avro_block(NUMBERS, [{"n": 1}, {"n": 2}])


def _with_content(content: bytes) -> bytes:
    return block(BlockKind.AVRO_DATA, content, {2: NUMBERS})


UNREADABLE = {
    "cut in a record": (_whole()[:-40], "longer than the file"),
    "cut after the magic": (_whole() + b"#HUDI#", "is truncated"),
    "garbage behind": (_whole() + b"garbage!" * 4, "does not begin with the magic"),
    "sizes that differ": (_whole()[:-1] + b"\x7f", "sizes at the start and end"),
    "newer format": (block(BlockKind.DELETE, version=2), "log format version 2"),
    "unknown kind": (block(7), "unknown kind 7"),
    "HFile": (block(BlockKind.HFILE_DATA, b"", {2: NUMBERS}), "kind HFILE_DATA"),
    "corrupt": (block(BlockKind.CORRUPT, b"x"), "kind CORRUPT"),
    "partial": (avro_block(NUMBERS, [{"n": 1}], IS_PARTIAL="true"), "partial updates"),
    "no schema": (block(BlockKind.AVRO_DATA, avro_content(NUMBERS, [])), "no schema"),
    "another type": (avro_block(schema(n="string"), [{"n": "x"}]), "column n is string in a block and int64"),
    "another unit": (
        avro_block(schema(n={"type": "long", "logicalType": "timestamp-millis"}), []),
        r"timestamp\[ms\] in a block",
    ),
    "several schemas": (
        avro_block(schema(n="int"), [{"n": 1}]) + avro_block(NUMBERS, [{"n": 2}]),
        "different schemas",
    ),
    "fewer records": (_with_content(b"\0\0\0\3\0\0\0\5\0\0\0\2\2\2"), "is truncated"),
    "more records": (_with_content(b"\0\0\0\3\0\0\0\1\0\0\0\2\2\2\0\0\0\2\2\2"), "extra bytes"),
    "longer record": (_with_content(b"\0\0\0\3\0\0\0\1\0\0\0\3\2\2\0"), "extra bytes after its last field"),
    "negative length": (_with_content(b"\0\0\0\3\0\0\0\1\xff\xff\xff\xff"), "negative length"),
    "no record": (_with_content(b"\0\0\0\3\0\0\0\1\0\0\0\1\x7f"), "does not match its schema"),
    "old block": (_with_content(b"\0\0\0\0\0\0\0\0"), "version 0"),
    "no Parquet": (block(BlockKind.PARQUET_DATA, b"PAR1", {2: NUMBERS}), "Parquet block cannot be read"),
    "other Parquet": (parquet_block(NUMBERS, pa.table({"n": ["x"]})), "stores string"),
    "empty file": (b"", "empty"),
}


@pytest.mark.parametrize(("content", "reason"), UNREADABLE.values(), ids=UNREADABLE.keys())
def test_an_unreadable_log_has_no_statistics(tmp_path: Path, content: bytes, reason: str) -> None:
    found = collect(tmp_path, content)
    assert found.columns == set()
    (reason_found,) = found.unread
    assert re.search(reason, reason_found), reason_found


def test_invalid_text_and_decimals_have_no_statistics(tmp_path: Path) -> None:
    text = schema(s="string")
    content = b"\0\0\0\3\0\0\0\1\0\0\0\3\2\2\xff"
    assert collect(tmp_path, block(BlockKind.AVRO_DATA, content, {2: text}), table=text).columns == set()
    number = schema(n={"type": "bytes", "logicalType": "decimal", "precision": 2, "scale": 0})
    content = b"\0\0\0\3\0\0\0\1\0\0\0\3\2\2\x7f"
    assert collect(tmp_path, block(BlockKind.AVRO_DATA, content, {2: number}), table=number).columns == set()


def test_without_a_table_schema_logs_have_no_statistics(tmp_path: Path) -> None:
    unread: list[str] = []
    reader = FooterReader(on_unreadable=lambda path, reason: unread.append(reason))
    reader.add(log_file(tmp_path, _whole()))
    assert reader.take()["kind"].to_pylist() == [FILES]
    assert unread == ["the table has no schema"]


def test_a_missing_avro_library_is_named(tmp_path: Path) -> None:
    with mock.patch.dict("sys.modules", {"fastavro": None}):
        found = collect(tmp_path, _whole())
    assert found.columns == set()
    assert "fastavro is not installed" in found.unread[0]
