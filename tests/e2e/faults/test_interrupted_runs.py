"""Nothing stays behind of a run of tests that is interrupted or killed."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from tests import reaper

from .interrupted_run import MARK_FILE

_ROOT: Final = Path(__file__).resolve().parents[3]
_STARTING_SECONDS: Final = 240.0
_ENDING_SECONDS: Final = 30.0


def _interrupt(run: int, _: int) -> None:
    os.killpg(run, signal.SIGINT)  # as Ctrl-C does


def _kill(run: int, _: int) -> None:
    os.kill(run, signal.SIGKILL)


def _kill_worker(_: int, worker: int) -> None:
    os.kill(worker, signal.SIGKILL)


@pytest.mark.full
@pytest.mark.parametrize("end", [_interrupt, _kill, _kill_worker])
def test_servers_end_with_the_run_that_started_them(tmp_path: Path, end: Callable[[int, int], None]) -> None:
    mark_file, log_file = tmp_path / "mark", tmp_path / "run.log"
    options = ["--numprocesses", "1", "--max-worker-restart", "0"]
    command = [sys.executable, "-m", "pytest", *options, "tests/e2e/faults/interrupted_run.py"]
    with (
        log_file.open("wb") as log,
        subprocess.Popen(
            command,
            cwd=_ROOT,
            env={**os.environ, MARK_FILE: str(mark_file)},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        ) as run,
    ):
        try:
            _wait(lambda: mark_file.is_file() or run.poll() is not None, _STARTING_SECONDS)
            assert run.poll() is None, log_file.read_text(encoding="utf-8")
            worker, mark = mark_file.read_text(encoding="utf-8").split()
            started = [" ".join(process.cmdline()) for process in reaper.marked(mark)]
            for program in ("EmbeddedHiveServer", "LlapDaemon", "tests.stores.s3", "SparkSubmit"):
                assert any(program in command for command in started), started
            end(run.pid, int(worker))
            _wait(lambda: run.poll() is not None, _ENDING_SECONDS)
        finally:
            run.kill()
    of_run = mark.rpartition("/")[0]
    _wait(lambda: not list(reaper.marked(of_run)), _ENDING_SECONDS)
    assert not [process.cmdline() for process in reaper.marked(of_run)]


def _wait(is_over: Callable[[], bool], seconds: float) -> None:
    deadline = time.monotonic() + seconds
    while not is_over() and time.monotonic() < deadline:
        time.sleep(0.2)
