from pathlib import Path

import pytest

from pycompiler import __version__
from pycompiler.tools.cli import explain, index
from pycompiler.tools.cli.errors import CommandError, describe
from pycompiler.tools.pull.errors import PullError

from .conftest import Run, failed_with_one_line, in_a_process


def test_version() -> None:
    done = in_a_process("--version")
    assert (done.returncode, done.stdout.splitlines()[0]) == (0, f"hudi-skip {__version__}")


@pytest.mark.parametrize(
    "arguments",
    [
        *("", "nope", "compiler", "hiveserver start", "explain x", "explain x --where a --where-file b"),
        *("index", "index nope", "index build", "index build x --nope", "index build x --hudi-bundle no.jar"),
        *(f"hiveserver start --home x --port {port}" for port in ("-1", "65536", "x")),
        *("compiler serve --port 0 --socket s", "compiler serve --port 65536"),
    ],
)
def test_wrong_usage_exits_with_2_and_no_traceback(run: Run, arguments: str) -> None:
    done = run(*arguments.split())
    assert done.exit_code == 2
    assert "Traceback" not in done.stderr


def test_a_failure_exits_with_1_and_one_line(tmp_path: Path) -> None:
    done = in_a_process("explain", tmp_path / "nope", "--where", "a = 1", "--json")
    assert (done.returncode, done.stdout) == (1, "")
    assert (
        done.stderr
        == f"error: {tmp_path / 'nope'} does not exist; specify the root directory of a Hudi table\n"
    )


def test_debug_adds_the_traceback(tmp_path: Path) -> None:
    done = in_a_process("--debug", "explain", tmp_path / "nope", "--where", "a = 1")
    assert done.returncode == 1
    assert "Traceback (most recent call last)" in done.stderr
    assert "error: " in done.stderr.splitlines()[-1]


def test_a_defect_is_told_from_a_failure(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def fail(path: str) -> str:
        raise ZeroDivisionError("a defect")

    for module in (explain, index):
        monkeypatch.setattr(module, "checked", fail)
    message = failed_with_one_line(run("explain", tmp_path, "--where", "a = 1"))
    assert message.startswith("unexpected ZeroDivisionError: a defect")
    assert "--debug" in message


def test_a_failure_is_described_by_its_message_alone() -> None:
    assert describe(CommandError("do this instead")) == "do this instead"
    assert describe(PullError("no SELECT")) == "no SELECT"
    assert describe(FileNotFoundError(2, "No such file", "a.sql")) == "a.sql: No such file"
    moved = FileNotFoundError(2, "No such file", "a", None, "b")
    assert describe(moved) == "a -> b: No such file", "both paths are named"


HEAVY = ("pyspark", "pyarrow", "sqlglot", "rich", "numpy", "pandas")


def test_the_compiler_service_loads_nothing_that_it_does_not_use(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPROFILEIMPORTTIME", "1")
    done = in_a_process("compiler", "serve", "--port", "0", "--exit-on-stdin-close")
    assert done.returncode == 0, done.stderr
    loaded = {line.rpartition("|")[2].strip().partition(".")[0] for line in done.stderr.splitlines()}
    assert "thrift" in loaded, "the list of modules should have been found"
    assert loaded.isdisjoint(HEAVY), "Hive waits for the service to start"
