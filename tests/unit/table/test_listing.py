"""A listing of a simulated table shows the files that its history left live, or says why it cannot tell."""

import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest

from pycompiler.index.file_systems.location import Location
from pycompiler.table import listing
from pycompiler.table.changes import seen_timeline
from pycompiler.table.errors import UnknownFilesError
from pycompiler.table.listing import TableSnapshot, list_table
from pycompiler.table.timeline import Timeline

from .archives import Archived, write_logs, write_tree
from .simulated_table import PARTITIONS, VERSIONS, SimulatedTable, step

pytestmark = pytest.mark.slow

Change: TypeAlias = Callable[["ListedTable"], None]


class ListedTable(SimulatedTable):
    """A table with Hudi's partition files and archive."""

    def __post_init__(self) -> None:
        super().__post_init__()
        for partition in PARTITIONS:
            (self.root / partition).mkdir()
            (self.root / partition / ".hoodie_partition_metadata").touch()

    def archive(self, left: int, *, beyond_savepoints: bool) -> None:
        # Hudi archives a replacement once the replaced files are cleaned; a savepoint keeps them.
        if self.saved:
            return
        self.clean()
        super().archive(left, beyond_savepoints=beyond_savepoints)
        self.write_archive()

    def change_version(self) -> None:
        super().change_version()
        self.write_archive()

    def write_archive(self) -> None:
        actions = [
            Archived(commit.instant, commit.completion, commit.action, self.metadata_of(commit))
            for commit in sorted(self.commits, key=lambda commit: commit.instant)
            if commit.instant in self.archived
        ]
        if actions and self.version == 8:
            write_tree(self.timeline_folder / "history", actions)
        elif actions:
            write_logs(self.timeline_folder / "archived", actions)


def listed(table: SimulatedTable) -> TableSnapshot:
    return list_table(Location.parse(str(table.root)))


def paths(table: SimulatedTable) -> set[str]:
    return {file.relative_path for file in listed(table).files}


class _InThisThread:
    """In the place of a pool of threads, whose start takes half of the time."""

    map = map

    def __init__(self, threads: int) -> None:
        pass

    def __enter__(self) -> "_InThisThread":
        return self

    def __exit__(self, *error: object) -> None:
        pass


@pytest.mark.parametrize("version", VERSIONS)
def test_after_any_history_the_live_files_are_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: int
) -> None:
    monkeypatch.setattr(listing, "ThreadPoolExecutor", _InThisThread)
    compared = unclear = 0
    for seed in range(60):
        table = ListedTable(tmp_path / f"{seed}", version)
        choose = random.Random(seed)
        history = []
        for _ in range(25):
            history.append(step(table, choose))
            try:
                found = listed(table)
            except UnknownFilesError:
                unclear += 1
                continue
            compared += 1
            live = {file.path for file in table.live().values()}
            assert {file.relative_path for file in found.files} == live, (seed, history)
            assert all(Path(file.path).stat().st_size == file.size for file in found.files)
            assert found.seen == seen_timeline(Timeline.of(Location.parse(str(table.root))))
        shutil.rmtree(table.root)
    assert compared > 1000 and unclear < compared / 20, (compared, unclear)


@pytest.fixture(params=VERSIONS)
def table(request: pytest.FixtureRequest, tmp_path: Path) -> ListedTable:
    made = ListedTable(tmp_path / "t", request.param)
    made.commit(new=3)
    return made


def test_files_of_commits_in_progress_are_not_live(table: ListedTable) -> None:
    before = paths(table)
    action = table.request(sorted(table.live())[:2], 1)
    assert paths(table) == before, "written, but not committed"
    table.complete(action)
    assert paths(table) == {file.path for file in table.live().values()} != before


def test_what_a_failed_commit_left_behind_is_not_live(table: ListedTable) -> None:
    before = paths(table)
    left = table.request(sorted(table.live())[:2], 1)
    contents = {file.path: (table.root / file.path).read_bytes() for file in left.files}
    table.roll_back_pending(left)
    for path, content in contents.items():
        (table.root / path).write_bytes(content)
    assert paths(table) == before


def test_while_a_rollback_is_in_progress_no_instants_are_claimed(table: ListedTable) -> None:
    assert listed(table).seen is not None
    (table.timeline_folder / "20260101000000900.rollback.inflight").touch()
    assert listed(table).seen is None


def test_a_file_that_its_commit_does_not_name_is_not_guessed_at(table: ListedTable) -> None:
    live = next(iter(table.live().values()))
    late = Path(str(table.root / live.path).replace("_0-1-0_", "_0-2-0_"))
    shutil.copy(table.root / live.path, late)
    with pytest.raises(UnknownFilesError, match="is of a commit that does not name it"):
        listed(table)


@pytest.mark.parametrize(
    "name", ["part-0.parquet", ".x_1.log.1_what", "f-0_0-1-0_20260101000000001_hudiext.parquet"]
)
def test_a_name_that_is_not_hudis_is_not_guessed_at(table: ListedTable, name: str) -> None:
    (table.root / PARTITIONS[0] / name).touch()
    with pytest.raises(UnknownFilesError, match="is not one of Hudi's"):
        listed(table)


def test_a_commit_that_cannot_be_read_is_left_to_hudi(table: ListedTable) -> None:
    next(table.timeline_folder.glob("*.commit")).write_text("?")
    with pytest.raises(UnknownFilesError, match="cannot be read as a commit"):
        listed(table)


def test_a_partition_that_only_the_metadata_table_knows_is_left_to_hudi(table: ListedTable) -> None:
    (table.root / PARTITIONS[0] / ".hoodie_partition_metadata").unlink()
    assert len(paths(table)) < 3
    with_property("hoodie.table.metadata.partitions", "column_stats,files")(table)
    with pytest.raises(UnknownFilesError, match=f"no partition file in {PARTITIONS[0]}"):
        listed(table)


def test_the_root_of_a_table_without_partitions_is_left_to_hudi_without_a_partition_file(
    table: ListedTable,
) -> None:
    with_property("hoodie.table.partition.fields", "")(table)
    with_file("../f-0_0-1-0_20260101000000001.parquet")(table)
    with pytest.raises(UnknownFilesError, match="no partition file in its root"):
        listed(table)


def test_folders_that_are_no_partitions_are_not_read(table: ListedTable) -> None:
    before = paths(table)
    hidden = shutil.ignore_patterns(".hoodie*")
    shutil.copytree(table.root / PARTITIONS[0], table.root / "backup", ignore=hidden)
    shutil.copytree(table.root / PARTITIONS[0], table.root / PARTITIONS[0] / "below")
    (table.root / PARTITIONS[0] / ".f.parquet.crc").touch()
    assert paths(table) == before


@pytest.mark.parametrize(
    ("version", "file", "first"),
    [(8, "history/*.parquet", "history/_version_"), (6, *["archived/.commits_.archive.1_1-0-1"] * 2)],
)
def test_an_archive_that_cannot_be_read_is_not_guessed_at(
    tmp_path: Path, version: int, file: str, first: str
) -> None:
    table = ListedTable(tmp_path / "t", version)
    for _ in range(4):
        table.commit(new=1)
    table.archive(1, beyond_savepoints=False)
    assert len(paths(table)) == 4
    next(table.timeline_folder.glob(file)).write_bytes(b"?")
    with pytest.raises(UnknownFilesError, match="archived timeline .* cannot be read"):
        listed(table)
    (table.timeline_folder / first).unlink()
    with pytest.raises(UnknownFilesError, match="is of an instant that is on no timeline"):
        listed(table)


@pytest.mark.parametrize("version", VERSIONS)
def test_an_archive_without_completion_times_has_the_commits_of_its_files(
    tmp_path: Path, version: int
) -> None:
    table = ListedTable(tmp_path / "t", version)
    for _ in range(3):
        table.commit(new=1)
    table.commit(sorted(table.live())[:1])
    before = paths(table)
    table.archive(1, beyond_savepoints=False)
    assert len(table.archived) == 3
    if version == 8:
        commits = {commit.instant: commit for commit in table.commits}
        old = [
            Archived(instant, None, "commit", table.metadata_of(commits[instant]))
            for instant in sorted(table.archived)
        ]
        write_tree(table.timeline_folder / "history", old)
    assert paths(table) == before


@pytest.mark.parametrize("version", VERSIONS)
def test_files_that_no_archived_commit_wrote_are_left_to_hudi(tmp_path: Path, version: int) -> None:
    table = ListedTable(tmp_path / "t", version)
    for _ in range(3):
        table.commit(new=1)
    table.archive(1, beyond_savepoints=False)
    old = min(table.live().values(), key=lambda file: file.instant)
    copy = table.root / old.path.replace("f0001-0", "copied-0")
    shutil.copy(table.root / old.path, copy)
    with pytest.raises(UnknownFilesError, match="is of a commit that does not name it"):
        listed(table)
    copy.rename(table.root / old.path.replace(old.instant, "20250101000000000").replace("f0001", "left"))
    with pytest.raises(UnknownFilesError, match="is of an instant that is on no timeline"):
        listed(table)


@pytest.mark.parametrize("version", VERSIONS)
def test_what_is_archived_before_earlier_commits_is_not_claimed_as_seen(tmp_path: Path, version: int) -> None:
    table = ListedTable(tmp_path / "t", version)
    first = table.commit(new=1)
    table.save(first.instant)
    table.commit(new=1)
    table.commit(new=1)
    assert listed(table).seen is not None
    SimulatedTable.archive(table, 1, beyond_savepoints=True)
    table.write_archive()
    found = listed(table)
    assert len(found.files) == 2, "Hudi's view leaves the archived commit's file out"
    assert found.seen is None


NEXT = "20260101000000900"
"""An instant after all others."""


def touched(name: str) -> Change:
    return lambda table: (table.timeline_folder / name).touch()


def with_property(name: str, value: object) -> Change:
    def change(table: ListedTable) -> None:
        with (table.root / ".hoodie" / "hoodie.properties").open("a") as properties:
            properties.write(f"{name}={value}\n")

    return change


def with_file(name: str) -> Change:
    def change(table: ListedTable) -> None:
        (table.root / PARTITIONS[0] / name).write_text("x")

    return change


def begun_before_all_completed(table: ListedTable) -> None:
    action = "20250101000000000"
    touched(f"{action}.commit.requested")(table)
    with_file(f"g-0_0-1-0_{action}.parquet")(table)


def compacted_in_progress(table: ListedTable) -> None:
    touched(f"{NEXT}.compaction.requested")(table)
    with_file(f"g-0_0-1-0_{NEXT}.parquet")(table)


def committed_twice(table: ListedTable) -> None:
    last = next(table.timeline_folder.glob("*.commit"))
    last.with_suffix(".deltacommit").write_bytes(last.read_bytes())


UNKNOWN: dict[str, tuple[Change, str]] = {
    "version": (with_property("hoodie.table.version", 5), "it has table version 5"),
    "action": (touched(f"{NEXT}.shuffle.requested"), "its timeline has an unknown action"),
    "completed": (touched(f"{NEXT}.clustering"), "its timeline has an unknown action"),
    "form": (touched(f"{NEXT}.commit.paused.requested"), "its timeline has a file of an unknown kind"),
    "two commits": (committed_twice, "two commits of one instant"),
    "log": (with_file(f".g-0_{NEXT}.log.1_0-1-0"), "is a log file in a copy-on-write table"),
    "partition": (with_property("hoodie.table.partition.fields", ""), "it has no partition columns, but"),
    "begun first": (begun_before_all_completed, "of a commit in progress before all completed ones"),
    "compaction": (compacted_in_progress, "is of a compaction in progress"),
}


@pytest.mark.parametrize(("change", "reason"), UNKNOWN.values(), ids=UNKNOWN.keys())
def test_what_is_not_known_is_left_to_hudi(table: ListedTable, change: Change, reason: str) -> None:
    change(table)
    with pytest.raises(UnknownFilesError, match=reason):
        listed(table)


def test_instants_that_hudi_compares_in_another_way_are_left_to_it(tmp_path: Path) -> None:
    table = ListedTable(tmp_path / "t", 8)
    table.commit(new=1)
    touched("20260101000001_20260101000000950.commit")(table)
    with pytest.raises(UnknownFilesError, match="is not in milliseconds"):
        listed(table)


def test_a_compaction_in_progress_begins_the_view(tmp_path: Path) -> None:
    table = ListedTable(tmp_path / "t", 6)
    with_property("hoodie.table.type", "MERGE_ON_READ")(table)
    table.commit(new=1)
    before = paths(table)
    touched("20250101000000000.compaction.requested")(table)
    with_file("g-0_0-1-0_20250102000000000.parquet")(table)
    assert paths(table) == before, "what was rolled back after it is not archived"


def test_logs_of_earlier_slices_of_version_6_are_left_to_hudi(tmp_path: Path) -> None:
    table = ListedTable(tmp_path / "t", 6)
    with_property("hoodie.table.type", "MERGE_ON_READ")(table)
    first = table.commit(new=1)
    (partition, file_id), *_ = table.live()
    (table.root / partition / f".{file_id}_{first.instant}.log.1_0-1-0").write_text("x")
    assert len(paths(table)) == 2
    table.commit(table.live())
    with pytest.raises(UnknownFilesError, match="may belong to another file slice than the latest"):
        listed(table)
