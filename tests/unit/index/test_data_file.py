"""Data files: layout, partial reading, and every damage noticed."""

from dataclasses import replace
from unittest import mock

import pyarrow.parquet as pq
import pytest

from pycompiler.index import blocks
from pycompiler.index.blocks import BLOCK_FILES
from pycompiler.index.data_file import DataFileReader, write_data_file
from pycompiler.index.errors import IndexDamagedError
from pycompiler.index.file_systems.local import LocalStorage
from pycompiler.index.manifest import DataFile
from pycompiler.index.record_rows import SCHEMA, file_table, narrow
from pycompiler.index.records import RECORD_SCHEMA, HoodieMetadataRecord, to_table

from .page_headers import rows_of_data_pages
from .samples import record, records_in

pytestmark = pytest.mark.slow


def _records(columns: list[str], files: int) -> list[HoodieMetadataRecord]:
    return [
        record(column, f"f{number:06d}.parquet", number, number)
        for column in columns
        for number in range(files)
    ]


def _write(storage: LocalStorage, records: list[HoodieMetadataRecord], piece: int = 1000) -> DataFile:
    table = to_table(records)
    files = file_table(table)
    (rows,) = narrow([table], files)
    written = write_data_file(storage, files, (rows.slice(at, piece) for at in range(0, len(records), piece)))
    assert written is not None
    return written


def test_records_come_back_as_they_were_written(storage: LocalStorage) -> None:
    records = _records(["a", "b.c", "é"], 50)
    assert records_in(DataFileReader(storage, _write(storage, records))) == records


def _spans(written: DataFile) -> list[tuple[str, str, str, int, int, int]]:
    return [
        (group.kind, group.first_column, group.last_column, group.first_file, group.last_file, group.rows)
        for group in written.row_groups
    ]


def test_row_groups_hold_whole_columns_however_the_input_is_cut(storage: LocalStorage) -> None:
    records = _records([f"c{number:02d}" for number in range(10)], 5000)
    for piece in (777, 5000, len(records)):
        written = _write(storage, records, piece)
        assert _spans(written) == [
            ("files", "", "", 0, 4095, 4096),
            ("files", "", "", 4096, 4999, 904),
            ("range", "c00", "c02", 0, 4999, 15_000),
            ("range", "c03", "c05", 0, 4999, 15_000),
            ("range", "c06", "c08", 0, 4999, 15_000),
            ("range", "c09", "c09", 0, 4999, 5000),
        ], f"input cut every {piece} rows"
        assert all(group.block is None for group in written.row_groups), "small files are read whole"


def test_a_column_of_more_files_than_a_block_is_cut_into_blocks_of_the_same_files(
    storage: LocalStorage,
) -> None:
    records = _records(["a", "b"], BLOCK_FILES + 2)
    del records[0]
    written = _write(storage, records, piece=10_000)
    assert _spans(written) == [
        *(("files", "", "", at, at + 4095, 4096) for at in range(0, BLOCK_FILES, 4096)),
        ("files", "", "", BLOCK_FILES, BLOCK_FILES + 1, 2),
        ("range", "a", "a", 1, BLOCK_FILES - 1, BLOCK_FILES - 1),
        ("range", "a", "a", BLOCK_FILES, BLOCK_FILES + 1, 2),
        ("range", "b", "b", 0, BLOCK_FILES - 1, BLOCK_FILES),
        ("range", "b", "b", BLOCK_FILES, BLOCK_FILES + 1, 2),
    ]
    assert all((group.block is not None) == (group.kind == "range") for group in written.row_groups)
    assert (written.files, written.records) == (BLOCK_FILES + 2, len(records))
    assert records_in(DataFileReader(storage, written)) == records


@pytest.mark.parametrize(
    ("files", "rows_of_pages"),
    [
        pytest.param(1288, [1288] * 12, id="a column"),
        pytest.param(500, [1500] * 10 + [500], id="three columns"),
        pytest.param(BLOCK_FILES + 2, [BLOCK_FILES], id="all of a block"),
    ],
)
def test_pages_hold_whole_columns(storage: LocalStorage, files: int, rows_of_pages: list[int]) -> None:
    written = _write(storage, _records([f"c{number:02d}" for number in range(31)], files))
    group = next(group for group in written.row_groups if group.kind == "range")
    for name in ("lower", "upper", "null_count"):
        position = SCHEMA.get_field_index(name)
        start = group.offset + sum(group.chunks[:position])
        chunk = storage.read(written.name, start, group.chunks[position])
        assert rows_of_data_pages(chunk) == rows_of_pages, f"pages of {name}"


def test_only_row_groups_of_the_wanted_columns_are_read(storage: LocalStorage) -> None:
    written = _write(storage, _records([f"c{number:02d}" for number in range(10)], 5000))
    first = next(at for at, group in enumerate(written.row_groups) if group.kind == "range")
    _flip(storage, written, written.row_groups[first].offset + 10)
    rows = records_in(DataFileReader(storage, written), ["c04"])
    assert {row.column for row in rows} == {"c04"} and len(rows) == 5000, "damage elsewhere must not matter"
    with pytest.raises(IndexDamagedError, match=f"row group {first}"):
        records_in(DataFileReader(storage, written), ["c01"])


def test_files_are_read_without_any_column(storage: LocalStorage) -> None:
    written = _write(storage, _records(["a", "b"], 3))
    for group in written.row_groups[1:]:
        _flip(storage, written, group.offset + 10)
    assert DataFileReader(storage, written).files().num_rows == 3, "rows of columns must not be read"


def _of_groups(groups: list[tuple[str, str]]) -> list[HoodieMetadataRecord]:
    """Records of a base file and a log file of each group, in the order of a data file."""
    records = [
        replace(record("a", name, partition=partition), file_id=file_id)
        for partition, file_id in groups
        for name in (f"{file_id}_0-1-0_001.parquet", f".{file_id}_001.log.1")
    ]
    return sorted(records, key=lambda row: (row.partition.encode(), row.file_name.encode()))


def test_files_of_a_group_are_found_without_reading_those_of_others(storage: LocalStorage) -> None:
    groups = [(f"p{number % 3}", f"id-{number:05d}") for number in range(9000)]
    written = _write(storage, _of_groups(groups))
    parts = [group for group in written.row_groups if group.kind == "files"]
    _flip(storage, written, parts[-1].offset + 10)
    reader = DataFileReader(storage, written)
    asked = {("p0", "id-00000"), ("p0", "id-04500"), ("p1", "id-00001"), ("p1", "id-00000")}
    found = [(file["partition"], file["file_id"]) for file in reader.files_of(asked).to_pylist()]
    assert {*groups} & asked <= {*found}, "all files of the groups, whatever is damaged elsewhere"
    assert found.count(("p0", "id-04500")) == 2
    with pytest.raises(IndexDamagedError, match="row group"):
        reader.files_of({groups[-1]})


def test_all_files_of_all_groups_are_found(storage: LocalStorage) -> None:
    ids = ["a", "a-", "a_", "a`", "a0", "A", "é", "\U0001f600", "."]
    groups = [(partition, file_id) for partition in ("", "p", "p/q", "p-") for file_id in ids]
    records = _of_groups(groups)
    with mock.patch.object(blocks, "FILES_GROUP_ROWS", 3):
        reader = DataFileReader(storage, _write(storage, records))
    for group in groups:
        found = reader.files_of({group}).to_pylist()
        assert [(file["partition"], file["file_id"]) for file in found].count(group) == 2, group
    assert reader.files_of(groups).num_rows == len(records), "names of one are between those of another"


def test_base_files_are_numbered_in_the_order_of_their_names_as_utf8(storage: LocalStorage) -> None:
    names = [("", "z"), ("\uffff", "a"), ("\U0001f600", "a"), ("p", "b"), ("p", "B"), ("p/q", "a")]
    records = [record("a", name, partition=partition) for partition, name in names]
    in_order = sorted(records, key=lambda row: (row.partition.encode(), row.file_name.encode()))
    files = DataFileReader(storage, _write(storage, in_order)).files().to_pylist()
    found = [(file["partition"], file["file_name"]) for file in files]
    assert found == [(row.partition, row.file_name) for row in in_order]


def test_records_that_disagree_about_a_file_are_not_written_into_one_data_file() -> None:
    with pytest.raises(ValueError, match="differ in its size"):
        file_table(to_table([record("a", "f.parquet"), record("b", "f.parquet", size=7)]))


def test_the_file_is_plain_parquet_in_the_documented_schema(storage: LocalStorage) -> None:
    written = _write(storage, _records(["a"], 3))
    file = pq.ParquetFile(storage.folder / written.name)
    assert file.schema_arrow == SCHEMA
    assert file.metadata.row_group(0).column(0).compression == "ZSTD"


def test_without_files_there_is_no_data_file(storage: LocalStorage) -> None:
    assert write_data_file(storage, file_table(RECORD_SCHEMA.empty_table()), []) is None
    assert storage.names() == []


def test_a_file_without_columns_is_known(storage: LocalStorage) -> None:
    files = file_table(to_table(_records(["a"], 3)))
    written = write_data_file(storage, files, [])
    assert written is not None and written.records == 0
    assert DataFileReader(storage, written).files().equals(files)


def _everything(storage: LocalStorage, written: DataFile) -> None:
    reader = DataFileReader(storage, written)
    reader.files()
    records_in(reader)


def test_every_flipped_byte_is_noticed(storage: LocalStorage) -> None:
    records = _records(["a", "b"], 3)
    written = _write(storage, records)
    covered = written.row_groups[0].offset
    for position in range(covered, written.size):
        _flip(storage, written, position)
        with pytest.raises(IndexDamagedError):
            _everything(storage, written)
        with pytest.raises(IndexDamagedError):
            DataFileReader(storage, written).check()
        _flip(storage, written, position)
    assert covered == len(b"PAR1"), "all but the magic number at the start is covered"
    assert records_in(DataFileReader(storage, written)) == records


def test_a_truncated_or_grown_file_is_noticed(storage: LocalStorage) -> None:
    written = _write(storage, _records(["a"], 3))
    path = storage.folder / written.name
    content = path.read_bytes()
    for damaged in (b"", content[:100], content[:-1], content + b"x"):
        path.write_bytes(damaged)
        with pytest.raises(IndexDamagedError, match="bytes instead of"):
            _everything(storage, written)


def test_a_missing_file_is_noticed_when_it_is_needed(storage: LocalStorage) -> None:
    written = _write(storage, _records(["a", "b"], 3))
    storage.delete(written.name)
    assert records_in(DataFileReader(storage, written), ["zz"]) == [], "a column without rows opens nothing"
    with pytest.raises(IndexDamagedError, match="is missing"):
        _everything(storage, written)


def _flip(storage: LocalStorage, data_file: DataFile, position: int) -> None:
    path = storage.folder / data_file.name
    content = bytearray(path.read_bytes())
    content[position] ^= 0x10
    path.write_bytes(bytes(content))
