"""A real Hudi table, its index, and the command line."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as F
from typer.testing import CliRunner, Result

from pycompiler.cli.main import app

Run = Callable[..., Result]

TABLE_OPTIONS = {
    "hoodie.table.name": "readings",
    "hoodie.datasource.write.recordkey.field": "id",
    "hoodie.datasource.write.precombine.field": "id",
    "hoodie.datasource.write.partitionpath.field": "site",
    "hoodie.datasource.write.operation": "bulk_insert",
    "hoodie.bulkinsert.shuffle.parallelism": "1",
}


def append(spark: SparkSession, path: Path, first: int) -> None:
    """Writes one base file: ids `first` to `first + 99`, half of them as score, no score from 300 on."""
    number = F.col("id")
    spark.range(first, first + 100).select(
        number,
        F.concat(F.lit("name"), number).alias("name"),
        F.when(number < 300, number / 2).alias("score"),
        F.lit("north" if first % 200 == 0 else "south").alias("site"),
        F.array(number).alias("tags"),
    ).repartition(1).write.format("hudi").options(**TABLE_OPTIONS).mode("append").save(str(path))


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
