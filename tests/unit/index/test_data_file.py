"""Data files: layout, partial reading, and every damage noticed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pycompiler.index.data_file import ROW_GROUP_ROWS, read_data_file, write_data_file
from pycompiler.index.errors import IndexDamagedError
from pycompiler.index.manifest import DataFile
from pycompiler.index.records import SCHEMA, HoodieMetadataRecord, from_table, to_table
from pycompiler.index.storage import LocalStorage

from .samples import record, storage_of


def _records(columns: list[str], files: int) -> list[HoodieMetadataRecord]:
    return [
        record(column, f"f{number:06d}.parquet", number, number)
        for column in columns
        for number in range(files)
    ]


def _write(storage: LocalStorage, records: list[HoodieMetadataRecord], piece: int = 1000) -> DataFile:
    table = to_table(records)
    written = write_data_file(storage, (table.slice(at, piece) for at in range(0, len(records), piece)))
    assert written is not None
    return written


def _rows(tables: Iterator[pa.Table]) -> list[HoodieMetadataRecord]:
    return [row for table in tables for row in from_table(table)]


def test_records_come_back_as_they_were_written(tmp_path: Path) -> None:
    storage = storage_of(tmp_path)
    records = _records(["a", "b.c", "é"], 50)
    assert _rows(read_data_file(storage, _write(storage, records))) == records


def test_row_groups_hold_whole_columns_however_the_input_is_cut(tmp_path: Path) -> None:
    storage = storage_of(tmp_path)
    records = _records([f"c{number:02d}" for number in range(10)], 5000)
    for piece in (777, 5000, len(records)):
        groups = _write(storage, records, piece).row_groups
        spans = [(group.first_column, group.last_column, group.rows) for group in groups]
        assert spans == [
            ("c00", "c02", 15_000),
            ("c03", "c05", 15_000),
            ("c06", "c08", 15_000),
            ("c09", "c09", 5000),
        ], f"input cut every {piece} rows"


def test_a_column_of_more_rows_than_a_group_has_several(tmp_path: Path) -> None:
    storage = storage_of(tmp_path)
    written = _write(storage, _records(["a", "b"], ROW_GROUP_ROWS + 1), piece=10_000)
    assert [(group.first_column, group.rows) for group in written.row_groups] == [
        ("a", ROW_GROUP_ROWS),
        ("a", 1),
        ("b", ROW_GROUP_ROWS),
        ("b", 1),
    ], "no group may mix a cut column with another"
    assert sum(group.rows for group in written.row_groups) == 2 * (ROW_GROUP_ROWS + 1)


def test_only_row_groups_of_the_wanted_columns_are_read(tmp_path: Path) -> None:
    storage = storage_of(tmp_path)
    written = _write(storage, _records([f"c{number:02d}" for number in range(10)], 5000))
    _flip(storage, written, written.row_groups[0].offset + 10)
    rows = _rows(read_data_file(storage, written, ["c04"]))
    assert {row.column for row in rows} == {"c04"} and len(rows) == 5000, "damage elsewhere must not matter"
    with pytest.raises(IndexDamagedError, match="row group 0"):
        _rows(read_data_file(storage, written, ["c01"]))


def test_a_column_without_rows_opens_nothing(tmp_path: Path) -> None:
    storage = storage_of(tmp_path)
    written = _write(storage, _records(["a", "b"], 3))
    storage.delete(written.name)
    assert _rows(read_data_file(storage, written, ["zz"])) == []


def test_the_file_is_plain_parquet_in_the_documented_schema(tmp_path: Path) -> None:
    storage = storage_of(tmp_path)
    written = _write(storage, _records(["a"], 3))
    file = pq.ParquetFile(storage.folder / written.name)
    assert file.schema_arrow == SCHEMA
    assert file.metadata.row_group(0).column(0).compression == "ZSTD"


def test_no_rows_make_no_file(tmp_path: Path) -> None:
    storage = storage_of(tmp_path)
    assert write_data_file(storage, [SCHEMA.empty_table()]) is None
    assert storage.names() == []


def test_every_flipped_byte_is_noticed(tmp_path: Path) -> None:
    storage = storage_of(tmp_path)
    records = _records(["a", "b"], 3)
    written = _write(storage, records)
    covered = written.row_groups[0].offset
    for position in range(covered, written.size):
        _flip(storage, written, position)
        with pytest.raises(IndexDamagedError):
            _rows(read_data_file(storage, written))
        _flip(storage, written, position)
    assert covered == len(b"PAR1"), "all but the magic number at the start is covered"
    assert _rows(read_data_file(storage, written)) == records


def test_a_truncated_or_grown_file_is_noticed(tmp_path: Path) -> None:
    storage = storage_of(tmp_path)
    written = _write(storage, _records(["a"], 3))
    path = storage.folder / written.name
    content = path.read_bytes()
    for damaged in (b"", content[:100], content[:-1], content + b"x"):
        path.write_bytes(damaged)
        with pytest.raises(IndexDamagedError, match="bytes where the manifest says"):
            _rows(read_data_file(storage, written))


def test_a_missing_file_is_noticed(tmp_path: Path) -> None:
    storage = storage_of(tmp_path)
    written = _write(storage, _records(["a"], 3))
    storage.delete(written.name)
    with pytest.raises(IndexDamagedError, match="is missing"):
        _rows(read_data_file(storage, written))


def _flip(storage: LocalStorage, data_file: DataFile, position: int) -> None:
    path = storage.folder / data_file.name
    content = bytearray(path.read_bytes())
    content[position] ^= 0x10
    path.write_bytes(bytes(content))
