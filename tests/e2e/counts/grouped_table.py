"""A table of few rows in files of adjacent ids, for tests that count its rows."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from pyspark.sql import SparkSession

from pycompiler import IndexCreator

from ..harness.check import Checker
from ..harness.hudi_writer import HudiWriter
from ..merging.cases import OPTIONS

GROUPS: Final = 24
ROWS_PER_GROUP: Final = 10
ROWS: Final = GROUPS * ROWS_PER_GROUP


class GroupedTable:
    """A table of `ROWS` rows in `GROUPS` files, with an index and a table in Hive."""

    def __init__(self, check: Checker, spark: SparkSession, path: Path, kind: str) -> None:
        self.check = check
        self.spark = spark
        self.writer = HudiWriter(spark, path, {**OPTIONS, "hoodie.datasource.write.table.type": kind})
        self.write(range(ROWS), 1, "bulk_insert")
        IndexCreator(spark).build(str(path))
        self.name = check.session.create_table(path)

    @property
    def path(self) -> Path:
        return self.writer.path

    def write(
        self, keys: range, n: int, operation: str = "upsert", extra: Mapping[str, str] | None = None
    ) -> None:
        """Writes a commit with rows of these ids."""
        rows = [(i, n, f"g{i // ROWS_PER_GROUP % GROUPS:02d}") for i in keys]
        frame = self.spark.createDataFrame(rows, "id int, n int, grp string")
        self.writer.write(frame.coalesce(1), operation, extra)
