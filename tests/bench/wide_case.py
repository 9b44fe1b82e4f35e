"""The RFC's case in every layout: the same statistics of 1,288 files and 2,078 columns."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pyspark.sql import SparkSession

from .data import hudi_table, index_rows, rfc_parquet
from .data.table import BaseFiles, ColumnKind, base_files, column_bounds, wide_columns
from .environment import WORK, spark_session
from .results import Result


@dataclass(frozen=True)
class WideTable:
    """The files and columns of a table, and the paths of its layouts.

    Attributes:
        files: The files.
        columns: The columns.
        rows: Plain Parquet, one row per column and file.
        path: A Hudi table with our index and Hudi's metadata table.
        iceberg: The Iceberg table, which its own program writes.
    """

    files: BaseFiles
    columns: list[ColumnKind]
    rows: Path = WORK / "rows.parquet"
    path: Path = WORK / "trips"
    iceberg: Path = WORK / "iceberg"


def run(small: bool, *, parts: Sequence[Callable[[SparkSession, WideTable], list[Result]]]) -> list[Result]:
    """Runs benchmarks on layouts that are written once."""
    files, columns = (200, 60) if small else (1_288, 2_078)
    table = WideTable(base_files(files, 14), wide_columns(columns))
    WORK.mkdir(parents=True)
    with spark_session() as spark:
        rfc_parquet.write(table.rows, table.files, table.columns)
        hudi_table.create(spark, table.path, table.columns, table.rows)
        index_rows.publish(table.path, table.files, column_bounds(table.files, table.columns))
        return [result for part in parts for result in part(spark, table)]
