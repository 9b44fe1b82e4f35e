"""Updates that commits start: one works, one waits, and none is started for nothing."""

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from pycompiler.tools.cli.after_commit import turn

PATIENCE = 30.0


class Update(threading.Thread):
    """An update that signals its turn, and works until `finish`."""

    def __init__(self, table: str) -> None:
        super().__init__(daemon=True)
        self._table = table
        self.ours: bool | None = None
        self.begun = threading.Event()
        self.end = threading.Event()
        self.start()

    def run(self) -> None:
        with turn(self._table) as ours:
            self.ours = ours
            self.begun.set()
            if ours:
                self.end.wait(PATIENCE)

    def finish(self) -> None:
        self.end.set()
        self.join(PATIENCE)
        assert not self.is_alive(), "the update did not end"


@pytest.fixture(autouse=True)
def locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))


def test_of_many_at_once_one_works_and_one_waits_and_the_last_commit_is_covered(tmp_path: Path) -> None:
    table = str(tmp_path / "t")
    first = Update(table)
    assert first.begun.wait(PATIENCE), "nobody else is there"
    others = [Update(table) for _ in range(4)]
    for other in others:
        other.begun.wait(1)
    assert [other.ours for other in others].count(False) == 3, "more than one waits"
    (waiting,) = [other for other in others if other.ours is None]
    first.finish()
    assert waiting.begun.wait(PATIENCE), "the one that waits has its turn when the first has ended"
    assert waiting.ours
    last = Update(table)
    assert not last.begun.wait(0.5), "what works may have looked before the last commit: one has to wait"
    waiting.finish()
    assert last.begun.wait(PATIENCE)
    assert last.ours, "the last commit is not covered"
    last.finish()


def test_tables_do_not_wait_for_each_other(tmp_path: Path) -> None:
    first, second = Update(str(tmp_path / "a")), Update(str(tmp_path / "b"))
    assert first.begun.wait(PATIENCE)
    assert second.begun.wait(PATIENCE)
    assert (first.ours, second.ours) == (True, True)
    first.finish()
    second.finish()


def test_one_table_is_one_by_path_and_by_uri(tmp_path: Path) -> None:
    first = Update(str(tmp_path / "t"))
    assert first.begun.wait(PATIENCE)
    second = Update(f"file://{tmp_path}/t/")
    assert not second.begun.wait(0.5), "two updates of a table work at the same time"
    first.finish()
    assert second.begun.wait(PATIENCE)
    second.finish()


def test_an_update_that_is_killed_keeps_nobody_waiting(tmp_path: Path) -> None:
    program = (
        "import sys, tempfile, time; from pycompiler.tools.cli.after_commit import turn; "
        "tempfile.tempdir = sys.argv[1]; held = turn(sys.argv[2]); held.__enter__(); "
        "print('mine', flush=True); time.sleep(600)"
    )
    command = [sys.executable, "-c", program, str(tmp_path), str(tmp_path / "t")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "mine\n"
        mine = Update(str(tmp_path / "t"))
        waited = not mine.begun.wait(0.5)
        other.kill()
    assert waited, "two updates of a table work at the same time"
    assert mine.begun.wait(PATIENCE)
    assert mine.ours
    mine.finish()
