"""What `write_indexed` takes, and what it refuses before anything is written."""

import os
import resource
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from pycompiler.index.index import StatisticsIndex
from pycompiler.index.options import IndexOptions, IndexOptionsError
from pycompiler.spark.errors import SparkUnavailableError
from pycompiler.spark.hudi_table import HudiTable
from pycompiler.spark.index_creator import IndexCreator
from pycompiler.spark.writer import write_indexed
from tests.records import records_in_force

from .tables import frame, options, status, write

pytestmark = pytest.mark.spark

OPTIONS = options("t", "bulk_insert", True)


@pytest.fixture(scope="module")
def table(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small indexed table, by a path object and kinds in a dictionary."""
    path = tmp_path_factory.mktemp("writer") / "t"
    result = write_indexed(frame(spark, range(30)), path, OPTIONS, {"ID": "bloom(fpp=0.01)", "st": "none"})
    assert result.index_failure is None
    return path


def test_a_path_object_and_a_dictionary_of_kinds_are_taken(table: Path) -> None:
    index = StatisticsIndex.open(table)
    assert {record.kind for record in records_in_force(index, ["id"])} == {"range", "bloom"}
    assert "st.x" not in index.columns()


@pytest.mark.selected(2)
@pytest.mark.parametrize(
    ("index", "hint"),
    [
        ({"dec10": "bloom"}, "the DataFrame has no column dec10 to index; did you mean dec18"),
        (IndexOptions({"st.z": "range"}), "the DataFrame has no column st.z to index; did you mean st.y"),
        ({"id": "blom"}, "unknown kind of index record: 'blom'"),
        ("id=bloom", "expected IndexOptions or a dictionary"),
    ],
)
def test_an_index_that_cannot_be_made_is_refused_before_the_write(
    spark: SparkSession, tmp_path: Path, index: Any, hint: str
) -> None:
    with pytest.raises(IndexOptionsError, match=hint):
        write_indexed(frame(spark, range(3)), tmp_path / "t", OPTIONS, index)
    assert not (tmp_path / "t").exists()


def test_a_column_that_only_the_table_has_is_known_to_it(spark: SparkSession, table: Path) -> None:
    keys = frame(spark, range(2)).select("id", "part")
    settings = options("t", "delete", True)
    with pytest.raises(IndexOptionsError, match=f"the table {table} has no column nosuch"):
        write_indexed(keys, table, settings, {"nosuch": "range"})
    before = HudiTable(spark, table).snapshot().instant
    result = write_indexed(keys, table, settings, {"s": "bloom"})
    assert result.index is not None and result.index.instant > before


@pytest.mark.parametrize("action", [IndexCreator.build, IndexCreator.update])
def test_a_build_and_an_update_refuse_a_column_that_the_table_does_not_have(
    spark: SparkSession, table: Path, action: Callable[[IndexCreator, Path], object]
) -> None:
    generation = StatisticsIndex.open(table).manifest.generation
    with pytest.raises(
        IndexOptionsError, match=f"the table {table} has no column nosuch to index; it has arr"
    ):
        action(IndexCreator(spark, {"nosuch": "bloom"}), table)
    assert StatisticsIndex.open(table).manifest.generation == generation


def test_a_table_is_found_by_a_relative_path(spark: SparkSession, table: Path) -> None:
    assert status(spark, os.path.relpath(table)) == status(spark, table)
    write(frame(spark, range(100, 103)), table, OPTIONS)
    assert IndexCreator(spark).update(os.path.relpath(table)).published


def test_a_file_system_that_spark_does_not_have_is_refused_in_one_line(spark: SparkSession) -> None:
    with pytest.raises(SparkUnavailableError, match=r"s3a://lake/t .*hadoop-aws:3\.3\.4") as refused:
        write_indexed(frame(spark, range(3)), "s3a://lake/t", OPTIONS)
    assert "\n" not in str(refused.value)


def test_a_write_whose_index_gives_up_kinds_logs_a_warning(
    spark: SparkSession, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "t"
    write_indexed(frame(spark, range(3)), path, OPTIONS, {"id": "bloom", "st.x": "range"})
    assert not caplog.records, "a new index gives up nothing"
    write_indexed(frame(spark, range(3, 6)), path, OPTIONS, {"st.x": "range"})
    (record,) = caplog.records
    assert record.levelname == "WARNING"
    assert record.getMessage() == f"new files of {path} no longer get: id bloom"


def test_an_error_of_the_driver_is_the_reason_in_the_warning(spark: SparkSession, tmp_path: Path) -> None:
    write(frame(spark, range(3)), tmp_path / "t", OPTIONS)
    more = frame(spark, range(3, 6))
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, limit[1]))
    try:
        with pytest.warns(
            UserWarning, match="was written, but .*OSError: .Errno 27. File too large: '"
        ) as caught:
            write_indexed(more, tmp_path / "t", OPTIONS)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limit)
    (message,) = [str(warning.message) for warning in caught]
    assert "\n" not in message
