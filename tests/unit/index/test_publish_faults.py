"""Publishing and compacting that fail or are killed at every step: readers stay right, the next one heals."""

import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest

from pycompiler.compile.values.encoding import encode_value
from pycompiler.index.compactor import compact
from pycompiler.index.errors import IndexUnavailableError, PublishError
from pycompiler.index.file_systems.factory import open_storage
from pycompiler.index.file_systems.local import LocalStorage
from pycompiler.index.folding import MAX_DATA_FILES
from pycompiler.index.index import StatisticsIndex
from pycompiler.index.manifest import manifest_name
from pycompiler.index.publisher import IndexPublisher
from tests.records import write_records
from tests.stores.tables import make_table

from .faults import GONE, OPERATIONS, Faults, publish, raise_error, start
from .samples import BIGINT, add, bounds_in, create, delta, record, storage_of

pytestmark = pytest.mark.slow

NEW = "p/new.parquet"
STEPS = range(1000)
"""More than there are."""
PARTS = 4
PARTS_ELSEWHERE = 20
"""On other file systems a step takes long."""
LEAST_STEPS = 25
"""Fewer than the steps of writing, folding, publishing and cleaning: not all of them were gone through."""


@pytest.fixture(scope="module")
def pristine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index of so many data files that the next publication folds them; and of files to clean away."""
    folder = tmp_path_factory.mktemp("pristine") / "t"
    storage = storage_of(folder)
    for number in range(MAX_DATA_FILES):
        add(storage, record("a", f"f{number}.parquet", number), record("b", f"f{number}.parquet"))
    for name in ("data-crashed.parquet", ".tmp-crashed"):
        create(storage, name)
    return folder


@pytest.fixture(autouse=True)
def no_waiting_for_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """A killed process loses nothing that it wrote, synced or not; only a crash of the machine could."""
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)


def _require_right(table: str, operation: str, step: str) -> None:
    changed = {"publish": NEW, "compact": GONE}[operation]
    bounds = {f"p/f{number}.parquet": encode_value(BIGINT, number) for number in range(MAX_DATA_FILES)}
    found = {path: bound for path, bound in bounds_in(table, "a").items() if path != changed}
    bounds.pop(changed, None)
    assert found == bounds, f"{step}: rows of other files must stay as they were"
    StatisticsIndex.open(table).check()


def _require_healing(table: str, step: str) -> None:
    storage = open_storage(table)
    known = StatisticsIndex.open(table).files().keys()
    publish(storage, table)
    healed = StatisticsIndex.open(table).files().keys()
    assert healed == known | {NEW}, f"{step}: the next publication must heal"
    done = compact(storage, lambda: healed, grace_seconds=0)
    index = StatisticsIndex.open(table)
    assert index.files().keys() == healed, f"{step}: compacting keeps what the table has"
    assert done.kept_in_grace == () and len(index.manifest.data_files) == 1
    assert set(storage.names()) - set(done.kept_for_readers) == {
        manifest_name(index.manifest.generation),
        index.manifest.data_files[0].name,
    }, f"{step}: something is left behind"


@pytest.mark.selected(1)
@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize("reads", [False, True], ids=["writing", "reading"])
@pytest.mark.parametrize("part", range(PARTS))
def test_a_failure_at_any_step_leaves_a_whole_index_and_the_next_publication_heals(
    tmp_path: Path, pristine: Path, operation: str, reads: bool, part: int
) -> None:
    for step in STEPS[part::PARTS]:
        folder = tmp_path / str(step)
        shutil.copytree(pristine, folder)
        if _ran_through(str(folder), operation, step, reads):
            return
        shutil.rmtree(folder)
    pytest.fail("never ran through")


@pytest.mark.full
@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize("kind", ["hdfs", "s3"])
@pytest.mark.parametrize("part", range(PARTS_ELSEWHERE))
def test_a_failure_at_any_step_on_hdfs_and_object_stores_heals_too(
    tmp_path: Path, pristine: Path, request: pytest.FixtureRequest, kind: str, operation: str, part: int
) -> None:
    files = {path.name: path.read_bytes() for path in storage_of(pristine).folder.iterdir()}
    lake = f"{request.getfixturevalue(kind)}/{tmp_path.name}"
    for step in STEPS[part::PARTS_ELSEWHERE]:
        table = make_table(f"{lake}/{step}")
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(partial(create, open_storage(table)), files.keys(), files.values()))
        if _ran_through(table, operation, step, reads=False):
            return
    pytest.fail("never ran through")


def _ran_through(table: str, operation: str, step: int, reads: bool) -> bool:
    """Makes an operation fail at a step; returns whether it had fewer steps and succeeded."""
    reader = StatisticsIndex.open(table)
    storage = open_storage(table)
    faults = Faults(storage, step, raise_error, reads=reads)
    try:
        OPERATIONS[operation](storage, table)
    except (OSError, PublishError, IndexUnavailableError) as error:
        assert "injected" in str(error), error
    where = f"step {step}: {faults.failed_at}"
    reader.check()
    _require_right(table, operation, where)
    # A failed look leaves what the change before it does.
    if not reads:
        _require_healing(table, where)
    if faults.failed_at:
        return False
    assert step > LEAST_STEPS, "the steps of writing, folding, publishing and cleaning"
    return True


@pytest.mark.full
@pytest.mark.parametrize("operation", OPERATIONS)
def test_a_kill_at_any_step_leaves_a_whole_index_and_the_next_publication_heals(
    tmp_path: Path, pristine: Path, operation: str
) -> None:
    assert start("killed", operation, pristine, tmp_path).wait() == 0
    steps = sorted(tmp_path.iterdir(), key=lambda folder: int(folder.name))
    assert len(steps) > LEAST_STEPS, "the steps of writing, folding, publishing and cleaning"
    for folder in steps:
        _require_right(str(folder), operation, f"killed at step {folder.name}")
        _require_healing(str(folder), f"killed at step {folder.name}")


class OvertakenStorage(LocalStorage):
    """Just before the first manifest is published, others publish and clean, and again."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._others = 3

    def publish(self, name: str, content: bytes) -> None:
        while self._others:
            self._others -= 1
            other = LocalStorage(self.folder.parents[1])
            publisher = IndexPublisher(other, grace_seconds=0)
            publisher.add(delta(write_records(other, [record("a", f"other{self._others}.parquet")])))
        super().publish(name, content)


def test_a_publication_whose_number_was_used_and_cleaned_fails(tmp_path: Path) -> None:
    add(storage_of(tmp_path), record("a", "f.parquet"))
    storage = OvertakenStorage(tmp_path)
    publisher = IndexPublisher(storage)
    with pytest.raises(PublishError, match="later publications have already replaced"):
        publisher.add(delta(write_records(storage, [record("a", "mine.parquet")])))
    assert set(StatisticsIndex.open(tmp_path).files()) == {
        "p/f.parquet",
        *(f"p/other{number}.parquet" for number in range(3)),
    }
