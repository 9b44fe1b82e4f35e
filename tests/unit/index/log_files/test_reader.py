"""Statistics of log files: those of a base file with the same rows, or none."""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timezone
from decimal import Decimal
from pathlib import Path
from typing import Any
from unittest import mock

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pycompiler.compile.values.encoding import encode_value
from pycompiler.compile.values.types import HiveType
from pycompiler.index.collect.footer import FooterReader
from pycompiler.index.collect.table_columns import TableColumns
from pycompiler.index.log_files import avro_records
from pycompiler.index.log_files.blocks import BlockKind
from pycompiler.index.options import IndexOptions
from pycompiler.index.records import FILES, HoodieMetadataRecord
from tests.contents import all_values, bloom_filter
from tests.footers import ROWS, put, rewrite
from tests.records import records_of

from .written import NAME, avro_block, avro_content, block, log_file, parquet_block, schema


def _logical(stored: str, logical: str, **parameters: Any) -> dict[str, Any]:
    return {"type": stored, "logicalType": logical, **parameters}


NOON = datetime(2021, 3, 4, 12, tzinfo=timezone.utc)
BIG = Decimal("1234567890123456789.0000000001")
LIST = {"type": "array", "items": "int"}
COLUMNS: Mapping[str, tuple[Any, Any, str | None]] = {
    "truth": ("boolean", True, "boolean"),
    "i": ("int", -5, "int"),
    "n": ("long", 1 << 40, "bigint"),
    "f": ("float", 0.5, "float"),
    "d": ("double", -0.0, "double"),
    "s": ("string", "sämtlich", "string"),
    "raw": ("bytes", b"\xff", None),
    "day": (_logical("int", "date"), date(2021, 3, 4), "date"),
    "ms": (_logical("long", "timestamp-millis"), NOON, "timestamp_millis"),
    "us": (_logical("long", "timestamp-micros"), NOON.replace(microsecond=123456), "timestamp_from_micros"),
    "small": (_logical("bytes", "decimal", precision=9, scale=2), Decimal("-1.25"), "decimal(9,2)"),
    "big": (
        _logical("fixed", "decimal", name="big_fixed", size=16, precision=38, scale=10),
        BIG,
        "decimal(38,10)",
    ),
    "st": (
        {
            "type": "record",
            "name": "inner",
            "fields": [{"name": "x", "type": ["null", "int"]}, {"name": "list", "type": LIST}],
        },
        {"x": 7, "list": [1]},
        None,
    ),
    "list": (LIST, [1], None),
    "map": ({"type": "map", "values": "int"}, {"a": 1}, None),
    "time": (_logical("int", "time-millis"), None, None),
    "kind": ({"type": "enum", "name": "kinds", "symbols": ["A"]}, "A", None),
}
"""Avro types, a value of each, and the Hive type of those with bounds."""
NUMBERS = schema(n="long")


@dataclass
class LogStatistics:
    """The statistics of a log file, by kind and column."""

    rows: int
    unread: list[str]
    records: dict[tuple[str, str], HoodieMetadataRecord]

    @property
    def columns(self) -> set[str]:
        return {column for kind, column in self.records if kind == "range"}

    def __getitem__(self, column: str) -> HoodieMetadataRecord:
        return self.records["range", column]


def collect(
    folder: Path, *blocks: bytes, table: str | None = NUMBERS, options: IndexOptions | None = None
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
    by_key = {(record.kind, record.column): record for record in records_of(rows)}
    return LogStatistics(rows["value_count"][at].as_py(), unread, by_key)


def test_every_type_has_the_bounds_of_a_base_file(tmp_path: Path) -> None:
    table = schema(**{name: avro_type for name, (avro_type, _, _) in COLUMNS.items()})
    row = {name: value for name, (_, value, _) in COLUMNS.items()}
    found = collect(tmp_path, avro_block(table, [row, dict.fromkeys(row)]), table=table)
    assert (found.rows, found.unread) == (2, [])
    bounded = {name: (value, hive_type) for name, (_, value, hive_type) in COLUMNS.items() if hive_type}
    bounded["st.x"] = 7, "int"
    assert found.columns == {*bounded, "raw"}
    for column, (value, type_name) in bounded.items():
        plain = value.replace(tzinfo=None) if isinstance(value, datetime) else value
        encoded = encode_value(HiveType.parse(type_name), plain)
        statistics = found[column]
        assert str(statistics.type) == type_name
        assert (statistics.lower, statistics.upper, statistics.null_count) == (encoded, encoded, 1), column
    assert (found["raw"].lower, found["raw"].null_count) == (None, 1)
    assert found["f"].nan_count == 0


def test_all_records_count_even_rolled_back_ones_and_blocks_without_records_add_none(tmp_path: Path) -> None:
    found = collect(
        tmp_path,
        avro_block(NUMBERS, [{"n": 1}]),
        avro_block(NUMBERS, [{"n": 9}, {"n": 5}]),
        block(BlockKind.COMMAND, b"\0\0\0\3\0\0\0\0", {0: "20260101000000002", 3: "0"}),
        block(BlockKind.CHANGES, b"whatever"),
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
    bloom = bloom_filter(found.records["bloom", "n"].statistics())
    values = all_values(found.records["values", "s"].statistics())
    assert bloom is not None and all(bloom.might_contain(_number(n)) for n in (1, 2))
    assert not bloom.might_contain(_number(3))
    assert values == (b"a", b"b")


def test_a_parquet_block_has_the_same_statistics(tmp_path: Path) -> None:
    table = schema(**{name: COLUMNS[name][0] for name in ("n", "d", "s", "us", "small", "st", "list")})
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


def _contradictory(folder: Path) -> bytes:
    """A Parquet block whose footer says that it has fewer rows than values."""
    file = folder / "block.parquet"
    pq.write_table(pa.table({"n": [1, None, 3]}), file)
    rewrite(file, lambda footer: put(footer.groups[0], ROWS, 1))
    return block(BlockKind.PARQUET_DATA, file.read_bytes(), {2: NUMBERS})


def test_a_parquet_block_whose_footer_contradicts_itself_has_no_statistics(tmp_path: Path) -> None:
    found = collect(tmp_path, _contradictory(tmp_path))
    assert found.columns == set()
    assert found.unread == ["its footer contradicts itself: n in row group 0 has 3 values in 1 rows"]


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


@pytest.mark.parametrize(
    ("avro_type", "value"),
    [("string", b"\xff"), (_logical("bytes", "decimal", precision=2, scale=0), b"\x7f")],
    ids=["text", "decimal"],
)
def test_an_invalid_value_leaves_no_statistics(tmp_path: Path, avro_type: Any, value: bytes) -> None:
    table = schema(c=avro_type)
    data = block(BlockKind.AVRO_DATA, b"\0\0\0\3\0\0\0\1\0\0\0\3\2\2" + value, {2: table})
    assert collect(tmp_path, data, table=table).columns == set()


def test_without_a_table_schema_logs_have_no_statistics(tmp_path: Path) -> None:
    found = collect(tmp_path, _whole(), table=None)
    assert (found.columns, found.unread) == (set(), ["the table has no schema"])


def test_a_missing_avro_library_is_named(tmp_path: Path) -> None:
    with mock.patch.dict("sys.modules", {"fastavro": None}):
        found = collect(tmp_path, _whole())
    assert found.columns == set()
    assert "fastavro is not installed" in found.unread[0]
