"""Options that say how Spark is started, and what a command says when Spark fails."""

import shutil
import sys
from pathlib import Path

import pytest

from pycompiler.tools.cli.running.spark import RunOptions

from .conftest import Run, failed_with_one_line, in_a_process, index_of

pytestmark = pytest.mark.spark


def errors_of(*arguments: object) -> list[str]:
    """The lines on stderr of a command that fails, in a process with a Spark of its own."""
    done = in_a_process(*arguments, "--master", "local[1]")
    assert (done.returncode, done.stdout) == (1, ""), done.stderr
    return done.stderr.splitlines()


def test_a_setting_without_a_value_is_refused(run: Run, shared_table: Path) -> None:
    message = failed_with_one_line(
        run("index", "verify", shared_table, "--spark", "--conf", "spark.some.key")
    )
    assert message == "--conf: expected KEY=VALUE, not: spark.some.key"


@pytest.mark.parametrize("missing", ["py4j.protocol", "pyspark.errors"])
def test_without_pyspark_the_extra_to_install_is_named(
    run: Run, shared_table: Path, monkeypatch: pytest.MonkeyPatch, missing: str
) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    message = failed_with_one_line(run("index", "verify", shared_table, "--spark"))
    assert message == "PySpark is not installed; run: pip install 'hudi-skip[spark]'"


@pytest.mark.full
def test_settings_reach_spark() -> None:
    (*_, error) = errors_of(
        "index", "status", "lake:/t", "--spark", "--conf", "spark.hadoop.fs.lake.impl=example.LakeFs"
    )
    assert error.startswith("error: Spark has no file system for lake:/t ")
    assert "example.LakeFs not found" in error


def test_packages_and_settings_come_one_by_one_or_together() -> None:
    options = RunOptions(None, "local[*]", ["a:b:1, c:d:2", "e:f:3"], ["k=v", " spark.x = 1=2"])
    assert options.coordinates() == ["a:b:1", "c:d:2", "e:f:3"]
    assert options.settings() == {"k": "v", "spark.x": " 1=2"}


@pytest.mark.full
def test_an_error_of_executors_is_one_line(table: Path) -> None:
    index = index_of(table)
    shutil.rmtree(index)
    index.symlink_to("nowhere")
    lines = errors_of("index", "build", table, "--spark", "--index", "*=bloom")
    assert lines[-1] == (
        f"error: Spark failed: FileExistsError: [Errno 17] File exists: '{index}' "
        "(run with --debug for details)"
    )
    assert not [line for line in lines if "\tat " in line or "Traceback" in line], "no page of traces"
