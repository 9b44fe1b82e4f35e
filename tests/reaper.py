"""Kills whatever a test run has started once the run has ended, in whatever way it ended.

Servers run in sessions of their own, and a run that is killed cannot stop them. Children inherit the
environment, so one variable marks every process of a run, however deep; a second process waits for the run to
end and then kills what is marked.
"""

import contextlib
import os
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import psutil

from pycompiler.hive.server.process import ProcessId, start_mark

VARIABLE: Final = "HUDI_SKIP_TEST_RUN"
"""The marks of a process and of those that it was started by, outermost first: `a/b`."""

_ROOT: Final = Path(__file__).resolve().parents[1]
_LOOKS_EVERY_SECONDS: Final = 0.2
_QUIET_ROUNDS: Final = 3
_reapers: Final[list[subprocess.Popen[bytes]]] = []


def leave_nothing_behind() -> None:
    """From now on, processes that this one starts end at the latest when it ends."""
    mark = "/".join(filter(None, (os.environ.get(VARIABLE), uuid.uuid4().hex)))
    os.environ[VARIABLE] = mark
    me = os.getpid()
    # In a session of its own: Ctrl-C goes to all processes of the terminal's.
    _reapers.append(
        subprocess.Popen(
            [sys.executable, "-m", "tests.reaper", str(me), start_mark(me) or "", mark],
            cwd=_ROOT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    )


def marked(mark: str) -> Iterator[psutil.Process]:
    """The running processes under a mark, except this one."""
    for process in psutil.process_iter(["environ", "status"]):
        environment = process.info["environ"] or {}
        is_under = f"{environment.get(VARIABLE, '')}/".startswith(f"{mark}/")
        if is_under and process.pid != os.getpid() and process.info["status"] != psutil.STATUS_ZOMBIE:
            yield process


def _reap(watched: ProcessId, mark: str) -> None:
    while watched.is_running():
        time.sleep(_LOOKS_EVERY_SECONDS)
    # One that is starting another when it is looked at leaves that one for the next round.
    quiet = 0
    while quiet < _QUIET_ROUNDS:
        found = list(marked(mark))
        for process in found:
            with contextlib.suppress(psutil.Error):  # it may have ended, or be another reaper's
                process.kill()
        quiet = 0 if found else quiet + 1
        time.sleep(_LOOKS_EVERY_SECONDS)


if __name__ == "__main__":
    _reap(ProcessId(int(sys.argv[1]), sys.argv[2]), sys.argv[3])
