"""Each test measures a process of its own: the test run has other children, which start and end meanwhile."""

import subprocess
import sys

import psutil
import pytest

from examples.demo.cpu import cpu_seconds

SLEEP = "import time; time.sleep(0.6)"
BUSY = """
import time
while time.process_time() < 0.5:
    pass
"""
CHILD = f"{BUSY}\nprint(flush=True)\ninput()"
"""It ends when its parent does, whose standard input it shares."""

RUN_BUSY_CHILD = f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {BUSY!r}], check=True)"
START_BUSY_CHILD = f"""
import subprocess, sys
child = subprocess.Popen([sys.executable, '-c', {CHILD!r}], stdout=subprocess.PIPE)
child.stdout.readline()
"""


def cpu_of(script: str, times: int = 1) -> float:
    """CPU seconds of a process that has run a script and still exists, named several times."""
    program = f"{script}\nprint(flush=True)\ninput()"
    with subprocess.Popen([sys.executable, "-c", program], stdin=-1, stdout=-1) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == b"\n", "the process under measurement failed"
            return cpu_seconds([process.pid] * times)
        finally:
            process.kill()


def test_work_counts_and_waiting_does_not() -> None:
    waited, worked = cpu_of(SLEEP), cpu_of(BUSY)
    assert waited < 0.4 < worked, f"{waited} s while it slept, {worked} s while it computed"


@pytest.mark.parametrize("script", [START_BUSY_CHILD, RUN_BUSY_CHILD], ids=["running", "ended"])
def test_a_child_counts_while_it_runs_and_when_it_has_ended(script: str) -> None:
    assert cpu_of(script) >= 0.4, "the child's half second should be counted"


def test_several_processes_are_summed_up() -> None:
    assert cpu_of(BUSY, times=2) >= 2 * 0.4, "a process counts as often as it is named"


def test_a_process_that_does_not_run_is_an_error() -> None:
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    with pytest.raises(psutil.NoSuchProcess):
        cpu_seconds([child.pid])
