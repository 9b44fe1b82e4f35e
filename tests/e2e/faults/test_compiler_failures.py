"""A predicate compiler that is missing, dies, hangs or talks nonsense costs files and no rows."""

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

import pytest

from pycompiler.hive.server import HiveServer

from ..harness.check import Checker
from ..harness.engines import ENGINES
from ..harness.fake_compilers import (
    FakeCompiler,
    Talk,
    answers,
    compiles,
    fake_compiler,
    hangs_up,
    never_answers,
)
from ..harness.processes import compilers_of, kill
from ..tables import EVERY_TYPE

QUERY = "select id from every_type where i = 1015"
"""Matches two rows of one file."""


def _through(fake: FakeCompiler, timeout: int = 1000) -> dict[str, str]:
    return {"hudi.skipping.compiler.address": fake.address, "hudi.skipping.compiler.timeout.ms": str(timeout)}


def test_an_expression_that_is_believed_decides_which_files_are_read(check: Checker) -> None:
    """Control: a fake compiler's answer is used, so that the refusals below are the server's doing."""
    with fake_compiler(compiles()) as fake:
        checked = check.run(QUERY, _through(fake))
    assert fake.connections > 0
    assert not checked.rows and checked.scan.kept == 0, f"NEVER keeps no file: {checked.scan.line}"


NEWER = compiles(format_version=99, min_reader_version=99)
USELESS: Mapping[str, tuple[Talk, str]] = {
    "an operator of a later version": (compiles(format_version=2, operator=4711), ""),
    "an expression of another filter": (compiles(fingerprint=bytes(32)), "another filter"),
    "nothing": (hangs_up, "compiler"),
    "http": (answers(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"), "compiler"),
    "a frame of 2 GiB": (answers(b"\x7f\xff\xff\xff" + b"x" * 100), "compiler"),
    "a frame of negative length": (answers(b"\xff\xff\xff\xf0" + b"x" * 100), "compiler"),
    "an empty frame": (answers(b"\x00\x00\x00\x00"), "compiler"),
    "a frame of noise": (answers(b"\x00\x00\x00\x40" + bytes(range(37, 37 + 64))), "compiler"),
    "a frame that stops": (answers(b"\x00\x00\x10\x00" + b"\x82\x41\x01\x07compile"), "compiler"),
}
"""What a compiler answers, and the reason in the log."""


def _assert_useless(check: Checker, talk: Talk, reason: str, engine: Mapping[str, str] | None = None) -> None:
    with fake_compiler(talk) as fake:
        checked = check(QUERY, {**_through(fake), **(engine or {})}).kept_all(reason)
    assert fake.connections > 0 and len(checked.rows) == 2


@pytest.mark.selected(1)
@pytest.mark.parametrize("engine", ["fetch task", "tez"])
def test_an_expression_of_a_newer_format_keeps_every_file(check: Checker, engine: str) -> None:
    _assert_useless(check, NEWER, "version", ENGINES[engine])


@pytest.mark.selected(3)
@pytest.mark.parametrize("answer", USELESS)
def test_an_answer_that_is_of_no_use_keeps_every_file(check: Checker, answer: str) -> None:
    _assert_useless(check, *USELESS[answer])


def test_a_compiler_that_hangs_costs_its_deadline_and_no_row(check: Checker) -> None:
    with fake_compiler(never_answers) as fake:
        started = time.monotonic()
        checked = check.run(QUERY, _through(fake, timeout=300)).kept_all("300 ms")
        seconds = time.monotonic() - started
    assert fake.connections > 0 and len(checked.rows) == 2
    assert seconds < 10, f"the query waited {seconds:.1f} s for a compiler with a deadline of 0.3 s"


@pytest.mark.parametrize(
    ("setting", "value", "reason"),
    [
        ("address", "127.0.0.1:1", "compiler"),
        ("address", "unix:/nowhere/none.sock", "compiler"),
        ("address", "nonsense", "compiler"),
        ("command", "/nowhere/not-installed", "not-installed"),
        ("command", "false", "compiler"),
    ],
)
def test_a_compiler_that_is_not_there_keeps_every_file(
    check: Checker, setting: str, value: str, reason: str
) -> None:
    checked = check(QUERY, {f"hudi.skipping.compiler.{setting}": value}).kept_all(reason)
    assert len(checked.rows) == 2


@pytest.mark.full
def test_a_command_that_never_gets_ready_costs_its_start_timeout(check: Checker) -> None:
    started = time.monotonic()
    checked = check.run(QUERY, {"hudi.skipping.compiler.command": "sleep 600"}).kept_all("compiler")
    assert len(checked.rows) == 2
    assert time.monotonic() - started < 60, "the start timeout is 20 s"


def test_compiler_settings_are_those_of_one_session(check: Checker, second_check: Checker) -> None:
    with check.session.settings({"hudi.skipping.compiler.command": "no-such-command-here"}):
        check.run("select id from every_type where i = 1031").kept_all("no-such-command-here")
        second_check.run("select id from every_type where i = 1031").kept(1)
    check.run("select id from every_type where i = 1031").kept(1)


def test_a_compiler_killed_while_queries_run_loses_no_row(check: Checker, server: HiveServer) -> None:
    # Settings of its own give the session a compiler of its own, with restarts of its own to use up.
    own = {"hudi.skipping.compiler.timeout.ms": "19999"}
    others = set(compilers_of(server.pid))
    reasons = set()
    with _killing(lambda: set(compilers_of(server.pid)) - others) as killed:
        for n in range(12):
            i = 1000 + 10 * n
            checked = check.run(f"select id from every_type where i = {i}", own)
            expected = [row["id"] for row in EVERY_TYPE.rows() if row["i"] == i]
            assert sorted(checked.column()) == expected, checked.scan.line
            reasons.add(checked.scan.reason)
    assert killed, "no compiler was killed"
    assert any("compiler" in reason for reason in reasons), f"some scans had no compiler: {reasons}"
    check.run("select id from every_type where i = 1015").kept(1)


@contextmanager
def _killing(pids: Callable[[], set[int]]) -> Iterator[list[int]]:
    """Kills these processes again and again while the block runs; the list of those that were killed."""
    stopped = threading.Event()
    killed: list[int] = []

    def loop() -> None:
        while not stopped.wait(0.05):
            for pid in pids():
                kill(pid)
                killed.append(pid)

    thread = threading.Thread(target=loop)
    thread.start()
    try:
        yield killed
    finally:
        stopped.set()
        thread.join()
