"""A user's own Spark session, whose executors run a Python without any library, or which has no Hudi."""

import json
import os
import subprocess
import sys
import venv
from pathlib import Path
from typing import Any

import pytest

pytestmark = [pytest.mark.spark, pytest.mark.full]

_ROOT = Path(__file__).resolve().parents[2]
_TIMEOUT_SECONDS = 600.0


def _application(folder: Path, has: str, executors_python: str) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-m", "tests.spark.own_session_driver", str(folder), has],
        env={**os.environ, "PYSPARK_PYTHON": executors_python},
        cwd=_ROOT,
        capture_output=True,
        text=True,
        timeout=_TIMEOUT_SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    report: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return report


@pytest.fixture(scope="module")
def bare_python(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A Python of this version that has what Spark brings to its executors and nothing else."""
    folder = tmp_path_factory.mktemp("bare") / "python"
    venv.create(folder, with_pip=False)
    return str(folder / "bin" / "python")


@pytest.fixture(scope="module")
def with_bare_executors(bare_python: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return _application(tmp_path_factory.mktemp("bare"), "hudi", bare_python)


@pytest.fixture(scope="module")
def without_hudi(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return _application(tmp_path_factory.mktemp("without"), "nothing", sys.executable)


def _one_line(text: str) -> str:
    assert len(text.splitlines()) == 1, f"this is for people, on one line: {text}"
    assert "\tat " not in text and "Traceback" not in text
    return text


def test_a_few_files_are_indexed_whatever_python_executors_have(with_bare_executors: dict[str, Any]) -> None:
    report = with_bare_executors["few files"]
    assert (report["error"], report["warnings"], report["log"]) == (None, [], [])
    assert "generation=1, published=True" in report["result"]


def test_pages_of_some_files_are_read_by_the_driver_and_the_log_says_what_executors_lack(
    with_bare_executors: dict[str, Any], bare_python: str
) -> None:
    report = with_bare_executors["pages"]
    assert (report["error"], report["warnings"]) == (None, [])
    assert "generation=2, published=True" in report["result"]
    (message,) = report["log"]
    for part in (
        "on the driver alone",
        bare_python,
        "lacks numpy, pyarrow, xxhash;",
        "docs/guides/write.md",
    ):
        assert part in _one_line(message)


def test_more_than_the_driver_can_do_is_refused_naming_what_executors_lack_and_the_write_stands(
    with_bare_executors: dict[str, Any], bare_python: str
) -> None:
    report = with_bare_executors["too much"]
    assert report["error"] is None and report["result"] == "None"
    (message,) = report["warnings"]
    for part in ("was written", bare_python, "lacks numpy, pyarrow, xxhash;", "PYSPARK_PYTHON"):
        assert part in _one_line(message)
    assert report["log"] == [message], "no traceback in the log"


@pytest.mark.parametrize("action", ["build", "verify"])
def test_what_only_executors_can_do_fails_in_one_line_where_they_lack_libraries(
    with_bare_executors: dict[str, Any], action: str
) -> None:
    error = _one_line(with_bare_executors[action]["error"])
    assert error.startswith("ExecutorPythonError: ") and "lacks numpy, pyarrow, xxhash;" in error


def test_a_session_with_another_serializer_is_refused_before_the_write(
    with_bare_executors: dict[str, Any],
) -> None:
    report = with_bare_executors["serializer"]
    assert report["written"] is False
    error = _one_line(report["error"])
    assert "spark.serializer=org.apache.spark.serializer.KryoSerializer" in error


def test_a_session_without_hudi_is_refused_in_one_line_that_says_how_to_start_one(
    without_hudi: dict[str, Any],
) -> None:
    error = _one_line(without_hudi["write"]["error"])
    for part in ("SparkUnavailableError", "no Hudi", "--packages org.apache.hudi:", "hudi_session()"):
        assert part in error
    assert without_hudi["write"]["written"] is False


def test_a_build_without_a_table_fails_in_one_line_without_hudi_too(without_hudi: dict[str, Any]) -> None:
    error = _one_line(without_hudi["build"]["error"])
    assert error.startswith("NotAHudiTableError: ") and "is not the root of a Hudi table" in error
