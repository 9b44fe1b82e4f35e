"""Each test measures a process of its own: the test run has other children, which start and end meanwhile."""

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import psutil
import pytest

from pycompiler.demo.common.cpu import cpu_seconds

BUSY = """
import time
while time.process_time() < 0.5:
    pass
"""
SLEEP = "import time\ntime.sleep(0.3)"
RUN_BUSY_CHILD = f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {BUSY!r}], check=True)"


@contextmanager
def running(*steps: str) -> Iterator[subprocess.Popen[str]]:
    """A process that prints a line, and one more after each step, which it takes when it reads a line."""
    script = (
        "print(flush=True)\n" + "".join(f"input()\n{step}\nprint(flush=True)\n" for step in steps) + "input()"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdin=-1, stdout=-1, text=True) as process:
        try:
            step_done(process)
            yield process
        finally:
            process.kill()


def take_step(process: subprocess.Popen[str]) -> float:
    """The CPU seconds that the next step of the process took."""
    before = cpu_seconds([process.pid])
    assert process.stdin is not None
    process.stdin.write("\n")
    process.stdin.flush()
    step_done(process)
    return cpu_seconds([process.pid]) - before


def step_done(process: subprocess.Popen[str]) -> None:
    assert process.stdout is not None
    assert process.stdout.readline() == "\n", "the process under measurement failed"


def test_work_counts_and_waiting_does_not() -> None:
    with running(SLEEP, BUSY) as process:
        waited, worked = take_step(process), take_step(process)
    assert waited < 0.2 < 0.4 <= worked, f"{waited} s while it slept, {worked} s while it computed"


def test_a_child_counts_while_it_runs() -> None:
    child = f"{BUSY}\ntime.sleep(60)"
    with running(
        f"import subprocess, sys\nchild = subprocess.Popen([sys.executable, '-c', {child!r}])"
    ) as process:
        before = cpu_seconds([process.pid])
        take_step(process)
        try:
            deadline = time.monotonic() + 60
            while cpu_seconds([process.pid]) - before < 0.4:
                assert time.monotonic() < deadline, "the child's half second should be counted"
                time.sleep(0.05)
        finally:
            for child_process in psutil.Process(process.pid).children():
                child_process.kill()


def test_a_child_that_has_ended_still_counts() -> None:
    with running(RUN_BUSY_CHILD) as process:
        assert take_step(process) >= 0.4, "the child's half second should be counted"


def test_several_processes_are_summed_up() -> None:
    with running(BUSY) as process:
        take_step(process)
        assert cpu_seconds([process.pid, process.pid]) >= 2 * 0.4, "a process counts as often as it is named"


def test_a_process_that_does_not_run_is_an_error() -> None:
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    with pytest.raises(psutil.NoSuchProcess):
        cpu_seconds([child.pid])
