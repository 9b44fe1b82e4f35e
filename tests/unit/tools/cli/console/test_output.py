"""Progress, and output whose reader has gone, as behind `| head`."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ....tools.explain.tables import Table, known_table
from ..conftest import HUDI_SKIP

TO_BOTH = """
import os
from pycompiler.tools.cli.console.output import outlive_readers, stdout_for_results
outlive_readers()
with stdout_for_results():
    os.write(1, b"of a child")
print("a result")
print("another", flush=True)
print("what is flushed at exit")
raise SystemExit(3)
"""
SCAN = (
    "2026-01-01 12:00:00.000 INFO  [Map 1] io.hudiskip.scan: hudi-skip scan query=q1 tag= table=/lake/flights"
    " files=68 kept=2 bytes=9000 kept_bytes=300 generation=1 instant=20260101 source=pushed ms=7"
    ' expression="n = 5"\n'
)


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return known_table(Table(tmp_path_factory.mktemp("lake") / "t")).root


def to_nobody(*command: object, stderr_too: bool = False) -> tuple[int, str]:
    """Exit code and stderr of a program whose reader of stdout has gone."""
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            list(map(str, command)),
            stdin=subprocess.DEVNULL,
            stdout=writing,
            stderr=writing if stderr_too else subprocess.PIPE,
            text=True,
            timeout=120,
        )
    finally:
        os.close(writing)
    return done.returncode, done.stderr or ""


@pytest.mark.parametrize(
    "arguments",
    ["--help", "--version", "index status --help", "explain {} --where n=5", "explain {} --where n=5 --json"],
)
def test_a_command_ends_quietly_when_its_reader_has_gone(table: Path, arguments: str) -> None:
    command = [*HUDI_SKIP, *(word.format(table) for word in arguments.split())]
    assert to_nobody(*command) == (0, "")


def test_scans_end_quietly_when_their_reader_has_gone(tmp_path: Path) -> None:
    log = tmp_path / "hiveserver2.log"
    log.write_text(SCAN * 10_000)
    assert to_nobody(*HUDI_SKIP, "scans", log, "--last", 10_000) == (0, "")


def test_a_failure_is_still_told_and_counted(tmp_path: Path) -> None:
    code, told = to_nobody(*HUDI_SKIP, "explain", tmp_path, "--where", "n = 5")
    assert code == 1
    assert "is not a Hudi table" in told
    assert to_nobody(*HUDI_SKIP, "explain", tmp_path, "--where", "n = 5", stderr_too=True) == (1, "")


def test_a_command_that_ran_spark_keeps_its_exit_code() -> None:
    assert to_nobody(sys.executable, "-c", TO_BOTH) == (3, "")


def test_what_head_has_read_is_right(table: Path) -> None:
    command = f"{sys.executable} -m pycompiler explain {table} --where n=5 | head -n 1"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True, timeout=120
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "filter  n = 5\n", "")


@pytest.mark.parametrize("how", ["shown", "quiet"])
def test_progress_is_a_line_now_and_then(how: str) -> None:
    program = """
import sys, time
from pycompiler.tools.cli.console import output
output.SECONDS = 0.25
tell = output.progress_lines(quiet=sys.argv[1] == "quiet")
for number in range(1000):
    tell(f"reading footers: {number + 1} of 1000 files")
    time.sleep(0.001)
"""
    done = subprocess.run([sys.executable, "-c", program, how], capture_output=True, text=True, check=True)
    lines = done.stderr.splitlines()
    assert 1 <= len(lines) <= 20 if how == "shown" else not lines
    assert all(re.fullmatch(r"reading footers: \d+ of 1000 files, \d+ s", line) for line in lines), lines
