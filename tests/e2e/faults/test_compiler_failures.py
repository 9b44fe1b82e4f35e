"""A predicate compiler that is missing, dies, hangs or talks nonsense costs files and no rows."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pycompiler.hiveserver import HiveServer

from ..harness.check import Checker
from ..harness.fake_compilers import FakeCompiler, answers, compiles, expression, fake_compiler, never_answers
from ..harness.processes import compilers_of, kill
from ..tables import EVERY_TYPE

QUERY = "select id from every_type where i = 1015"
"""Matches two rows of one file."""

TEZ = {"hive.fetch.task.conversion": "none"}


def _through(fake: FakeCompiler, timeout: int = 1000) -> dict[str, str]:
    return {"hudi.skipping.compiler.address": fake.address, "hudi.skipping.compiler.timeout.ms": str(timeout)}


def test_an_expression_that_is_believed_decides_which_files_are_read(check: Checker) -> None:
    """Control: a fake compiler's answer is used, so that the refusals below are the server's doing."""
    with fake_compiler(compiles(expression())) as fake:
        checked = check.run(QUERY, _through(fake))
    assert fake.connections > 0
    assert not checked.rows and checked.scan.kept == 0, f"NEVER keeps no file: {checked.scan.line}"


@pytest.mark.parametrize("engine", [{}, TEZ], ids=["fetch task", "tez"])
def test_an_expression_of_a_newer_format_keeps_every_file(check: Checker, engine: dict[str, str]) -> None:
    with fake_compiler(compiles(expression(format_version=99, min_reader_version=99))) as fake:
        checked = check(QUERY, {**_through(fake), **engine}).kept_all("version")
    assert fake.connections > 0 and len(checked.rows) == 2


def test_an_operator_of_a_later_version_keeps_every_file(check: Checker) -> None:
    with fake_compiler(compiles(expression(format_version=2, operator=4711))) as fake:
        checked = check(QUERY, _through(fake))
    assert fake.connections > 0
    assert checked.scan.kept == checked.scan.files, checked.scan.line


def test_an_expression_compiled_from_another_filter_keeps_every_file(check: Checker) -> None:
    with fake_compiler(compiles(expression(fingerprint=bytes(32)))) as fake:
        checked = check(QUERY, _through(fake)).kept_all("another filter")
    assert fake.connections > 0 and len(checked.rows) == 2


NONSENSE = {
    "http": b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n",
    "a frame of 2 GiB": b"\x7f\xff\xff\xff" + b"x" * 100,
    "a frame of negative length": b"\xff\xff\xff\xf0" + b"x" * 100,
    "an empty frame": b"\x00\x00\x00\x00",
    "a frame of noise": b"\x00\x00\x00\x40" + bytes(range(37, 37 + 64)),
    "a frame that stops": b"\x00\x00\x10\x00" + b"\x82\x41\x01\x07compile",
}


@pytest.mark.selected(3)
@pytest.mark.parametrize("reply", NONSENSE)
def test_nonsense_from_the_compiler_keeps_every_file(check: Checker, reply: str) -> None:
    with fake_compiler(answers(NONSENSE[reply])) as fake:
        checked = check(QUERY, _through(fake)).kept_all("compiler")
    assert fake.connections > 0 and len(checked.rows) == 2


def test_a_compiler_that_hangs_costs_its_deadline_and_no_row(check: Checker) -> None:
    with fake_compiler(never_answers) as fake:
        started = time.monotonic()
        checked = check.run(QUERY, _through(fake, timeout=300)).kept_all("300 ms")
        seconds = time.monotonic() - started
    assert fake.connections > 0 and len(checked.rows) == 2
    assert seconds < 10, f"the query waited {seconds:.1f} s for a compiler with a deadline of 0.3 s"


def test_a_compiler_that_hangs_up_keeps_every_file(check: Checker) -> None:
    with fake_compiler(lambda connection: connection.close()) as fake:
        assert len(check(QUERY, _through(fake)).kept_all("compiler").rows) == 2


def test_an_address_where_nobody_listens_keeps_every_file(check: Checker, tmp_path: Path) -> None:
    for address in ("127.0.0.1:1", f"unix:{tmp_path}/none.sock", "nonsense"):
        checked = check(QUERY, {"hudi.skipping.compiler.address": address}).kept_all("compiler")
        assert len(checked.rows) == 2, address


def test_a_command_that_is_not_installed_is_named_in_the_log(check: Checker, tmp_path: Path) -> None:
    command = str(tmp_path / "not-installed")
    checked = check(QUERY, {"hudi.skipping.compiler.command": command}).kept_all("not-installed")
    assert len(checked.rows) == 2


def test_a_command_that_never_gets_ready_costs_its_start_timeout(check: Checker) -> None:
    started = time.monotonic()
    checked = check.run(QUERY, {"hudi.skipping.compiler.command": "sleep 600"}).kept_all("compiler")
    assert len(checked.rows) == 2
    assert time.monotonic() - started < 60, "the start timeout is 20 s"


def test_a_command_that_ends_at_once_keeps_every_file(check: Checker) -> None:
    assert len(check(QUERY, {"hudi.skipping.compiler.command": "false"}).kept_all("compiler").rows) == 2


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
