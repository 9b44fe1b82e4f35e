"""A table of few rows in files of adjacent ids, for tests that count its rows."""

import shutil
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


NAME: Final = "grouped"
"""Hudi's name of the table."""


class GroupedTable:
    """A table of `ROWS` rows in `GROUPS` files, with an index and a table in Hive.

    Args:
        copied: Where such a table is that has not changed; None to write one.
    """

    def __init__(
        self, check: Checker, spark: SparkSession, path: Path, kind: str, copied: Path | None = None
    ) -> None:
        self.check = check
        self.spark = spark
        options = {**OPTIONS, "hoodie.table.name": NAME, "hoodie.datasource.write.table.type": kind}
        self.writer = HudiWriter(spark, path, options)
        if copied is None:
            self.write(range(ROWS), 1, "bulk_insert")
            IndexCreator(spark).build(str(path))
        else:
            shutil.copytree(copied, path)
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
