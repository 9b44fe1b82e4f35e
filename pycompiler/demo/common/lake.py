"""The demo's Hudi tables: written by PySpark and indexed in the same call."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from pycompiler.demo.common.oracle import forget_answers
from pycompiler.demo.common.source import SourceTable
from pycompiler.index.options import IndexOptions
from pycompiler.index.storage.location import Location
from pycompiler.spark.writer import write_indexed
from pycompiler.table.timeline import Timeline

_DONE: Final = "written"


@dataclass(frozen=True, slots=True)
class Layout:
    """How a table is cut into files.

    Attributes:
        key: Record key: columns, separated by commas.
        order: Columns by which the rows are ordered before they are cut: a file gets a narrow range of them.
        files: Least number of base files.
        partition: The partition column; None for a table without partitions.
        index: What is indexed; by default the ranges of all columns.
        corrections: What is written again afterwards; None for nothing.
    """

    key: str
    order: tuple[str, ...]
    files: int
    partition: str | None = None
    index: IndexOptions = field(default_factory=IndexOptions)
    corrections: Corrections | None = None


@dataclass(frozen=True, slots=True)
class Corrections:
    """A second commit, which makes the table a merge-on-read one.

    Attributes:
        where: Which rows are written again.
        column: What changes in them.
        value: To what; an expression of Spark.
    """

    where: str
    column: str
    value: str


FLIGHTS: Final = Layout(
    # Cancelled flights, which have no departure time, stand together at the end of each airport.
    key="flights_id",
    order=("origin", "cancelled", "flights_date", "flights_id"),
    files=66,
    partition="origin",
)
WEATHER: Final = Layout(
    key="weather_id", order=("origin", "weather_date", "weather_id"), files=12, partition="origin"
)
DELAYS: Final = Layout(
    key="flights_id",
    order=("flights_date", "flights_id"),
    files=16,
    corrections=Corrections("flights_date >= DATE '2013-12-30'", "dep_delay", "dep_delay + 30"),
)


@dataclass(frozen=True, slots=True)
class LakeTable:
    """A Hudi table on disk."""

    name: str
    path: Path


def finished_table(source: SourceTable, lake: Path) -> LakeTable | None:
    """Gives a table that an earlier run has written and indexed; None if there is none."""
    done = lake / f"{source.name}.{_DONE}"
    return LakeTable(source.name, lake / source.name) if done.exists() else None


def write_table(spark: SparkSession, source: SourceTable, layout: Layout, lake: Path) -> LakeTable:
    """Writes a copy-on-write table and its statistics index.

    A table that an earlier run has finished is used as it is.

    Raises:
        RuntimeError: The table was written, but its index was not.
    """
    finished = finished_table(source, lake)
    if finished is not None:
        return finished
    forget_answers(lake)
    path = lake / source.name
    shutil.rmtree(path, ignore_errors=True)
    rows = spark.read.parquet(str(source.file))
    options = {
        "hoodie.table.name": source.name,
        "hoodie.datasource.write.recordkey.field": layout.key,
        "hoodie.datasource.write.precombine.field": layout.key.partition(",")[0],
        **_partitioning(layout),
        "hoodie.datasource.write.table.type": "MERGE_ON_READ" if layout.corrections else "COPY_ON_WRITE",
        "hoodie.datasource.write.operation": "bulk_insert",
        # The rows come in their order and are cut as Spark has cut them.
        "hoodie.bulkinsert.sort.mode": "NONE",
        # Hudi's own column statistics take most of so small a write's time, and nothing here reads them.
        "hoodie.metadata.index.column.stats.enable": "false",
        "hoodie.metadata.index.partition.stats.enable": "false",
        # Hudi's default, gzip, takes a third longer to write, and longer to read.
        "hoodie.parquet.compression.codec": "snappy",
    }
    _write(path, _ordered(rows, layout), options, layout.index, mode="overwrite")
    if layout.corrections is not None:
        changed = rows.where(layout.corrections.where).withColumn(
            layout.corrections.column, F.expr(layout.corrections.value)
        )
        upsert = {"hoodie.datasource.write.operation": "upsert"}
        _write(path, changed, {**options, **upsert}, layout.index, mode="append")
    (lake / f"{source.name}.{_DONE}").touch()
    return LakeTable(source.name, path)


def _write(path: Path, rows: DataFrame, options: dict[str, str], index: IndexOptions, mode: str) -> None:
    result = write_indexed(rows, str(path), options, index=index, mode=mode)
    if result.index is None:
        raise RuntimeError(f"the index of {path} was not built: {result.index_failure}")


def first_commit(table: LakeTable) -> str:
    """The instant of a table's first commit."""
    entries = Timeline.of(Location.parse(table.path.as_uri())).entries
    return min(entry.instant for entry in entries)


def _partitioning(layout: Layout) -> dict[str, str]:
    if layout.partition is not None:
        return {"hoodie.datasource.write.partitionpath.field": layout.partition}
    return {"hoodie.datasource.write.keygenerator.class": "org.apache.hudi.keygen.NonpartitionedKeyGenerator"}


def _ordered(rows: DataFrame, layout: Layout) -> DataFrame:
    columns = rows.columns
    marked = rows.withColumn("cancelled", F.col("dep_time").isNull()) if "dep_time" in columns else rows
    cut = marked.repartitionByRange(layout.files, *layout.order).sortWithinPartitions(*layout.order)
    return cut.select(columns)
