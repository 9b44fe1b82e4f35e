"""Folding keeps the last records of a file, and none of an earlier size."""

from collections.abc import Sequence
from dataclasses import replace
from unittest import mock

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pycompiler.index import blocks
from pycompiler.index.data_file import DataFileReader, write_data_file
from pycompiler.index.file_systems.interface import IndexStorage
from pycompiler.index.file_systems.local import LocalStorage
from pycompiler.index.folding import fold
from pycompiler.index.manifest import DataFile
from pycompiler.index.record_rows import file_table
from pycompiler.index.records import HoodieMetadataRecord, IndexedFile, file_rows
from tests.records import write_records

from .samples import record, records_in

Records = dict[tuple[str, str, str], HoodieMetadataRecord]


def _values(item: HoodieMetadataRecord, content: bytes) -> HoodieMetadataRecord:
    return replace(item, kind="values", content=content, lower=None, upper=None, null_count=None)


@st.composite
def _deltas(draw: st.DrawFn) -> list[list[HoodieMetadataRecord]]:
    """The records of several data files; files recur with the same or another size."""
    deltas = []
    for number in range(draw(st.integers(1, 4))):
        delta = []
        for name in draw(st.sets(st.sampled_from("abcdef"), min_size=1)):
            size = draw(st.sampled_from([100, 101]))
            for column in draw(st.sets(st.sampled_from(["x", "y", "z"]), min_size=1)):
                for kind in draw(st.sets(st.sampled_from(["range", "values"]), min_size=1)):
                    item = record(column, name, number, partition="p" if name < "d" else "", size=size)
                    if kind == "values":
                        item = _values(item, bytes([1, number]))
                    delta.append(item)
        deltas.append(delta)
    return deltas


def _expected(deltas: Sequence[Sequence[HoodieMetadataRecord]], live: set[str] | None) -> Records:
    sizes = {item.path: item.file_size for delta in deltas for item in delta}
    return {
        (item.kind, item.column, item.path): item
        for delta in deltas
        for item in delta
        if item.file_size == sizes[item.path] and (live is None or item.path in live)
    }


@settings(
    max_examples=50,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    deltas=_deltas(),
    live=st.none() | st.sets(st.sampled_from(["p/a", "p/b", "p/c", "d", "e"])),
    block_files=st.sampled_from([2, 100]),
)
def test_the_last_record_of_a_files_last_size_stays(
    storage: LocalStorage, deltas: list[list[HoodieMetadataRecord]], live: set[str] | None, block_files: int
) -> None:
    with mock.patch.multiple(blocks, BLOCK_FILES=block_files, ROW_GROUP_ROWS=3):
        data_files = [data_file for delta in deltas for data_file in write_records(storage, delta)]
        folded = fold(storage, data_files, live)
    found: Records = {}
    names: set[str] = set()
    if folded is not None:
        reader = DataFileReader(storage, folded)
        names = {
            f"{file['partition']}/{file['file_name']}".lstrip("/") for file in reader.files().to_pylist()
        }
        records = records_in(reader)
        found = {(item.kind, item.column, item.path): item for item in records}
        keys = [(item.kind, item.column, item.partition, item.file_name) for item in records]
        assert keys == sorted(set(keys)), "one record each, in order"
    assert found == _expected(deltas, live)
    everything = {item.path for delta in deltas for item in delta}
    assert names == (everything if live is None else everything & live), "a file without records stays known"


def test_rows_of_a_file_that_is_marked_as_gone_are_dropped_and_the_mark_stays_while_it_is_needed(
    storage: LocalStorage,
) -> None:
    (first,) = write_records(storage, [record("x", "gone"), record("x", "back"), record("x", "stays")])
    files = {file.file_name: file for file in _files(storage, [first])}
    marks = _marks(storage, [files["gone"], files["back"]])
    (again,) = write_records(storage, [record("x", "back", 5)])
    for keep_marks in (False, True):
        folded = fold(storage, [first, marks, again], None, keep_marks=keep_marks)
        assert folded is not None
        kept = {item.file_name for item in records_in(DataFileReader(storage, folded))}
        assert kept == {"back", "stays"}, "what came after the mark is in force"
        marked = {file.file_name for file in _files(storage, [folded]) if file.is_gone}
        assert marked == ({"gone"} if keep_marks else set())
    listed = fold(storage, [first, marks, again], {"p/stays"}, keep_marks=True)
    assert listed is not None
    assert {file.file_name: file.is_gone for file in _files(storage, [listed])} == {
        "gone": True,
        "stays": False,
    }
    assert fold(storage, [first, marks], {"p/gone"}) is None


def _files(storage: IndexStorage, data_files: Sequence[DataFile]) -> list[IndexedFile]:
    return [
        IndexedFile(*row.values())
        for data_file in data_files
        for row in DataFileReader(storage, data_file).files().to_pylist()
    ]


def _marks(storage: IndexStorage, files: Sequence[IndexedFile]) -> DataFile:
    marks = write_data_file(storage, file_table(file_rows(file.gone() for file in files)), [])
    assert marks is not None
    return marks
