"""A Hudi table without rows whose metadata table has the generated files and statistics."""

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.column import _to_seq

from .. import jvm
from .table import FIRST_DAY, ColumnKind

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
# Hudi's file names, with the instants at which it starts these partitions of a metadata table.
_COLUMN_STATS: Final = "column_stats/col-stats-0000-0_0-0-0_00000000000000001.hfile"
_FILES: Final = "files/files-0000-0_0-0-0_00000000000000000.hfile"


def create(spark: SparkSession, path: Path, columns: Sequence[ColumnKind], rows: Path) -> None:
    """Writes a real table with one row, then replaces its metadata with the generated statistics.

    Args:
        spark: A session with Hudi.
        path: The new table.
        columns: Columns beside the record key and the partition.
        rows: The statistics as plain Parquet.
    """
    nulls = ", ".join(f"CAST(NULL AS {column.hive_type}) AS {column.name}" for column in columns)
    row = spark.sql(f"SELECT 'key' AS record_key, {nulls}, '{FIRST_DAY}' AS datestr")
    row.write.format("hudi").options(**_OPTIONS).mode("append").save(str(path))
    files = path / ".hoodie/metadata" / _FILES
    for file in [*hfile(path).parent.glob("*col-stats-*"), *files.parent.glob("*files-*")]:
        file.unlink()
    job = {"rows": str(rows), "column_stats": str(hfile(path)), "files": str(files)}
    jvm.spark_program("MetadataTableFiles", job)
    shutil.rmtree(path / f"datestr={FIRST_DAY}")


def hfile(path: Path) -> Path:
    """The HFile with the statistics of columns."""
    return path / ".hoodie/metadata" / _COLUMN_STATS


def load(spark: SparkSession, path: Path) -> DataFrame:
    """Opens the table as a query does: reads its timeline and schema."""
    reader = spark.read.format("hudi").option("hoodie.metadata.enable", "true")
    return reader.option("hoodie.enable.data.skipping", "true").load(str(path))


def planned(frame: DataFrame, condition: str) -> int:
    """Asks Hudi's file index for the files that pass, as Spark does; returns their number."""
    plan: Any = frame.filter(condition)._jdf.queryExecution().optimizedPlan()
    index = plan.collectLeaves().head().relation().location()
    while plan.getClass().getSimpleName() != "Filter":
        plan = plan.children().head()
    context = frame.sparkSession.sparkContext
    folders = index.listFiles(_to_seq(context, []), _to_seq(context, [plan.condition()]))
    return sum(folders.apply(number).files().size() for number in range(folders.size()))
