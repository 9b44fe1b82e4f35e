"""A table whose timeline and base files are written as Hudi would, without Spark: any history in no time."""

import json
import random
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from pycompiler.index.file_systems.location import Location
from pycompiler.index.records import WriteStatus
from pycompiler.table.changes import seen_timeline
from pycompiler.table.listing import TableSnapshot
from pycompiler.table.timeline import Timeline

Group = tuple[str, str]
"""Partition and file id."""

VERSIONS = (6, 8)
PARTITIONS = ("east", "west")
SCHEMA = '{"type":"record","name":"t","fields":[{"name":"n","type":["null","int"],"default":null}]}'


@dataclass(frozen=True)
class BaseFile:
    group: Group
    instant: str
    previous: str | None

    @property
    def path(self) -> str:
        partition, file_id = self.group
        return f"{partition}/{file_id}_0-1-0_{self.instant}.parquet"


@dataclass(frozen=True)
class Action:
    """A commit, from its request on."""

    instant: str
    action: str
    files: tuple[BaseFile, ...] = ()
    replaced: frozenset[Group] = frozenset()
    completion: str = ""

    @property
    def groups(self) -> set[Group]:
        return {file.group for file in self.files} | self.replaced


@dataclass
class SimulatedTable:
    """The truth beside what is on disk: `commits` are the completed ones, archived or not."""

    root: Path
    version: int
    clock: int = 0
    groups: int = 0
    pending: list[Action] = field(default_factory=list)
    commits: list[Action] = field(default_factory=list)
    archived: set[str] = field(default_factory=set)
    saved: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.timeline_folder.mkdir(parents=True)
        self._write_properties()

    @property
    def timeline_folder(self) -> Path:
        return self.root / ".hoodie" / ("timeline" if self.version == 8 else "")

    def live(self) -> dict[Group, BaseFile]:
        """The latest base file of each file group that no commit has replaced."""
        found: dict[Group, BaseFile] = {}
        for commit in sorted(self.commits, key=lambda commit: commit.instant):
            found |= {file.group: file for file in commit.files}
        replaced = {group for commit in self.commits for group in commit.replaced}
        return {group: file for group, file in found.items() if group not in replaced}

    def listing(self) -> TableSnapshot:
        statuses = []
        for (partition, file_id), file in sorted(self.live().items()):
            path = self.root / file.path
            statuses.append(WriteStatus(partition, file_id, str(path), path.stat().st_size, file.instant))
        timeline = Timeline.of(Location.parse(str(self.root)))
        return TableSnapshot(timeline.last_instant, tuple(statuses), seen_timeline(timeline))

    def request(self, rewritten: Iterable[Group], new: int, replaced: Iterable[Group] = ()) -> Action:
        """Begins a commit. No two commits under way may touch the same file group, as Hudi sees to."""
        instant = self._tick()
        live = self.live()
        files = [BaseFile(group, instant, live[group].instant) for group in rewritten]
        for _ in range(new):
            self.groups += 1
            group = PARTITIONS[self.groups % 2], f"f{self.groups:04d}-0"
            files.append(BaseFile(group, instant, None))
        gone = frozenset(replaced)
        action = Action(instant, "replacecommit" if gone else "commit", tuple(files), gone)
        for file in files:
            self._write_file(file)
        self._touch(f"{instant}.{action.action}.requested")
        # A commit's inflight file names no action; a clustering has another name until it is done.
        self._touch(f"{instant}.inflight" if not gone else f"{instant}.clustering.inflight")
        self.pending.append(action)
        return action

    def complete(self, action: Action) -> None:
        self.pending.remove(action)
        done = Action(action.instant, action.action, action.files, action.replaced, self._tick())
        self.commits.append(done)
        self._put(done)

    def commit(self, rewritten: Iterable[Group] = (), new: int = 0, replaced: Iterable[Group] = ()) -> Action:
        action = self.request(rewritten, new, replaced)
        self.complete(action)
        return action

    def roll_back_pending(self, action: Action) -> None:
        self.pending.remove(action)
        self._forget(action)
        self._done("rollback")

    def roll_back_last(self) -> None:
        last = max(self.commits, key=lambda commit: commit.instant)
        self.commits.remove(last)
        self._forget(last)
        self._done("rollback")

    def restore(self, instant: str) -> None:
        """Takes back all that came after a commit, cleaned files included."""
        for action in [*self.commits, *self.pending]:
            if action.instant > instant:
                (self.commits if action in self.commits else self.pending).remove(action)
                self._forget(action)
        self._done("restore")

    def save(self, instant: str) -> None:
        self.saved.add(instant)
        self._touch(self._completed(instant, "savepoint"))

    def delete_savepoint(self, instant: str) -> None:
        self.saved.remove(instant)
        for file in self.timeline_folder.glob(f"{instant}*.savepoint"):
            file.unlink()

    def clean(self) -> None:
        """Removes what is not the latest, but for what a savepoint holds."""
        kept = {file.path for file in self.live().values()}
        kept |= {file.path for action in self.pending for file in action.files}
        if not self.saved:
            for path in self.root.glob("*/*.parquet"):
                if str(path.relative_to(self.root)) not in kept:
                    path.unlink()
        self._done("clean")

    def archive(self, left: int, *, beyond_savepoints: bool) -> None:
        """Takes the oldest commits off the active timeline, up to the oldest one that is pending."""
        active = sorted(
            (commit for commit in self.commits if commit.instant not in self.archived),
            key=lambda commit: commit.instant,
        )
        barriers = [action.instant for action in self.pending]
        if not beyond_savepoints:
            barriers += self.saved
        barrier = min(barriers, default="9")
        for commit in active[: max(len(active) - left, 0)]:
            if commit.instant < barrier and commit.instant not in self.saved:
                self.archived.add(commit.instant)
                self._remove_from_timeline(commit.instant)

    def change_version(self) -> None:
        """An upgrade or downgrade rewrites every instant of the timeline."""
        for action in list(self.pending):
            self.roll_back_pending(action)
        old = self.timeline_folder
        for file in [*old.iterdir()]:
            if file.name[:1].isdigit():
                file.unlink()
        self.version = 14 - self.version
        self.timeline_folder.mkdir(exist_ok=True)
        self._write_properties()
        for commit in self.commits:
            if commit.instant not in self.archived:
                self._put(commit)
        for instant in self.saved:
            self._touch(self._completed(instant, "savepoint"))

    def _write_properties(self) -> None:
        properties = {
            "hoodie.table.name": "t",
            "hoodie.table.type": "COPY_ON_WRITE",
            "hoodie.table.version": self.version,
            "hoodie.timeline.layout.version": 2 if self.version == 8 else 1,
            "hoodie.table.partition.fields": "part",
            "hoodie.table.create.schema": SCHEMA,
        }
        lines = [f"{name}={value}\n" for name, value in properties.items()]
        (self.root / ".hoodie" / "hoodie.properties").write_text("".join(lines))

    def _tick(self) -> str:
        self.clock += 1
        return f"{20260101000000000 + self.clock}"

    def _done(self, action: str) -> None:
        instant = self._tick()
        self._touch(f"{instant}.{action}.requested")
        self._touch(f"{instant}.{action}.inflight")
        self._touch(self._completed(instant, action))

    def _completed(self, instant: str, action: str, completion: str = "") -> str:
        """The name of a completed action's file; it is completed now if not before."""
        return (
            f"{instant}_{completion or self._tick()}.{action}" if self.version == 8 else f"{instant}.{action}"
        )

    def _put(self, commit: Action) -> None:
        name = self._completed(commit.instant, commit.action, commit.completion)
        (self.timeline_folder / name).write_text(json.dumps(self.metadata_of(commit)))

    def metadata_of(self, commit: Action) -> dict[str, Any]:
        """What a completed commit's file has."""
        written: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
        for file in commit.files:
            path = self.root / file.path
            size = path.stat().st_size if path.exists() else 1
            written[file.group[0]].append(
                {
                    "fileId": file.group[1],
                    "path": file.path,
                    "prevCommit": file.previous or "null",
                    "fileSizeInBytes": size,
                }
            )
        replaced: defaultdict[str, list[str]] = defaultdict(list)
        for partition, file_id in sorted(commit.replaced):
            replaced[partition].append(file_id)
        document: dict[str, Any] = {"partitionToWriteStats": written}
        if replaced:
            document["partitionToReplaceFileIds"] = replaced
        return document

    def _touch(self, name: str) -> None:
        (self.timeline_folder / name).touch()

    def _forget(self, action: Action) -> None:
        """What a rollback does."""
        self._remove_from_timeline(action.instant)
        self.saved.discard(action.instant)
        for file in action.files:
            (self.root / file.path).unlink(missing_ok=True)

    def _remove_from_timeline(self, instant: str) -> None:
        for file in [*self.timeline_folder.glob(f"{instant}.*"), *self.timeline_folder.glob(f"{instant}_*")]:
            file.unlink()

    def _write_file(self, file: BaseFile) -> None:
        path = self.root / file.path
        path.parent.mkdir(exist_ok=True)
        number = int(file.instant) % 1_000_000
        rows = number % 5 + 1
        # A long text, so that files differ in size.
        text = "x" * (number % 60)
        pq.write_table(
            pa.table({"n": [number * 1000 + row for row in range(rows)], "s": [text] * rows}), path
        )


def step(table: SimulatedTable, choose: random.Random) -> str:
    """Does one thing that Hudi could do now, and names it."""
    busy = {group for action in table.pending for group in action.groups}
    free = sorted(table.live().keys() - busy)
    some = choose.sample(free, min(len(free), choose.randint(0, 3)))
    active = [commit for commit in table.commits if commit.instant not in table.archived]
    what = choose.choices(list(_WEIGHTS), list(_WEIGHTS.values()))[0]
    match what:
        case "commit":
            table.commit(some, choose.randint(0, 2))
        case "replace":
            table.commit((), choose.randint(0, 2), some)
        case "request":
            table.request(some, choose.randint(0, 2))
        case "request replace" if some:
            table.request((), 1, some)
        case "complete" if table.pending:
            table.complete(choose.choice(table.pending))
        case "roll back pending" if table.pending:
            table.roll_back_pending(choose.choice(table.pending))
        case "roll back last" if len(active) > 1 and _may_be_undone(table):
            table.roll_back_last()
        case "save" if table.commits:
            table.save(max(commit.instant for commit in table.commits))
        case "delete savepoint" if table.saved and not _was_passed_over(table, min(table.saved)):
            table.delete_savepoint(min(table.saved))
        case "restore" if table.saved:
            table.restore(choose.choice(sorted(table.saved)))
        case "clean":
            table.clean()
        case "archive":
            table.archive(choose.randint(1, 4), beyond_savepoints=choose.random() < 0.5)
        case "change version":
            table.change_version()
        case _:
            table.commit((), 1)
            what = "commit"
    return what


_WEIGHTS = {
    "commit": 8,
    "replace": 4,
    "request": 4,
    "request replace": 2,
    "complete": 8,
    "roll back pending": 1,
    "roll back last": 1,
    "save": 1,
    "delete savepoint": 1,
    "restore": 1,
    "clean": 3,
    "archive": 3,
    "change version": 0.3,
}


def _was_passed_over(table: SimulatedTable, saved: str) -> bool:
    """Whether later commits are archived: without its savepoint nothing would show that."""
    return any(instant > saved for instant in table.archived)


def _may_be_undone(table: SimulatedTable) -> bool:
    """Whether the last commit is active and no savepoint, and what it took the place of is still there."""
    last = max(table.commits, key=lambda commit: commit.instant)
    if last.instant in table.saved or last.instant in table.archived:
        return False
    if any(action.instant > last.instant for action in table.pending):
        return False
    before = [file for commit in table.commits if commit is not last for file in commit.files]
    newest = {file.group: file for file in sorted(before, key=lambda file: file.instant)}
    touched = last.replaced | {file.group for file in last.files if file.previous}
    # Its predecessors must not have been cleaned away.
    return all((table.root / newest[group].path).exists() for group in touched)
