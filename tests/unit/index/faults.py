"""Publishing as other processes do it, and as it goes when the storage fails or the process is killed.

`python -m tests.unit.index.faults commits FOLDER WRITER` and `… one-more FOLDER STEP` run it in a process of
its own.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from pycompiler.index.publisher import IndexPublisher
from pycompiler.index.storage import LocalStorage

from .samples import add, delta, record

COMMITS = 12
ROOT = Path(__file__).resolve().parents[3]


def commits(folder: Path, writer: int) -> None:
    storage = LocalStorage(folder)
    for commit in range(COMMITS):
        add(
            storage,
            record("a", f"w{writer}c{commit}.parquet", commit),
            record("b", f"w{writer}c{commit}.parquet"),
        )


class FaultyStorage(LocalStorage):
    """Fails at the n-th step that changes anything: before it, in the middle of writing, or after it."""

    def __init__(self, folder: Path, step: int, fail: Callable[[], None]) -> None:
        super().__init__(folder)
        self._left = step
        self._fail = fail

    def _step(self) -> None:
        if self._left == 0:
            self._fail()
        self._left -= 1

    @contextmanager
    def create(self, name: str) -> Iterator[BinaryIO]:
        self._step()
        with super().create(name) as sink:
            yield sink
            self._step()
        self._step()

    def _link(self, temporary: str, name: str) -> None:
        self._step()
        super()._link(temporary, name)
        self._step()

    def delete(self, name: str) -> None:
        self._step()
        super().delete(name)
        self._step()

    @property
    def done(self) -> bool:
        return self._left > 0


def raise_error() -> None:
    raise OSError("injected")


def kill() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def one_more(folder: Path, step: int, fail: Callable[[], None]) -> FaultyStorage:
    """Adds a data file to an index that has so many that it folds them, and cleans; fails at a step."""
    storage = FaultyStorage(folder, step, fail)
    publisher = IndexPublisher(storage, grace_seconds=0)
    publisher.publish(delta(publisher.write([record("a", "new.parquet")])))
    return storage


def start(*arguments: object) -> subprocess.Popen[bytes]:
    """Runs this module in a process of its own."""
    command = [sys.executable, "-m", "tests.unit.index.faults", *map(str, arguments)]
    return subprocess.Popen(command, cwd=ROOT)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["commits", folder, writer]:
            commits(Path(folder), int(writer))
        case ["one-more", folder, step]:
            one_more(Path(folder), int(step), kill)
        case other:
            raise SystemExit(f"not understood: {other}")
