"""The tables of the stress test: a large one, small ones, a native one, and two that cannot be read."""

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pyarrow.parquet as pq
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from pycompiler.spark.writer import write_indexed

from ..e2e.harness.hudi_writer import HudiWriter
from ..e2e.harness.session import create_statement

REGIONS: Final = 8
_SMALL_ROWS: Final = 2_000
GROUPS: Final = 97


@dataclass(frozen=True, slots=True)
class Size:
    """How large the large tables are.

    Attributes:
        rows: Rows of the large Hudi table and of the native one.
        files: Base files of the large Hudi table, at most; a multiple of `REGIONS`.
    """

    rows: int
    files: int


SHORT: Final = Size(rows=60_000, files=16)


def write_tables(spark: SparkSession, root: Path, size: Size) -> None:
    """Writes all tables under `root`, or finds them there; Spark has views of those that can be read."""
    if not (root / "complete").exists():
        _write(spark, root, size)
    for name in ("big", "small", "paths"):
        spark.read.format("hudi").load(str(root / name)).createOrReplaceTempView(name)
    spark.read.parquet(str(root / "native")).createOrReplaceTempView("native")


def create_statements(root: Path) -> list[str]:
    """Statements that make the tables known to Hive, each under the name that it has in Spark."""
    handled = [
        create_statement(name, root / name) for name in ("big", "small", "paths", "damaged", "incomplete")
    ]
    columns = "id bigint, k int, v bigint, d date, s string, amount decimal(12,2), region string"
    return [
        *handled,
        f"CREATE EXTERNAL TABLE native ({columns}) STORED AS PARQUET LOCATION '{(root / 'native').as_uri()}'",
    ]


def _write(spark: SparkSession, root: Path, size: Size) -> None:
    shutil.rmtree(root, ignore_errors=True)
    _hudi(_rows(spark, size.rows), root / "big", size.files // REGIONS)
    _hudi(_rows(spark, _SMALL_ROWS), root / "small", 1)
    _hudi(
        _rows(spark, _SMALL_ROWS),
        root / "paths",
        1,
        {
            "hoodie.datasource.write.drop.partition.columns": "true",
            "hoodie.datasource.write.hive_style_partitioning": "true",
        },
    )
    _rows(spark, size.rows).repartition(12, "k").write.parquet(str(root / "native"))
    for name in ("damaged", "incomplete"):
        shutil.copytree(root / "small", root / name)
    _damage(_a_base_file(root / "damaged"))
    _a_base_file(root / "incomplete").unlink()
    (root / "complete").touch()


def _rows(spark: SparkSession, rows: int) -> DataFrame:
    """Rows whose values all follow from their number; integers and decimals, so that sums are exact."""
    number = F.col("id")
    return spark.range(rows).select(
        number,
        (F.xxhash64(number) % GROUPS).cast("int").alias("k"),
        (F.xxhash64(number + 1) % 1_000_003).alias("v"),
        F.date_add(F.lit("2020-01-01"), (number * 1_000 / rows).cast("int")).alias("d"),
        F.when(number % 11 == 0, None).otherwise(F.concat(F.lit("s"), number % 1_009)).alias("s"),
        ((F.xxhash64(number + 2) % 1_000_000).cast("decimal(12,0)") / 100)
        .cast("decimal(12,2)")
        .alias("amount"),
        F.concat(F.lit("r"), (number * REGIONS / rows).cast("int")).alias("region"),
    )


def _hudi(frame: DataFrame, path: Path, files_a_region: int, extra: dict[str, str] | None = None) -> None:
    options = {
        "hoodie.datasource.write.precombine.field": "id",
        "hoodie.datasource.write.partitionpath.field": "region",
        # A base file that was deleted by hand is missed because the metadata table lists it.
        "hoodie.metadata.enable": "true",
        **(extra or {}),
    }
    ordered = frame.repartitionByRange(REGIONS * files_a_region, "id")
    written = HudiWriter(frame.sparkSession, path, options).write_options("bulk_insert")
    result = write_indexed(ordered, str(path), written, mode="overwrite")
    assert result.index is not None, result.index_failure


def _a_base_file(table: Path) -> Path:
    return sorted(table.glob("*/*.parquet"))[-1]


def _damage(file: Path) -> None:
    """Overwrites the middle of the pages of column `v`, so that it cannot be decompressed."""
    row_group = pq.read_metadata(file).row_group(0)
    chunk = next(
        row_group.column(i) for i in range(row_group.num_columns) if row_group.column(i).path_in_schema == "v"
    )
    start = chunk.dictionary_page_offset or chunk.data_page_offset
    with file.open("r+b") as data:
        data.seek(start + chunk.total_compressed_size // 2)
        data.write(b"\xff" * min(256, chunk.total_compressed_size // 3))
    # Hadoop's checksum of the file would fail first.
    (file.parent / f".{file.name}.crc").unlink(missing_ok=True)
