"""Tables whose columns Spark finds by id: in old files, their names are those of other columns."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from pycompiler.spark.incremental.reader import read_incremental
from pycompiler.spark.index_creator import IndexCreator

from .tables import options, write

pytestmark = [pytest.mark.spark, pytest.mark.since_hudi_1]

BY_ID = "hoodie.schema.on.read.enable"


@pytest.fixture
def by_id(spark: SparkSession) -> Iterator[None]:
    spark.conf.set(BY_ID, "true")
    yield
    spark.conf.unset(BY_ID)


def _insert(spark: SparkSession, path: Path, schema: str, *rows: tuple[int, ...]) -> None:
    given = options("t", "insert", False, **{"hoodie.parquet.small.file.limit": "0", BY_ID: "true"})
    write(spark.createDataFrame(list(rows), schema).coalesce(1), path, given)


def _alter(spark: SparkSession, path: Path, *changes: str) -> None:
    spark.sql(f"create table by_id using hudi location '{path}'")
    try:
        for change in changes:
            spark.sql(f"alter table by_id {change}")
    finally:
        spark.sql("drop table by_id")


@pytest.mark.parametrize(
    ("changes", "column"),
    [
        (("drop column a", "add columns (a int)"), "a"),
        (("rename column a to c", "rename column b to a"), "a"),
        (("rename column a to c", "rename column b to a"), "c"),
    ],
    ids=["dropped and added", "renamed to a known name", "renamed"],
)
def test_an_incremental_read_skips_no_file_by_the_name_of_another_column(
    spark: SparkSession, tmp_path: Path, by_id: None, changes: tuple[str, ...], column: str
) -> None:
    path = tmp_path / "t"
    _insert(spark, path, "id int, a int, b int", (1, 10, 100))
    _alter(spark, path, *changes)
    columns = spark.read.format("hudi").load(str(path)).columns
    own = [name for name in columns if not name.startswith("_hoodie")]
    _insert(spark, path, ", ".join(f"{name} int" for name in own), *[(2,) + (7,) * (len(own) - 1)])
    IndexCreator(spark).build(str(path))
    for where in (
        f"{column} is null",
        f"{column} = 10",
        f"{column} = 100",
        f"{column} < 50",
        f"{column} > 50",
    ):
        everything = read_incremental(spark, path, "0").where(where)
        found = read_incremental(spark, path, "0", where=where)
        assert sorted(found.select("id").collect()) == sorted(everything.select("id").collect()), where
