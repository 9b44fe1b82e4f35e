import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from pycompiler.hive.server.process import ProcessId, start_mark

OBEDIENT = "import time; print('up', flush=True); time.sleep(60)"
STUBBORN = f"import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); {OBEDIENT}"


@contextmanager
def running(program: str) -> Iterator[int]:
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        try:
            yield process.pid
        finally:
            process.kill()


def test_a_process_keeps_its_mark_and_loses_it_when_it_ends() -> None:
    with running(OBEDIENT) as pid:
        mark = start_mark(pid)
        assert mark is not None
        assert start_mark(pid) == mark
    assert start_mark(pid) != mark


def test_two_processes_differ_in_id_or_mark() -> None:
    with running(OBEDIENT) as one:
        assert (one, start_mark(one)) != (os.getpid(), start_mark(os.getpid()))


@pytest.mark.parametrize(
    ("program", "grace_seconds", "is_killed"), [(OBEDIENT, 10, False), (STUBBORN, 0.3, True)]
)
def test_only_a_process_that_ignores_sigterm_is_killed(
    program: str, grace_seconds: float, is_killed: bool
) -> None:
    with running(program) as pid:
        mark = start_mark(pid)
        assert mark is not None
        assert ProcessId(pid, mark).terminate(grace_seconds) is is_killed
        assert start_mark(pid) != mark


def test_a_process_that_merely_got_the_id_is_left_alone() -> None:
    with running(OBEDIENT) as pid:
        ProcessId(pid, "the mark of another run").terminate(grace_seconds=0.1)
        assert start_mark(pid) is not None, "it was ended although it is not the process that was recorded"
