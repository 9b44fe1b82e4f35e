"""Compaction leaves one data file, with the table's files only, and no unused files."""

from pathlib import Path

import pytest

from pycompiler.compile.values.encoding import encode_value
from pycompiler.index.compactor import compact
from pycompiler.index.errors import IndexDamagedError, IndexMissingError
from pycompiler.index.file_systems.local import LocalStorage
from pycompiler.index.folding import MAX_DATA_FILES
from pycompiler.index.index import StatisticsIndex
from pycompiler.index.manifest import manifest_name
from pycompiler.index.publisher import IndexPublisher
from tests.records import write_records

from .samples import BIGINT, add, bounds_in, create, delta, record


def test_all_data_files_become_one_whatever_their_size(storage: LocalStorage, tmp_path: Path) -> None:
    add(storage, *(record("a", f"old{number}.parquet", number) for number in range(500)), instant="7")
    add(storage, record("a", "old3.parquet", 33), record("b", "new.parquet"), instant="8")
    before = bounds_in(tmp_path, "a")
    live = StatisticsIndex.open(tmp_path).files().keys()
    done = compact(storage, lambda: live)
    assert (done.published, done.data_files_before, done.data_files, done.files_dropped) == (True, 2, 1, 0)
    assert bounds_in(tmp_path, "a") == before
    assert before["p/old3.parquet"] == encode_value(BIGINT, 33), "the last published row is the one in force"
    index = StatisticsIndex.open(tmp_path)
    assert index.files().keys() == live
    assert index.manifest.instant == "8", "compacting sees no more of the table than the index did"
    index.check()


def test_rows_of_files_that_are_gone_are_dropped(storage: LocalStorage, tmp_path: Path) -> None:
    add(storage, record("a", "keep.parquet"), record("a", "gone.parquet"))
    done = compact(storage, lambda: {"p/keep.parquet", "p/not_indexed.parquet"})
    assert (done.published, done.files_dropped) == (True, 1)
    assert set(StatisticsIndex.open(tmp_path).files()) == {"p/keep.parquet"}
    assert compact(storage, lambda: ()).data_files == 0, "of a table without files, nothing is left"
    assert StatisticsIndex.open(tmp_path).files() == {}


def test_a_compact_index_is_not_changed(storage: LocalStorage) -> None:
    add(storage, record("a", "f.parquet"))
    before = storage.names()
    done = compact(storage, lambda: {"p/f.parquet"}, grace_seconds=0)
    assert (done.published, done.generation, done.removed) == (False, 1, ())
    assert storage.names() == before


def test_kept_files_are_reported_with_the_reason(storage: LocalStorage, tmp_path: Path) -> None:
    for number in range(MAX_DATA_FILES):
        add(storage, record("a", f"f{number}.parquet"))
    for name in ("data-crashed.parquet", ".tmp-crashed", "notes.txt"):
        create(storage, name)
    live = StatisticsIndex.open(tmp_path).files().keys()
    before = StatisticsIndex.open(tmp_path).manifest
    listed = {manifest_name(before.generation), *(data_file.name for data_file in before.data_files)}
    done = compact(storage, lambda: live)
    assert done.removed == (), "all is younger than a day"
    assert set(done.kept_for_readers) == listed
    assert {"data-crashed.parquet", ".tmp-crashed", manifest_name(1)} <= set(done.kept_in_grace)
    again = compact(storage, lambda: live, grace_seconds=0)
    assert set(again.removed) == set(done.kept_in_grace)
    assert set(again.kept_for_readers) == listed, "queries may have it open"
    assert again.kept_in_grace == ()
    (data_file,) = StatisticsIndex.open(tmp_path).manifest.data_files
    assert set(storage.names()) == {
        data_file.name,
        manifest_name(done.generation),
        *done.kept_for_readers,
        "notes.txt",
    }, "nothing is left behind, and what isn't the index's is left alone"


def test_concurrent_publications_stay_and_win(storage: LocalStorage, tmp_path: Path) -> None:
    add(storage, record("a", "f.parquet", 1))
    add(storage, record("a", "g.parquet", 1))

    def list_slowly() -> set[str]:
        add(storage, record("a", "g.parquet", 2), record("a", "new.parquet", 3), instant="9")
        return {"p/f.parquet", "p/g.parquet"}

    done = compact(storage, list_slowly)
    assert done.data_files == 2, "what came meanwhile is a data file of its own"
    assert bounds_in(tmp_path, "a") == {
        f"p/{name}.parquet": encode_value(BIGINT, lower) for name, lower in (("f", 1), ("g", 2), ("new", 3))
    }
    assert StatisticsIndex.open(tmp_path).manifest.instant == "9"


def test_rows_from_before_a_build_do_not_come_back(storage: LocalStorage, tmp_path: Path) -> None:
    add(storage, record("a", "f.parquet", 1), record("wrong", "f.parquet", 1))
    before = add(storage, record("a", "g.parquet", 1))
    listings: list[None] = []

    def list_slowly() -> set[str]:
        if not listings:
            publisher = IndexPublisher(storage)
            replaced = frozenset(data_file.name for data_file in before.data_files)
            built = write_records(storage, [record("a", "f.parquet", 5)])
            publisher.replace(delta(built, base=before.generation), replaced)
        listings.append(None)
        return {"p/f.parquet", "p/g.parquet"}

    assert compact(storage, list_slowly).data_files == 1
    assert len(listings) == 2, "it starts again"
    assert StatisticsIndex.open(tmp_path).columns() == ["a"]
    assert bounds_in(tmp_path, "a") == {"p/f.parquet": encode_value(BIGINT, 5)}
    assert len([name for name in storage.names() if name.startswith("data-")]) == 3, "its own attempt is gone"


def test_a_missing_or_damaged_index_is_not_compacted(storage: LocalStorage) -> None:
    with pytest.raises(IndexMissingError):
        compact(storage, lambda: ())
    add(storage, record("a", "f.parquet"))
    victim = storage.folder / add(storage, record("a", "g.parquet")).data_files[0].name
    victim.write_bytes(victim.read_bytes()[:-1])
    with pytest.raises(IndexDamagedError):
        compact(storage, lambda: {"p/f.parquet"})
