"""The commit callback in a real Spark application: SQL writes, and the index is there by two options."""

import os
import shlex
import subprocess
import sys
import time
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from pycompiler.compile.values.encoding import encode_value
from pycompiler.compile.values.types import HiveType
from pycompiler.index.errors import IndexMissingError
from pycompiler.index.index import StatisticsIndex
from pycompiler.indexing.verification import verify
from pycompiler.spark.hudi_table import HudiTable
from pycompiler.spark.session import find_bundle

from ..jvm import JVM_OF_TESTS
from .tables import check_index, status

pytestmark = pytest.mark.spark

PATIENCE_SECONDS = 300.0
LAST = encode_value(HiveType("string"), "z")
"""What the last statement of the application writes."""
TEST_ROOT = Path(__file__).resolve().parents[2]
ON = (
    "hoodie.write.commit.callback.on=true",
    "hoodie.write.commit.callback.class=io.hudiskip.callback.IndexUpdateCallback",
)


class Application:
    """Runs `commit_callback_driver.py` in a process of its own."""

    def __init__(self, root: Path) -> None:
        self.table = root / "readings"
        self._logs = root / "logs"
        self._temporary = root / "tmp"
        self._temporary.mkdir()

    def run(self, *settings: str, writer: str = "sql", table_type: str = "cow") -> str:
        """Writes the table and returns the output of the application, including its log."""
        bundle = find_bundle()
        assert bundle is not None, "make setup"
        callback = bundle.with_name("hudi-skip-callback.jar")
        assert callback.is_file(), "make setup"
        driver = Path(__file__).with_name("commit_callback_driver.py")
        logs = f"hoodie.skipping.callback.log.dir={self._logs}"
        command = [sys.executable, driver, writer, self.table, table_type, f"{bundle},{callback}"]
        command += [*ON, logs, *settings]
        environment = {
            **os.environ,
            "PYTHONPATH": str(TEST_ROOT),
            "PYSPARK_PYTHON": sys.executable,
            "TMPDIR": str(self._temporary),
            "JDK_JAVA_OPTIONS": " ".join(JVM_OF_TESTS),
        }
        done = subprocess.run(
            [str(word) for word in command],
            env=environment,
            cwd=self._temporary,
            capture_output=True,
            text=True,
            timeout=PATIENCE_SECONDS,
            check=False,
        )
        output = done.stdout + done.stderr
        assert done.returncode == 0, output
        assert "written 3" in done.stdout, output
        return output

    def log(self) -> str:
        """What the updates wrote."""
        return "\n".join(file.read_text() for file in self._logs.glob("*.log"))

    def await_instant(self, instant: str) -> None:
        """Waits until the index has seen a commit."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        seen = ""
        while seen < instant:
            assert time.monotonic() < deadline, (
                f"the index is at {seen or 'nothing'}, not {instant}: {self.log()}"
            )
            time.sleep(0.5)
            try:
                seen = StatisticsIndex.open(self.table).manifest.instant
            except IndexMissingError:
                continue


@pytest.fixture
def application(tmp_path: Path) -> Application:
    return Application(tmp_path)


def test_two_options_keep_the_index_current_after_the_writer_is_gone(
    application: Application, spark: SparkSession
) -> None:
    command = shlex.join([sys.executable, "-m", "pycompiler"])
    application.run(f"hoodie.skipping.callback.command={command}")
    application.await_instant(HudiTable(spark, str(application.table)).snapshot().instant)
    assert status(spark, str(application.table)).up_to_date
    assert verify(str(application.table)).sound
    check_index(spark, application.table, ["id", "name", "site"])
    assert "published generation" in application.log()


@pytest.mark.full
@pytest.mark.parametrize("writer", ["table_properties", "frame", "stream"])
def test_each_way_to_set_the_options_updates_the_index(
    application: Application, spark: SparkSession, writer: str
) -> None:
    command = shlex.join([sys.executable, "-m", "pycompiler"])
    application.run(f"hoodie.skipping.callback.command={command}", writer=writer)
    application.await_instant(HudiTable(spark, str(application.table)).snapshot().instant)
    assert status(spark, str(application.table)).up_to_date


@pytest.mark.full
@pytest.mark.parametrize("is_compacted", [False, True], ids=["delta_commits", "compaction"])
def test_they_do_so_on_a_merge_on_read_table(
    application: Application, spark: SparkSession, is_compacted: bool
) -> None:
    command = shlex.join([sys.executable, "-m", "pycompiler"])
    compaction = ["hoodie.compact.inline=true", "hoodie.compact.inline.max.delta.commits=1"]
    application.run(
        f"hoodie.skipping.callback.command={command}",
        "hoodie.spark.sql.merge.into.partial.updates=false",  # nothing is said of logs with these
        *(compaction if is_compacted else []),
        table_type="mor",
    )
    snapshot = HudiTable(spark, str(application.table)).snapshot()
    application.await_instant(snapshot.instant)
    assert any(file.is_log for file in snapshot.files) is not is_compacted, "MERGE INTO has written a log"
    assert status(spark, str(application.table)).up_to_date
    assert verify(str(application.table)).sound
    of_names = StatisticsIndex.open(application.table).statistics(["name"])["name"]
    live = {f"{file.partition}/{file.file_name}" for file in snapshot.files}
    assert StatisticsIndex.open(application.table).live_files().keys() == live
    assert set(of_names) >= live
    found = {(entry.statistics.lower, entry.statistics.upper) for entry in of_names.values()}
    assert (LAST, LAST) in found, "the value of the last commit"


@pytest.mark.full
def test_a_writer_without_the_command_writes_and_says_what_to_do(application: Application) -> None:
    output = application.run("hoodie.skipping.callback.command=hudi-skip-is-not-here")
    assert "was not updated" in output
    assert f"hudi-skip index update {application.table}" in output.replace("file://", "")
    assert not (application.table / ".hoodie" / ".skipping_index").exists()
