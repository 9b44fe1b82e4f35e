"""A Hudi table without rows whose metadata table has the generated files and statistics."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.column import _to_seq

from . import jvm
from .data.table import FIRST_DAY, ColumnKind

_OPTIONS: Final[Mapping[str, str]] = {
    "hoodie.table.name": "trips",
    "hoodie.datasource.write.recordkey.field": "record_key",
    "hoodie.datasource.write.partitionpath.field": "datestr",
    "hoodie.datasource.write.hive_style_partitioning": "true",
    "hoodie.datasource.write.operation": "bulk_insert",
    "hoodie.metadata.enable": "true",
    "hoodie.metadata.index.column.stats.enable": "true",
    "hoodie.metadata.index.column.stats.file.group.count": "1",
    "hoodie.metadata.index.column.stats.max.columns.to.index": "5000",
    "hoodie.metadata.index.partition.stats.enable": "false",
    "hoodie.embed.timeline.server": "false",
}
# Instants with which Hudi begins these two partitions of a metadata table.
_COLUMN_STATS: Final = "column_stats/col-stats-0000-0_0-0-0_00000000000000001.hfile"
_FILES: Final = "files/files-0000-0_0-0-0_00000000000000000.hfile"


def create(spark: SparkSession, path: Path, columns: Sequence[ColumnKind], rows: Path) -> None:
    """Writes a real table with one row, and puts the generated statistics in the place of its own.

    Args:
        spark: A session with Hudi.
        path: Where.
        columns: Columns beside the record key and the partition.
        rows: The statistics as plain Parquet.
    """
    nulls = ", ".join(f"CAST(NULL AS {column.hive_type}) AS {column.name}" for column in columns)
    row = spark.sql(f"SELECT 'key' AS record_key, {nulls}, '{FIRST_DAY}' AS datestr")
    row.write.format("hudi").options(**_OPTIONS).mode("append").save(str(path))
    metadata = path / ".hoodie/metadata"
    for file in [*metadata.glob("column_stats/*col-stats-*"), *metadata.glob("files/*files-*")]:
        file.unlink()
    job = {
        "rows": str(rows),
        "column_stats": str(metadata / _COLUMN_STATS),
        "files": str(metadata / _FILES),
    }
    jvm.spark_program("MetadataTableFiles", job)
    shutil.rmtree(path / f"datestr={FIRST_DAY}")


def hfile(path: Path) -> Path:
    """The HFile with the statistics of columns."""
    return path / ".hoodie/metadata" / _COLUMN_STATS


class SparkPlanning:
    """What Spark does to find the files of a query: Hudi's file index, asked with the filter.

    Args:
        spark: A session with Hudi.
        path: The table.
        condition: What stands after WHERE.
    """

    def __init__(self, spark: SparkSession, path: Path, condition: str) -> None:
        self._spark = spark
        self._path = path
        self._condition = condition
        self._frame = self._load()

    def cold(self) -> int:
        """From nothing: the timeline, the schema, the listing and the statistics. Gives the files kept."""
        self._frame = self._load()
        return self.warm()

    def warm(self) -> int:
        """As the same DataFrame is asked once more, its listing being in memory."""
        plan: Any = self._frame.filter(self._condition)._jdf.queryExecution().optimizedPlan()
        index = plan.collectLeaves().head().relation().location()
        context = self._spark.sparkContext
        none, data = _to_seq(context, []), _to_seq(context, [_condition_of(plan)])
        folders = index.listFiles(none, data)
        return sum(folders.apply(number).files().size() for number in range(folders.size()))

    def _load(self) -> DataFrame:
        reader = self._spark.read.format("hudi").option("hoodie.metadata.enable", "true")
        return reader.option("hoodie.enable.data.skipping", "true").load(str(self._path))


def _condition_of(plan: Any) -> Any:
    while plan.getClass().getSimpleName() != "Filter":
        plan = plan.children().head()
    return plan.condition()
