"""The demo's Hudi tables, written and indexed by PySpark in one call."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, field
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from pycompiler.errors import HudiSkipError
from pycompiler.index.file_systems.location import Location
from pycompiler.index.options import IndexOptions
from pycompiler.spark.writer import write_indexed
from pycompiler.table.timeline import Timeline


class DemoDataError(HudiSkipError):
    """The data set is not installed. The message says what to do."""


@dataclass(frozen=True, slots=True)
class SourceTable:
    """A table of the data set, as one Parquet file."""

    name: str
    file: Path
    rows: int


@dataclass(frozen=True, slots=True)
class Layout:
    """How a table is divided into files.

    Attributes:
        key: Record key: columns, separated by commas.
        order: Columns that rows are sorted by, so that each file gets a narrow range of them.
        files: Least number of base files.
        partition: The partition column; None for an unpartitioned table.
        index: What is indexed; by default the ranges of all columns.
        corrections: Rows to write again afterwards; None for none.
    """

    key: str
    order: tuple[str, ...]
    files: int
    partition: str | None = None
    index: IndexOptions = field(default_factory=IndexOptions)
    corrections: Corrections | None = None


@dataclass(frozen=True, slots=True)
class Corrections:
    """A second commit, which makes the table merge-on-read.

    Attributes:
        where: Rows to write again.
        column: The column that changes.
        value: Its new value, as a Spark expression.
    """

    where: str
    column: str
    value: str


@dataclass(frozen=True, slots=True)
class LakeTable:
    """A Hudi table on disk."""

    name: str
    path: Path


def write_table(spark: SparkSession, source: SourceTable, layout: Layout, lake: Path) -> LakeTable:
    """Writes a table and its statistics index, unless an earlier run has finished it.

    Raises:
        RuntimeError: The table was written, but its index was not.
    """
    path, done = lake / source.name, lake / f"{source.name}.written"
    if done.exists():
        return LakeTable(source.name, path)
    shutil.rmtree(path, ignore_errors=True)
    rows = spark.read.parquet(str(source.file))
    options = {
        "hoodie.table.name": source.name,
        "hoodie.datasource.write.recordkey.field": layout.key,
        "hoodie.datasource.write.precombine.field": layout.key.partition(",")[0],
        **_partitioning(layout),
        "hoodie.datasource.write.table.type": "MERGE_ON_READ" if layout.corrections else "COPY_ON_WRITE",
        "hoodie.datasource.write.operation": "bulk_insert",
        # Keep the rows in order, in the files that Spark made.
        "hoodie.bulkinsert.sort.mode": "NONE",
        # Hudi's own column statistics would dominate such a small write, and nothing here reads them.
        "hoodie.metadata.index.column.stats.enable": "false",
        "hoodie.metadata.index.partition.stats.enable": "false",
        # Hudi's default, gzip, takes a third longer to write, and also longer to read.
        "hoodie.parquet.compression.codec": "snappy",
    }
    _write(path, _ordered(rows, layout), options, layout.index, mode="overwrite")
    if layout.corrections is not None:
        changed = rows.where(layout.corrections.where).withColumn(
            layout.corrections.column, F.expr(layout.corrections.value)
        )
        upsert = {"hoodie.datasource.write.operation": "upsert"}
        _write(path, changed, {**options, **upsert}, layout.index, mode="append")
    done.touch()
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
