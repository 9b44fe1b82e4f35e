"""Publishing and compacting in other processes, and when the storage fails or the process is killed.

`python -m tests.unit.index.faults commits TABLE WRITER`, `… compactions TABLE TIMES` and
`… killed OPERATION PRISTINE FOLDER` run it in processes of their own.
"""

import io
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from pycompiler.index.compactor import compact
from pycompiler.index.file_systems.factory import open_storage
from pycompiler.index.file_systems.interface import IndexStorage
from pycompiler.index.index import StatisticsIndex
from pycompiler.index.publisher import IndexPublisher
from tests.records import write_records

from .samples import add, delta, record

COMMITS = 12
GONE = "p/f0.parquet"
ROOT = Path(__file__).resolve().parents[3]


def commits(table: str, writer: int, times: int = COMMITS) -> None:
    """Publishes one new base file after the other."""
    storage = open_storage(table)
    for commit in range(times):
        add(
            storage,
            record("a", f"w{writer}c{commit}.parquet", commit),
            record("b", f"w{writer}c{commit}.parquet"),
        )


def compactions(table: str, times: int) -> None:
    """Compacts repeatedly, with a table that has all files of the index."""
    storage = open_storage(table)
    for _ in range(times):
        compact(storage, lambda: StatisticsIndex.open(table).files().keys())


class Faults:
    """Makes a storage call `fail` at a step, counted from 0: before, during or after the change of a file.

    If `reads`, looking at a file is a step, too.
    """

    def __init__(
        self, storage: IndexStorage, step: int, fail: Callable[[], None], *, reads: bool = False
    ) -> None:
        self._storage = storage
        self._step_of_failure = step
        self._fail = fail
        self._steps = 0
        self.failed_at = ""
        self._create = storage.create
        setattr(storage, "create", self._creating)  # noqa: B010
        # How a manifest appears: by a link or a rename, and in an object store as any object does.
        for change in ("delete", "_appear", "_put"):
            self._surround(change)
        for look in ("names", "size", "modified", "read") if reads else ():
            self._surround(look, after=False)

    def _step(self, what: str, prepare: Callable[[], None] = lambda: None) -> None:
        if self._steps == self._step_of_failure:
            self.failed_at = what
            prepare()
            self._fail()
        self._steps += 1

    def _surround(self, operation: str, *, after: bool = True) -> None:
        inner = getattr(self._storage, operation, None)
        if inner is None:
            return

        def surrounded(*arguments: Any) -> Any:
            self._step(f"before {operation} of {arguments[:2]}")
            done = inner(*arguments)
            if after:
                self._step(f"after {operation} of {arguments[:2]}")
            return done

        setattr(self._storage, operation, surrounded)

    @contextmanager
    def _creating(self, name: str) -> Iterator[BinaryIO]:
        self._step(f"before {name} is created")
        with self._create(name) as sink:
            self._step(f"{name} is created")
            yield sink
            self._step(f"{name} is written in part", lambda: _cut(sink))
            self._step(f"{name} is written and not synced")
        self._step(f"{name} is durable")


def _cut(sink: BinaryIO) -> None:
    try:
        descriptor = sink.fileno()
    except io.UnsupportedOperation:
        return  # What HDFS has of a file grows by packets, and is not cut by us.
    sink.flush()
    os.ftruncate(descriptor, sink.tell() // 2)


def raise_error() -> None:
    """The storage fails."""
    raise OSError("injected")


def kill() -> None:
    """The process is gone."""
    os.kill(os.getpid(), signal.SIGKILL)


def publish(storage: IndexStorage, table: str) -> None:
    """Adds a data file to an index with so many that this folds them, and cleans."""
    publisher = IndexPublisher(storage, grace_seconds=0)
    publisher.add(delta(write_records(storage, [record("a", "new.parquet")])))


def compact_all(storage: IndexStorage, table: str) -> None:
    """Compacts an index of a table that no longer has one of its base files."""
    known = StatisticsIndex.open(table).files().keys()
    compact(storage, lambda: known - {GONE}, grace_seconds=0)


OPERATIONS: dict[str, Callable[[IndexStorage, str], None]] = {"publish": publish, "compact": compact_all}


def killed_at_each_step(operation: str, pristine: Path, folder: Path) -> None:
    """Kills a process at each step in turn, each on its own copy of an index, and leaves the copies."""
    step, status = 0, int(signal.SIGKILL)
    while status == signal.SIGKILL:
        copy = folder / str(step)
        shutil.copytree(pristine, copy)
        child = os.fork()
        if child == 0:
            # A killed process loses nothing that it wrote, synced or not.
            os.fsync = lambda fd: None
            storage = open_storage(copy)
            Faults(storage, step, kill)
            OPERATIONS[operation](storage, str(copy))
            os._exit(0)
        status = os.waitpid(child, 0)[1]
        step += 1
    if status:
        raise SystemExit(f"step {step - 1} of {operation} ended with status {status}")


def start(*arguments: object) -> subprocess.Popen[bytes]:
    """Runs this module in a process of its own."""
    command = [sys.executable, "-m", "tests.unit.index.faults", *map(str, arguments)]
    return subprocess.Popen(command, cwd=ROOT)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["commits", table, writer, times]:
            commits(table, int(writer), int(times))
        case ["compactions", table, times]:
            compactions(table, int(times))
        case ["killed", operation, pristine, folder]:
            killed_at_each_step(operation, Path(pristine), Path(folder))
        case other:
            raise SystemExit(f"not understood: {other}")
