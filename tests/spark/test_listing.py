"""The files of a table without Hudi, beside those of its file-system view, after random histories."""

import random
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from pycompiler.index.file_systems.location import Location
from pycompiler.spark.hudi_table import HudiTable
from pycompiler.table.errors import UnknownFilesError
from pycompiler.table.listing import list_table

from ..properties.slices.history import History
from ..properties.slices.layouts import random_layout
from .hudis_view import check_index, check_view
from .test_updates import Table

pytestmark = pytest.mark.spark


@pytest.mark.selected(2)
@pytest.mark.parametrize("seed", range(11))
def test_after_random_histories_the_files_are_those_of_hudis_view(
    spark: SparkSession, tmp_path: Path, seed: int
) -> None:
    choose = random.Random(seed)
    history = History(
        spark,
        tmp_path / f"t{seed}",
        random_layout(choose, spark),
        choose,
        partitions=4,
        steps=8,
        is_eventful=True,
    )
    history.begin()
    check_view(spark, history.path, history.said)
    for _ in range(8):
        history.step()
        check_view(spark, history.path, history.said)
    check_index(spark, history.path, history.said)


@pytest.mark.parametrize("has_metadata_table", [True, False])
def test_files_are_listed_where_a_partition_file_was_lost(
    spark: SparkSession, tmp_path: Path, has_metadata_table: bool
) -> None:
    whole = {
        "hoodie.datasource.write.keygenerator.class": "org.apache.hudi.keygen.NonpartitionedKeyGenerator",
        "hoodie.datasource.write.partitionpath.field": "",
        "hoodie.metadata.enable": str(has_metadata_table).lower(),
    }
    table = Table(spark, tmp_path / "t", "6", **whole)
    table.write(range(4), "bulk_insert")
    before = list_table(Location.parse(str(table.path)))
    assert len(before.files) == 1
    for file in (*table.path.glob(".hoodie_partition_metadata"), *table.path.glob("..hoodie_partition*.crc")):
        file.unlink()
    with pytest.raises(UnknownFilesError, match="no partition file in its root"):
        list_table(Location.parse(str(table.path)))
    assert HudiTable(spark, table.path).snapshot() == before
