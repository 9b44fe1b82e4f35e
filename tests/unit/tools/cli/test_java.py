"""What commands say where there is no Java, or Spark cannot start: one line, without what a shell says."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from .conftest import HUDI_SKIP

PROPERTIES = "hoodie.table.name=t\nhoodie.table.type=COPY_ON_WRITE\nhoodie.table.version=8\n"
WRONG_HOME = "/nope/bin/java is missing; set JAVA_HOME to a JDK 17, or unset it"


@pytest.fixture
def hudi_table(tmp_path: Path) -> Path:
    """A table that nothing has been written to."""
    (tmp_path / ".hoodie").mkdir()
    (tmp_path / ".hoodie" / "hoodie.properties").write_text(PROPERTIES, "utf-8")
    return tmp_path


def error_of(arguments: list[object], environment: dict[str, str]) -> str:
    """The only line on stderr of a command that fails."""
    done = subprocess.run(
        [*HUDI_SKIP, *map(str, arguments)], env=environment, capture_output=True, text=True, timeout=600
    )
    assert (done.returncode, done.stdout) == (1, ""), done.stderr
    (line,) = done.stderr.splitlines()
    return line


def test_a_wrong_java_home_is_named_by_each_command_that_needs_java(hudi_table: Path, tmp_path: Path) -> None:
    environment = {**os.environ, "JAVA_HOME": "/nope"}
    for command in (["index", "build", "--spark"], ["index", "update", "--spark"]):
        assert error_of([*command, hudi_table], environment) == f"error: Spark needs Java: {WRONG_HOME}"
    start = ["hiveserver", "start", "--home", tmp_path / "home"]
    assert error_of(start, environment) == f"error: {WRONG_HOME}"
    assert WRONG_HOME in error_of(["explain", hudi_table, "--where", "a = 1"], environment)


def test_without_java_the_package_to_install_is_named(hudi_table: Path, tmp_path: Path) -> None:
    programs = tmp_path / "programs"
    programs.mkdir()
    for name in ("bash", "dirname", "env", "ps", "rm", "sh"):
        if program := shutil.which(name):
            (programs / name).symlink_to(program)
    environment = {name: value for name, value in os.environ.items() if name != "JAVA_HOME"}
    line = error_of(["index", "build", "--spark", hudi_table], {**environment, "PATH": str(programs)})
    assert line.startswith("error: Spark needs Java: no java found; install JDK 17"), line
