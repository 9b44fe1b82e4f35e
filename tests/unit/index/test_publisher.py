"""Publishing: races lose nothing, crashes leave the old or the new generation, old files go in time."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from pycompiler.compile.values.encoding import encode_value
from pycompiler.index.errors import IndexDamagedError, PublishError
from pycompiler.index.file_systems.local import LocalStorage
from pycompiler.index.folding import MAX_DATA_FILES
from pycompiler.index.index import StatisticsIndex
from pycompiler.index.manifest import manifest_name
from pycompiler.index.publisher import IndexPublisher
from tests.records import write_records

from .faults import COMMITS, commits
from .samples import BIGINT, add, bounds_in, delta, record

pytestmark = pytest.mark.slow

WRITERS = 4


def test_writers_in_threads_lose_nothing(storage: LocalStorage, tmp_path: Path) -> None:
    with ThreadPoolExecutor(WRITERS) as pool:
        list(pool.map(commits, [str(tmp_path)] * WRITERS, range(WRITERS)))
    expected = {f"p/w{writer}c{commit}.parquet" for writer in range(WRITERS) for commit in range(COMMITS)}
    index = StatisticsIndex.open(tmp_path)
    assert index.manifest.generation == WRITERS * COMMITS, "every publication is one generation"
    assert set(index.files()) == expected, "no writer's files may be lost"
    for column in ("a", "b"):
        assert set(bounds_in(tmp_path, column)) == expected
    assert len(index.manifest.data_files) <= MAX_DATA_FILES + 1, "deltas are folded"
    index.check()


def test_the_last_published_row_of_a_file_is_in_force(storage: LocalStorage, tmp_path: Path) -> None:
    for lower in range(3 * MAX_DATA_FILES):
        add(storage, record("a", "f.parquet", lower, 99), record("b", f"g{lower}.parquet"))
        assert bounds_in(tmp_path, "a") == {"p/f.parquet": encode_value(BIGINT, lower)}
    assert len(bounds_in(tmp_path, "b")) == 3 * MAX_DATA_FILES


def test_compaction_drops_rows_of_files_that_are_gone(storage: LocalStorage, tmp_path: Path) -> None:
    publisher = IndexPublisher(storage)
    live = {"p/keep.parquet"}
    base = None
    for number in range(MAX_DATA_FILES + 1):
        data_files = write_records(
            storage, [record("a", "keep.parquet"), record("a", f"gone{number}.parquet")]
        )
        base = publisher.add(delta(data_files, live=live, base=base)).generation
    index = StatisticsIndex.open(tmp_path)
    assert set(index.files()) == live
    assert len(index.manifest.data_files) == 1


def test_compaction_after_a_race_drops_nothing(storage: LocalStorage, tmp_path: Path) -> None:
    publisher = IndexPublisher(storage)
    for number in range(MAX_DATA_FILES):
        add(storage, record("a", f"f{number}.parquet"))
    outdated = delta(write_records(storage, [record("a", "mine.parquet")]), live={"p/mine.parquet"}, base=1)
    publisher.add(outdated)
    assert set(StatisticsIndex.open(tmp_path).files()) == {
        "p/mine.parquet",
        *(f"p/f{number}.parquet" for number in range(MAX_DATA_FILES)),
    }


def test_a_large_data_file_is_not_rewritten_for_small_commits(storage: LocalStorage, tmp_path: Path) -> None:
    add(storage, *(record("a", f"old{number}.parquet") for number in range(1000)))
    large = StatisticsIndex.open(tmp_path).manifest.data_files[0]
    for number in range(4 * MAX_DATA_FILES):
        add(storage, record("a", f"new{number}.parquet"))
    manifest = StatisticsIndex.open(tmp_path).manifest
    assert manifest.data_files[0] == large
    assert len(manifest.data_files) <= MAX_DATA_FILES + 1
    assert len(bounds_in(tmp_path, "a")) == 1000 + 4 * MAX_DATA_FILES


def test_a_rebuild_keeps_concurrent_publications(storage: LocalStorage, tmp_path: Path) -> None:
    before = add(storage, record("a", "old.parquet"))
    publisher = IndexPublisher(storage)
    rebuilt = write_records(storage, [record("a", "built.parquet")])
    add(storage, record("a", "meanwhile.parquet"))
    replaced = frozenset(data_file.name for data_file in before.data_files)
    publisher.replace(delta(rebuilt, base=before.generation), replaced)
    assert set(bounds_in(tmp_path, "a")) == {"p/built.parquet", "p/meanwhile.parquet"}


def test_a_rebuild_does_not_bring_back_rows_folded_meanwhile(storage: LocalStorage, tmp_path: Path) -> None:
    before = [add(storage, record("a", f"old{number}.parquet")) for number in range(MAX_DATA_FILES)][-1]
    publisher = IndexPublisher(storage)
    rebuilt = write_records(storage, [record("a", "built.parquet")])
    folded = add(storage, record("a", "meanwhile.parquet"))
    assert not set(before.data_files) <= set(folded.data_files), "it should have folded"
    replaced = frozenset(data_file.name for data_file in before.data_files)
    manifest = publisher.replace(delta(rebuilt, base=before.generation), replaced)
    assert manifest.data_files == rebuilt
    assert set(bounds_in(tmp_path, "a")) == {"p/built.parquet"}


def test_an_instant_goes_back_after_a_restore_but_not_in_a_race(storage: LocalStorage) -> None:
    publisher = IndexPublisher(storage)
    publisher.add(delta((), instant="5"))
    assert publisher.add(delta((), instant="3", base=None)).instant == "5", "listed before the winner"
    assert publisher.add(delta((), instant="4", base=2)).instant == "4", "restored"


def test_a_damaged_manifest_is_superseded(storage: LocalStorage, tmp_path: Path) -> None:
    add(storage, record("a", "f1.parquet"))
    (storage.folder / manifest_name(1)).write_bytes(b"rubbish")
    manifest = add(storage, record("a", "f2.parquet"))
    assert manifest.generation == 2
    assert set(bounds_in(tmp_path, "a")) == {"p/f2.parquet"}


def test_a_missing_data_file_is_not_published(storage: LocalStorage) -> None:
    publisher = IndexPublisher(storage)
    data_files = write_records(storage, [record("a", "f.parquet")])
    storage.delete(data_files[0].name)
    with pytest.raises(PublishError, match="removed before it was published"):
        publisher.add(delta(data_files))
    assert storage.names() == []


def test_a_damaged_data_file_is_not_folded_into_a_good_one(storage: LocalStorage, tmp_path: Path) -> None:
    for number in range(MAX_DATA_FILES):
        add(storage, record("a", f"f{number}.parquet"))
    victim = storage.folder / StatisticsIndex.open(tmp_path).manifest.data_files[3].name
    victim.write_bytes(victim.read_bytes()[:-1])
    with pytest.raises(PublishError, match="rebuild it"):
        add(storage, record("a", "one_more.parquet"))
    with pytest.raises(IndexDamagedError):
        StatisticsIndex.open(tmp_path).check()


def test_a_reader_keeps_its_generation_while_newer_ones_are_published_and_cleaned(
    storage: LocalStorage, tmp_path: Path
) -> None:
    add(storage, record("a", "f0.parquet"))
    reader = StatisticsIndex.open(tmp_path)
    for number in range(1, 3 * MAX_DATA_FILES):
        add(storage, record("a", f"f{number}.parquet"))
    assert set(reader.statistics(["a"])["a"]) == {"p/f0.parquet"}
