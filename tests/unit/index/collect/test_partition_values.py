"""Records of columns whose values are in a file's path."""

import datetime as dt
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pycompiler.compile.values.encoding import Value, encode_value
from pycompiler.compile.values.types import HiveType
from pycompiler.index.collect.footer import FooterReader
from pycompiler.index.collect.partition_values import IN_FILES, PartitionColumns
from pycompiler.index.collect.table_columns import TableColumns
from pycompiler.index.options import IndexOptions
from pycompiler.index.records import HoodieMetadataRecord, RecordFlag
from tests.records import records_of

from .samples import status

BOTH = PartitionColumns(("Part", "q"), hive_style=True, url_encoded=True)


def _records(
    folder: Path,
    partition: str,
    columns: PartitionColumns,
    stored: dict[str, list[object]],
    options: IndexOptions | None = None,
) -> dict[str, HoodieMetadataRecord]:
    path = folder / "f.parquet"
    pq.write_table(pa.table(stored), path)
    reader = FooterReader(options or IndexOptions(), TableColumns(columns))
    reader.add(status(path, partition))
    return {record.column: record for record in records_of(reader.take())}


def test_the_value_is_both_bounds(tmp_path: Path) -> None:
    found = _records(tmp_path, "Part=a%2Fb/q=__HIVE_DEFAULT_PARTITION__", BOTH, {"id": [1, 2]})
    assert set(found) == {"id", "part", "q"}
    part, q = found["part"], found["q"]
    assert (part.lower, part.upper, part.null_count, part.value_count) == (b"a/b", b"a/b", 0, 2)
    assert (q.lower, q.upper, q.null_count, q.value_count) == (None, None, 2, 2)
    for record in (part, q):
        assert str(record.type) == "string"
        assert record.flags is RecordFlag.NONE
        assert (record.partition, record.file_name, record.file_size) == (
            found["id"].partition,
            found["id"].file_name,
            found["id"].file_size,
        )


def test_a_long_value_is_cut(tmp_path: Path) -> None:
    columns = PartitionColumns(("part",))
    part = _records(tmp_path, "x" * 100, columns, {"id": [1]})["part"]
    assert (part.lower, part.upper) == (b"x" * 64, b"x" * 63 + b"y")
    assert part.flags == RecordFlag.LOWER_CUT | RecordFlag.UPPER_CUT


@pytest.mark.parametrize(
    "stored", [{"PART": [7]}, {"part": [[1]]}], ids=["another type and case", "a type without rows"]
)
def test_a_column_stored_with_another_type_has_no_record(
    tmp_path: Path, stored: dict[str, list[object]]
) -> None:
    columns = PartitionColumns(("part",))
    assert set(_records(tmp_path, "a", columns, {"id": [1], **stored})) == {"id"}


@pytest.mark.parametrize("stored", [["b"], pa.nulls(1, pa.string())], ids=["another value", "NULL"])
def test_the_path_overrides_the_file(tmp_path: Path, stored: list[object]) -> None:
    found = _records(tmp_path, "a", PartitionColumns(("part",)), {"id": [1], "Part": stored})["part"]
    assert (found.lower, found.upper, found.null_count, found.value_count) == (b"a", b"a", 0, 1)


def test_a_column_that_is_not_indexed_has_none(tmp_path: Path) -> None:
    options = IndexOptions({"part": "none"})
    assert set(_records(tmp_path, "Part=a/q=b", BOTH, {"id": [1]}, options)) == {"id", "q"}


@pytest.mark.parametrize("partition", ["", "Part=a", "a/b", "Part=a/q=b/c"])
def test_an_ambiguous_path_gives_no_records(tmp_path: Path, partition: str) -> None:
    assert set(_records(tmp_path, partition, BOTH, {"id": [1]})) == {"id"}


def test_a_table_with_all_columns_in_its_files_has_none(tmp_path: Path) -> None:
    assert set(_records(tmp_path, "Part=a/q=b", IN_FILES, {"id": [1]})) == {"id"}


@pytest.mark.parametrize(
    ("hive_type", "text", "value"),
    [
        ("int", "7", 7),
        ("bigint", "-7", -7),
        ("int", "2147483648", None),
        ("int", "007", None),
        ("int", "+7", None),
        ("int", "-0", None),
        ("int", "\u0667", None),
        ("boolean", "true", True),
        ("boolean", "TRUE", None),
        ("date", "2026-01-03", dt.date(2026, 1, 3)),
        ("date", "2026-1-3", None),
        ("date", "2026-02-30", None),
        ("date", "20260103", None),
        ("date", "1582-10-04", None),
        ("string", "007", "007"),
        ("string", "default", "default"),
        ("timestamp", "2026-01-03 00:00:00", None),
        ("double", "1.0", None),
    ],
)
def test_a_path_has_a_value_if_hudi_writes_no_other_text_for_it(
    hive_type: str, text: str, value: Value | None
) -> None:
    found = PartitionColumns(("P",), hive_style=True).constants(f"P={text}", {"p": HiveType(hive_type)})
    assert found == ({} if value is None else {"p": encode_value(HiveType(hive_type), value)})


def test_the_folder_of_null_is_null() -> None:
    types = {"a": HiveType("int"), "b": HiveType("double"), "c": HiveType("string")}
    null = "__HIVE_DEFAULT_PARTITION__"
    found = PartitionColumns(("a", "b", "c")).constants(f"{null}/{null}/{null}", types)
    assert found == {"a": None, "c": None}


def test_an_unclear_path_has_no_values() -> None:
    types = {"a": HiveType("string"), "b": HiveType("string")}
    assert PartitionColumns(("a", "b")).constants("x/y/z", types) == {}
