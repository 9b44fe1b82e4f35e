"""A real Hudi table, its index, and the command line."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from typer.testing import CliRunner, Result

from pycompiler.tools.cli.main import app

Run = Callable[..., Result]
HUDI_SKIP = (sys.executable, "-m", "pycompiler")

TABLE_OPTIONS = {
    "hoodie.table.name": "readings",
    "hoodie.datasource.write.recordkey.field": "id",
    "hoodie.datasource.write.precombine.field": "id",
    "hoodie.datasource.write.partitionpath.field": "site",
    "hoodie.datasource.write.operation": "bulk_insert",
    "hoodie.bulkinsert.shuffle.parallelism": "1",
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks everything here: Spark writes the table, and commands have processes of their own."""
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.slow)


def append(spark: SparkSession, path: Path, first: int) -> None:
    """Writes one base file: ids `first` to `first + 99`, half of them as score, no score from 300 on."""
    number = F.col("id")
    rows = spark.range(first, first + 100).select(
        number,
        F.concat(F.lit("name"), number).alias("name"),
        F.when(number < 300, number / 2).alias("score"),
        F.lit("north" if first % 200 == 0 else "south").alias("site"),
        F.array(number).alias("tags"),
    )
    write(rows.repartition(1), path)


def rows_of(spark: SparkSession, *rows: tuple[int, str, str]) -> DataFrame:
    """Rows of ids, names and sites, in one partition."""
    schema = "id bigint, name string, score double, site string, tags array<bigint>"
    return spark.createDataFrame([(n, name, 0.5, site, [n]) for n, name, site in rows], schema).coalesce(1)


def write(
    rows: DataFrame, path: Path, operation: str = "bulk_insert", more: Mapping[str, str] | None = None
) -> None:
    """Writes a commit, with more options than those of the table."""
    settings = {**TABLE_OPTIONS, "hoodie.datasource.write.operation": operation, **(more or {})}
    rows.write.format("hudi").options(**settings).mode("append").save(str(path))


def index_of(table: Path) -> Path:
    return table / ".hoodie" / ".skipping_index"


def in_a_process(*arguments: object) -> subprocess.CompletedProcess[str]:
    """Runs `hudi-skip` in a process of its own."""
    return subprocess.run(
        [*HUDI_SKIP, *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=600,
        stdin=subprocess.DEVNULL,
    )


@pytest.fixture(scope="session")
def run() -> Run:
    """Runs `hudi-skip` in this process."""

    def run_command(*arguments: object) -> Result:
        return CliRunner().invoke(app, [str(argument) for argument in arguments])

    return run_command


@pytest.fixture(scope="session")
def shared_table(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory, run: Run) -> Path:
    """Four files of 100 rows with an index. Not to be changed."""
    path = tmp_path_factory.mktemp("tables") / "readings"
    for first in (0, 100, 200, 300):
        append(spark, path, first)
    built = run("index", "build", path)
    assert built.exit_code == 0, built.stderr
    return path


@pytest.fixture
def table(shared_table: Path, tmp_path: Path) -> Path:
    """A copy of the table, to be changed."""
    return Path(shutil.copytree(shared_table, tmp_path / "readings"))


def result_of(result: Result) -> Any:
    """The JSON that a command printed, and nothing else may have been printed."""
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def failed_with_one_line(result: Result) -> str:
    """The message of a command that failed as it should."""
    assert result.exit_code == 1, (result.exit_code, result.stdout, result.stderr)
    assert result.stdout == "", "a failed command has no result"
    (line,) = [line for line in result.stderr.splitlines() if line.startswith("error: ")]
    assert "Traceback" not in result.stderr
    return line.removeprefix("error: ")
