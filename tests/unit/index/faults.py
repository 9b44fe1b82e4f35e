"""Publishing and compacting in other processes, and when the storage fails or the process is killed.

`python -m tests.unit.index.faults commits FOLDER WRITER`, `… compactions FOLDER TIMES` and
`… killed OPERATION PRISTINE FOLDER` run it in processes of their own.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from pycompiler.index.compactor import compact
from pycompiler.index.index import StatisticsIndex
from pycompiler.index.publisher import IndexPublisher
from pycompiler.index.storage import LocalStorage

from .samples import add, delta, record

COMMITS = 12
GONE = "p/f0.parquet"
ROOT = Path(__file__).resolve().parents[3]


def commits(folder: Path, writer: int) -> None:
    """Publishes one new base file after the other."""
    storage = LocalStorage(folder)
    for commit in range(COMMITS):
        add(
            storage,
            record("a", f"w{writer}c{commit}.parquet", commit),
            record("b", f"w{writer}c{commit}.parquet"),
        )


def compactions(folder: Path, times: int) -> None:
    """Compacts again and again; the table has all that the index then knows."""
    storage = LocalStorage(folder)
    for _ in range(times):
        compact(storage, lambda: StatisticsIndex.open(folder).files().keys())


class FaultyStorage(LocalStorage):
    """Fails at the n-th step: before anything that changes a file, in the middle of it, or after it.

    Args:
        folder: The table.
        step: At which step, from 0.
        fail: What happens then.
        reads: Whether a look at a file is a step, too.
    """

    def __init__(self, folder: Path, step: int, fail: Callable[[], None], *, reads: bool = False) -> None:
        super().__init__(folder)
        self._step_of_failure = step
        self._fail = fail
        self._reads = reads
        self._steps = 0
        self.failed_at = ""

    def _step(self, what: str, prepare: Callable[[], None] = lambda: None) -> None:
        if self._steps == self._step_of_failure:
            self.failed_at = what
            prepare()
            self._fail()
        self._steps += 1

    def _look(self, what: str) -> None:
        if self._reads:
            self._step(what)

    def names(self) -> list[str]:
        self._look("listing")
        return super().names()

    def size(self, name: str) -> int:
        self._look(f"looking at the size of {name}")
        return super().size(name)

    def modified(self, name: str) -> float:
        self._look(f"looking at the age of {name}")
        return super().modified(name)

    def read(self, name: str, offset: int = 0, length: int | None = None) -> bytes:
        self._look(f"reading {name}")
        return super().read(name, offset, length)

    @contextmanager
    def create(self, name: str) -> Iterator[BinaryIO]:
        self._step(f"before {name} is created")
        with super().create(name) as sink:
            self._step(f"{name} is created")
            yield sink
            self._step(f"{name} is written in part", lambda: _cut(sink))
            self._step(f"{name} is written and not synced")
        self._step(f"{name} is durable")

    def _link(self, temporary: str, name: str) -> None:
        self._step(f"before {name} appears")
        super()._link(temporary, name)
        self._step(f"{name} is there")

    def delete(self, name: str) -> None:
        self._step(f"before {name} is removed")
        super().delete(name)
        self._step(f"{name} is removed")


def _cut(sink: BinaryIO) -> None:
    sink.flush()
    os.ftruncate(sink.fileno(), sink.tell() // 2)


def raise_error() -> None:
    """The storage fails."""
    raise OSError("injected")


def kill() -> None:
    """The process is gone."""
    os.kill(os.getpid(), signal.SIGKILL)


def publish(storage: LocalStorage) -> None:
    """Adds a data file; to an index that has so many that it folds them, and cleans."""
    publisher = IndexPublisher(storage, grace_seconds=0)
    publisher.publish(delta(publisher.write([record("a", "new.parquet")])))


def compact_all(storage: LocalStorage) -> None:
    """Compacts an index of a table that no longer has one of its base files."""
    known = StatisticsIndex.open(storage.folder.parents[1]).files().keys()
    compact(storage, lambda: known - {GONE}, grace_seconds=0)


OPERATIONS: dict[str, Callable[[LocalStorage], None]] = {"publish": publish, "compact": compact_all}


def killed_at_each_step(operation: str, pristine: Path, folder: Path) -> None:
    """Kills a process at each step in turn, each on a copy of an index, which is left as it then is."""
    step, status = 0, int(signal.SIGKILL)
    while status == signal.SIGKILL:
        copy = folder / str(step)
        shutil.copytree(pristine, copy)
        child = os.fork()
        if child == 0:
            # What a killed process wrote is there, synced or not: only the machine could lose it.
            os.fsync = lambda fd: None
            OPERATIONS[operation](FaultyStorage(copy, step, kill))
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
        case ["commits", folder, writer]:
            commits(Path(folder), int(writer))
        case ["compactions", folder, times]:
            compactions(Path(folder), int(times))
        case ["killed", operation, pristine, folder]:
            killed_at_each_step(operation, Path(pristine), Path(folder))
        case other:
            raise SystemExit(f"not understood: {other}")
