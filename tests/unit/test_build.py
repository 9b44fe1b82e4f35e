"""What Maven leaves for the Makefile."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

_CHECKOUT = Path(__file__).resolve().parents[2]


def _tool(name: str) -> str:
    found = subprocess.run(
        [_CHECKOUT / "scripts" / "toolchain.sh", name], capture_output=True, text=True, check=True
    )
    return found.stdout.strip()


@pytest.mark.parametrize("skipped", [True, False], ids=["tests skipped", "tests compiled"])
def test_the_class_path_of_the_java_tests_is_written_only_if_they_are_compiled(
    tmp_path: Path, skipped: bool
) -> None:
    # The goal alone, over a copy of the project's model: what is compiled makes no difference to it.
    for pom in ("pom.xml", "hive-handler/pom.xml"):
        (tmp_path / pom).parent.mkdir(exist_ok=True)
        shutil.copy(_CHECKOUT / pom, tmp_path / pom)
    goal = "dependency:build-classpath@write-test-class-path"
    command = [_tool("maven"), "--batch-mode", "--offline", goal, f"-Dmaven.test.skip={str(skipped).lower()}"]
    done = subprocess.run(
        command,
        cwd=tmp_path / "hive-handler",
        env={**os.environ, "JAVA_HOME": _tool("jdk")},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-3000:]
    written = (tmp_path / "hive-handler" / "target" / "test.classpath").exists()
    assert written is not skipped, "make takes test.classpath as a sign that the tests are compiled"
