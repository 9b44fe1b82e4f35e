"""The RFC's case in every layout: the same statistics of 1,288 files and 2,078 columns."""

from collections.abc import Callable, Sequence

from pyspark.sql import SparkSession

from . import layouts, pruning
from .data import hudi_table, index_rows, rfc_parquet
from .data.table import base_files, column_bounds, wide_columns
from .data.wide_table import WideTable
from .environment import WORK, spark_session
from .results import Result

_Part = Callable[[SparkSession, WideTable], list[Result]]


def run(small: bool, *, parts: Sequence[_Part] = (layouts.run, pruning.run)) -> list[Result]:
    """Runs benchmarks on layouts that are written once: of reading statistics, and of choosing files."""
    with spark_session() as spark:
        table = _build(spark, *((200, 60) if small else (1_288, 2_078)))
        return [result for part in parts for result in part(spark, table)]


def _build(spark: SparkSession, files: int, columns: int) -> WideTable:
    """Writes all layouts but Iceberg's, which its own program writes."""
    folder = WORK / "wide"
    folder.mkdir(parents=True)
    table = WideTable(folder, base_files(files, 14), wide_columns(columns))
    rfc_parquet.write(table.rows, table.files, table.columns)
    hudi_table.create(spark, table.path, table.columns, table.rows)
    index_rows.publish(table.path, table.files, column_bounds(table.files, table.columns))
    return table
