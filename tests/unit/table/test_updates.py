"""Updates by the timeline, held against updates that list the table, over histories of every kind."""

import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from pycompiler.index.compactor import compact
from pycompiler.index.errors import IndexDamagedError, OvertakenError
from pycompiler.index.file_systems.interface import INDEX_FOLDER
from pycompiler.index.file_systems.local import LocalStorage
from pycompiler.index.index import StatisticsIndex
from pycompiler.index.manifest import LiveTotals, manifest_name, serialize_manifest
from pycompiler.table.update_work import by_listing, by_timeline

from .simulated_table import VERSIONS, SimulatedTable, step
from .updating import Snapshot, another_index, carry_out, update, update_by_listing

pytestmark = pytest.mark.slow

HISTORIES = 6
STEPS = 25


@pytest.fixture(params=VERSIONS, ids=lambda version: f"version {version}")
def version(request: pytest.FixtureRequest) -> int:
    number: int = request.param
    return number


@pytest.fixture
def table(tmp_path: Path, version: int) -> SimulatedTable:
    """A table of four files, indexed."""
    table = SimulatedTable(tmp_path / "t", version)
    table.commit(new=4)
    assert update(table) == "the table has no index yet"
    return table


def _require_right(table: SimulatedTable, what: str) -> None:
    snapshot = Snapshot.of(table.root)
    live = [file.path for file in table.live().values()]
    assert sorted(snapshot.files) == sorted(live), what
    sizes = {path: (table.root / path).stat().st_size for path in live}
    assert {path: size for path, (size, _) in snapshot.files.items()} == sizes, what
    rows = sum(rows for _, rows in snapshot.files.values())
    assert snapshot.manifest[1] == LiveTotals(len(live), rows, sum(sizes.values())), what
    assert len(snapshot.records) == 2 * len(live), f"{what}: a record for each column and file"


@pytest.mark.selected(4)
@pytest.mark.parametrize("seed", range(HISTORIES))
def test_after_any_history_both_kinds_of_update_agree(tmp_path: Path, version: int, seed: int) -> None:
    choose = random.Random(seed)
    table = SimulatedTable(tmp_path / "t", version)
    table.commit(new=3)
    update(table)
    with another_index(table.root):
        update_by_listing(table)
    history: list[str] = []
    listed: Counter[str | None] = Counter()
    for _ in range(STEPS):
        history.append(step(table, choose))
        if choose.random() < 0.4:
            continue
        listed[update(table)] += 1
        what = f"seed {seed}: {', '.join(history)}"
        _require_right(table, what)
        snapshot = Snapshot.of(table.root)
        with another_index(table.root):
            update_by_listing(table)
            assert Snapshot.of(table.root) == snapshot, what
        if choose.random() < 0.1:
            compact(LocalStorage(table.root), lambda: {file.path for file in table.live().values()})
            _require_right(table, f"{what}, compacted")
            history.append("compact")
    assert listed[None] > sum(listed.values()) / 3, f"most updates go by the timeline: {listed}"


def test_commits_are_found_in_any_order_of_completion(table: SimulatedTable) -> None:
    early, late = table.request((), 1), table.request((), 2)
    table.complete(late)
    assert update(table) is None
    _require_right(table, "the later one is complete")
    table.complete(early)
    assert update(table) is None
    _require_right(table, "and the earlier one")
    assert StatisticsIndex.open(table.root).manifest.instant == late.instant


def test_a_file_written_by_two_new_commits_is_read_once(table: SimulatedTable) -> None:
    group = min(table.live())
    table.commit([group])
    table.commit([group])
    work = by_timeline(str(table.root))
    assert [file.relative_path for file in work.new] == [table.live()[group].path]
    assert [file.path.rpartition("_")[2] for file in work.gone] == ["20260101000000001.parquet"]


def test_new_file_groups_are_not_looked_up(table: SimulatedTable, monkeypatch: pytest.MonkeyPatch) -> None:
    def looked_up(*_: object) -> None:
        pytest.fail("the index was asked for the files of a group")

    table.commit(new=3)
    monkeypatch.setattr(StatisticsIndex, "live_files", looked_up)
    assert len(by_timeline(str(table.root)).new) == 3


def test_rows_of_rewritten_and_replaced_files_do_not_accumulate(table: SimulatedTable) -> None:
    for number in range(60):
        groups = sorted(table.live())
        table.commit([groups[0]]) if number % 2 else table.commit((), 1, [groups[-1]])
        assert update(table) is None
    index = StatisticsIndex.open(table.root)
    assert len(index.files()) < 30, "64 files have been written, and 4 are left"
    assert len(index.manifest.data_files) <= 8
    _require_right(table, "after all")


@pytest.mark.parametrize(
    ("undo", "reason"),
    [
        ("roll back last", "undid commits|is not on the timeline"),
        ("roll back pending", "undid commits"),
        ("restore", "undid commits"),
        ("rollback under way", "is in progress"),
        ("archive all", "is not on the timeline"),
        ("archive a pending one", "was archived or undone"),
        ("savepoint", "has a savepoint"),
        ("unknown action", "is of an unknown kind"),
        ("version", "is not on the timeline|undid commits"),
        ("log file", "is not a base file"),
        ("size", "does not record the size"),
        ("garbage", "cannot be read as a commit"),
        ("unknown predecessor", "replaces a file that the index does not have"),
        ("unknown group", "replaced file group"),
        ("old manifest", "does not record which commits"),
    ],
)
def test_the_table_is_listed_if_the_timeline_is_inconclusive(
    table: SimulatedTable, undo: str, reason: str
) -> None:
    folder = table.timeline_folder
    saved = table.commit(new=1)
    pending = table.request((), 1)
    update(table)
    table.commit([min(table.live())], 1)
    last = max(table.commits, key=lambda commit: commit.instant)
    name = next(
        file.name
        for file in folder.iterdir()
        if file.name.startswith(last.instant) and file.suffix == ".commit"
    )
    match undo:
        case "roll back last":
            update(table)
            table.roll_back_last()
        case "roll back pending":
            table.roll_back_pending(pending)
        case "restore":
            table.restore(saved.instant)
        case "rollback under way":
            (folder / "20270101000000000.rollback.inflight").touch()
        case "archive all":
            table.complete(pending)
            for _ in range(3):
                table.commit(new=1)
            table.archive(1, beyond_savepoints=False)
        case "archive a pending one":
            table.complete(pending)
            table.archived.add(pending.instant)
            for file in folder.glob(f"{pending.instant}*"):
                file.unlink()
        case "savepoint":
            table.save(saved.instant)
        case "unknown action":
            (folder / "20270101000000000.reordering").touch()
        case "version":
            table.change_version()
        case "log file":
            _rewrite(folder / name, '.parquet"', '.log.1"')
        case "size":
            _rewrite(folder / name, '"fileSizeInBytes": ', '"fileSizeInBytes": -')
        case "garbage":
            (folder / name).write_text("{")
        case "unknown predecessor":
            _rewrite(folder / name, '"prevCommit": "2026', '"prevCommit": "2025')
        case "unknown group":
            _rewrite(folder / name, "{", '{"partitionToReplaceFileIds": {"east": ["f9999-0"]}, ')
        case "old manifest":
            listing = by_timeline(str(table.root))
            carry_out(table, listing)
            _forget_timeline(table)
    found = update(table)
    assert found is not None
    assert any(part in found for part in reason.split("|")), found
    if undo not in ("log file", "garbage"):
        _require_right(table, undo)


def _rewrite(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new, 1))


def _forget_timeline(table: SimulatedTable) -> None:
    """Publishes as a version of this program did that knew nothing of it."""
    manifest = StatisticsIndex.open(table.root).manifest
    newer = replace(manifest, generation=manifest.generation + 1, timeline=None)
    LocalStorage(table.root).publish(manifest_name(newer.generation), serialize_manifest(newer))


def test_an_overtaken_update_starts_again_from_the_new_generation(
    table: SimulatedTable,
) -> None:
    table.commit(new=1)
    overtaken = by_timeline(str(table.root))
    table.commit([min(table.live())])
    assert update(table) is None
    with pytest.raises(OvertakenError):
        carry_out(table, overtaken)
    assert update(table) is None
    _require_right(table, "nothing is counted twice")


def test_concurrent_listings_publish_no_timeline(table: SimulatedTable) -> None:
    table.commit(new=1)
    slow = by_listing(str(table.root), table.listing, False, "slow")
    table.commit(new=1)
    update(table)
    carry_out(table, slow)
    assert StatisticsIndex.open(table.root).manifest.timeline is None
    assert "does not record which commits" in (update(table) or "")
    _require_right(table, "listed once more")


def test_a_damaged_index_is_detected(table: SimulatedTable) -> None:
    (victim,) = (table.root / INDEX_FOLDER).glob("data-*")
    content = victim.read_bytes()
    middle = len(content) // 2
    victim.write_bytes(content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :])
    with pytest.raises(IndexDamagedError, match="checksum"):
        by_timeline(str(table.root))
    victim.unlink()
    table.commit(new=1)
    with pytest.raises(IndexDamagedError, match="is missing"):
        by_timeline(str(table.root))
    update(table)
    _require_right(table, "rebuilt")
