"""The live log files according to the timeline, compared with Hudi's file slices."""

import random
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

import pytest

from pycompiler.index.records import IndexedFile
from pycompiler.table.changes import Changes, changes_of
from pycompiler.table.errors import UnknownChangesError
from pycompiler.table.latest import CompletionOf
from pycompiler.table.timeline import Commit, WrittenFile

HISTORIES = 60
STEPS = 40
GROUP = "f0001-0"


@dataclass
class FileGroup:
    """A file group, and delta commits and compactions of it as Hudi makes them."""

    version: int
    clock: int = 100
    pending: list[WrittenFile] = field(default_factory=list)
    compaction: str | None = None
    completions: dict[str, str] = field(default_factory=dict)
    done: list[Commit] = field(default_factory=list)
    logs: int = 0

    def tick(self) -> str:
        self.clock += 1
        return str(self.clock)

    def insert(self, instant: str) -> None:
        self._complete(instant, _base(instant))

    def append(self, choose: random.Random) -> None:
        """Begins a delta commit."""
        instant = self.tick()
        if self.version == 8:
            self.logs += 1
            self.pending.append(_log(instant, self.logs, 10))
            return
        slices = self.slices()
        name = max(slices, default=instant)
        before = [file for commit in self.done for file in commit.files if file.commit_time == name]
        grown = [file for file in before if file.is_log]
        if grown and choose.random() < 0.5:
            last = max(grown, key=lambda file: file.size)
            self.pending.append(_log(name, int(last.path.rpartition(".")[2]), last.size + 10))
        else:
            self.logs += 1
            self.pending.append(_log(name, self.logs, 10))

    def complete(self, file: WrittenFile) -> None:
        self.pending.remove(file)
        self._complete(file.commit_time if self.version == 8 else self.tick(), file)

    def schedule(self) -> None:
        self.compaction = self.tick()

    def compact(self) -> None:
        assert self.compaction is not None
        self.insert(self.compaction)
        self.compaction = None

    def _complete(self, instant: str, file: WrittenFile) -> None:
        self.done.append(Commit(instant, (file,), frozenset()))
        self.completions[instant] = self.tick()

    def slices(self) -> dict[str, list[WrittenFile]]:
        """As `HoodieFileGroup` puts files together: base files, what is scheduled, then log files."""
        files = [file for commit in self.done for file in commit.files]
        found: dict[str, list[WrittenFile]] = {file.commit_time: [file] for file in files if not file.is_log}
        if self.compaction is not None:
            found.setdefault(self.compaction, [])
        for log in sorted((file for file in files if file.is_log), key=lambda file: file.commit_time):
            at = log.commit_time if self.version == 6 else self.completions[log.commit_time]
            before = [instant for instant in found if instant <= at]
            found.setdefault(max(before) if before else log.commit_time, []).append(log)
        return found

    def latest(self) -> dict[str, int]:
        """Paths and sizes of the latest slice, merged with its predecessor while that is compacted."""
        found = self.slices()
        instants = sorted(found)
        merged = instants[-2:] if instants and instants[-1] == self.compaction else instants[-1:]
        sizes: dict[str, int] = {}
        for instant in merged:
            for file in found[instant]:
                sizes[file.path] = max(file.size, sizes.get(file.path, 0))
        return sizes


def _base(instant: str) -> WrittenFile:
    return WrittenFile("", GROUP, f"{GROUP}_0-1-0_{instant}.parquet", instant, 5)


def _log(instant: str, number: int, size: int) -> WrittenFile:
    return WrittenFile("", GROUP, f".{GROUP}_{instant}.log.{number}", instant, size, is_log=True)


def _entry(file: WrittenFile) -> IndexedFile:
    return IndexedFile("", file.path, GROUP, file.commit_time, file.size, 1)


def _applied(known: dict[str, IndexedFile], changes: Changes) -> dict[str, IndexedFile]:
    left = {path: file for path, file in known.items() if file not in changes.gone}
    assert all(known[file.path] == file for file in (*changes.gone, *changes.grown))
    assert {file.path for file in changes.grown} == {file.path for file in changes.new} & known.keys()
    return left | {file.path: _entry(file) for file in changes.new}


def _step(group: FileGroup, choose: random.Random) -> None:
    match choose.choice(["append", "append", "complete", "complete", "complete", "schedule", "compact"]):
        case "append" if group.version == 8 or not group.pending:
            group.append(choose)
        case "complete" if group.pending:
            group.complete(choose.choice(group.pending))
        # Before version 8 nothing is scheduled while others write.
        case "schedule" if (
            group.compaction is None and group.done and (group.version == 8 or not group.pending)
        ):
            group.schedule()
        case "compact" if group.compaction is not None:
            group.compact()


@pytest.mark.parametrize("version", [6, 8])
@pytest.mark.parametrize("seed", range(HISTORIES))
def test_after_any_history_the_commits_give_the_files_of_hudis_slices(version: int, seed: int) -> None:
    choose = random.Random(seed)
    group = FileGroup(version)
    if choose.random() < 0.7:
        group.insert(group.tick())
    completion_of: CompletionOf = group.completions.get if version == 8 else lambda instant: instant
    known: dict[str, IndexedFile] = {}
    seen = 0

    def live_files(groups: Collection[tuple[str, str]]) -> Mapping[str, IndexedFile]:
        assert groups == {("", GROUP)}
        return known

    for number in range(STEPS):
        _step(group, choose)
        if choose.random() < 0.5:
            commits = sorted(group.done[seen:], key=lambda commit: commit.instant)
            seen = len(group.done)
            known = _applied(known, changes_of(commits, live_files, completion_of))
            sizes = {path: file.size for path, file in known.items()}
            assert sizes == group.latest(), f"step {number}"


def test_a_log_file_without_a_completion_time_is_refused() -> None:
    log, base = _log("101", 1, 10), _base("105")
    commits = [Commit("105", (base,), frozenset())]
    with pytest.raises(UnknownChangesError, match="completion time of .* is unknown"):
        changes_of(commits, lambda _: {log.path: _entry(log)}, lambda _: None)


def test_a_log_file_in_a_copy_on_write_table_is_refused() -> None:
    commits = [Commit("101", (_log("101", 1, 10),), frozenset())]
    with pytest.raises(UnknownChangesError, match="log file in a copy-on-write table"):
        changes_of(commits, lambda _: {})


def test_a_delta_commit_that_was_requested_after_the_base_file_is_never_before_it() -> None:
    log, base = _log("107", 1, 10), _base("105")
    commits = [Commit("105", (base,), frozenset())]
    changes = changes_of(commits, lambda _: {log.path: _entry(log)}, lambda _: None)
    assert (changes.new, changes.gone) == ((base,), ())
