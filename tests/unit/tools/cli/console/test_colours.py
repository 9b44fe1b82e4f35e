"""Colours where somebody looks, and none where a program reads."""

import sys
from pathlib import Path

import pytest

from ....tools.explain.tables import Table, known_table
from ..conftest import in_a_process
from .test_terminal import on_a_terminal

EXPLAIN = ("-m", "pycompiler", "explain")


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return known_table(Table(tmp_path_factory.mktemp("lake") / "t")).root


def test_a_terminal_shows_names_headings_and_notes_in_colour(table: Path) -> None:
    shown = on_a_terminal(*EXPLAIN, str(table), "--where", "n < 25")
    assert b"\x1b[1mfilter\x1b[0m  n < 25" in shown
    assert b"\x1b[33m\x1b[1mnote\x1b[0m    1 of 2 files" in shown
    assert b"\x1b[1mfiles kept by each part:\x1b[0m" in shown
    assert b"reading statistics" in shown, "it says what it is doing until then"


@pytest.mark.parametrize("variable", [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_colours_can_be_refused(table: Path, variable: tuple[str, str]) -> None:
    shown = on_a_terminal(*EXPLAIN, str(table), "--where", "n < 25", **dict([variable]))
    assert b"filter  n < 25" in shown
    assert b"\x1b[1m" not in shown and b"\x1b[3" not in shown


def test_a_program_reads_plain_text(table: Path) -> None:
    done = in_a_process("explain", table, "--where", "n < 25")
    assert done.stdout.startswith("filter  n < 25\n")
    assert "\x1b" not in done.stdout and done.stderr == ""


def test_errors_stand_out_on_a_terminal_only(tmp_path: Path) -> None:
    assert in_a_process("explain", tmp_path, "--where", "n = 5").stderr.startswith("error: ")
    program = f"{sys.executable} -m pycompiler explain {tmp_path} --where n=5 || true"
    shown = on_a_terminal("-c", f"import os; os.system({program!r})")
    assert b"\x1b[31m\x1b[1merror:\x1b[0m " in shown
