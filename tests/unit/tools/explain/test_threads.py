"""A process that ends while a thread of Arrow's needs Python is aborted, so `explain` must start none."""

import subprocess
import sys
from pathlib import Path

import pytest

from .tables import Table, known_table

PROGRAM = """
import atexit, os, sys
import numpy, pyarrow.parquet
from pycompiler.tools.cli.main import main

def threads():
    return set(os.listdir("/proc/self/task"))

pyarrow.array([1])
before = threads()  # those of the allocator and of numpy, which never call Python
atexit.register(lambda: print(len(threads() - before), "more threads", file=sys.stderr))
main()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="threads of libraries are counted in /proc")
@pytest.mark.parametrize("where", ["n = 5", "n < 25"])
def test_explain_starts_no_thread(tmp_path: Path, where: str) -> None:
    table = known_table(Table(tmp_path / "t"))
    command = [sys.executable, "-c", PROGRAM, "explain", str(table.root), "--where", where]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stderr) == (0, "0 more threads\n"), done.stdout
