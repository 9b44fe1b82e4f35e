"""The RFC's case in every layout: the same statistics of 1,288 files and 2,078 columns."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pyspark.sql import SparkSession

from . import hudi_table
from .data import index_rows, rfc_parquet
from .data.table import BaseFiles, ColumnKind, base_files, column_bounds, wide_columns

WORK: Final = Path("build/bench/work").absolute()
_PARTITIONS: Final = 14


@dataclass(frozen=True)
class WideCase:
    """Where each layout is.

    Attributes:
        files: The base files.
        columns: The columns.
        rows: Plain Parquet, one row per column and file.
        table: A Hudi table with both this project's index and the metadata table.
        iceberg: Where an Iceberg table goes, which its own benchmark makes.
        listing: Size and path of each file, a line each.
        bytes_on_disk: Of each layout, by its name.
    """

    files: BaseFiles
    columns: list[ColumnKind]
    rows: Path
    table: Path
    iceberg: Path
    listing: Path
    bytes_on_disk: dict[str, int]


def build(spark: SparkSession, files: int, columns: int) -> WideCase:
    """Writes all layouts but Iceberg's, which is a program that also asks it.

    Args:
        spark: A session with Hudi.
        files: Number of base files.
        columns: Number of columns with statistics.
    """
    folder = WORK / "wide"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    case = WideCase(
        files=base_files(files, _PARTITIONS),
        columns=wide_columns(columns),
        rows=folder / "rows.parquet",
        table=folder / "trips",
        iceberg=folder / "iceberg",
        listing=folder / "listing.tsv",
        bytes_on_disk={},
    )
    case.bytes_on_disk["parquet"] = rfc_parquet.write(case.rows, case.files, case.columns)
    hudi_table.create(spark, case.table, case.columns, case.rows)
    case.bytes_on_disk["hfile"] = hudi_table.hfile(case.table).stat().st_size
    case.bytes_on_disk["index"] = index_rows.publish(
        case.table, case.files, column_bounds(case.files, case.columns)
    )
    write_listing(case.listing, case.files)
    return case


def write_listing(path: Path, files: BaseFiles) -> None:
    """Writes size and path of each file, for the Java side."""
    lines = zip(files.sizes.tolist(), files.paths(), strict=True)
    path.write_text("".join(f"{size}\t{name}\n" for size, name in lines), "utf-8")
