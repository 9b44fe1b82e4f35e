"""Shows that Hudi's own data skipping in Spark SQL loses rows of LIKE 'prefix%'.

`python -m pycompiler.demo.spark_data_skipping` writes a small table with Hudi's default settings and counts
rows in Spark with and without Hudi's data skipping, and in Hive with this project's index.

Hudi 1.0.2 and 1.2.0 keep the files with minimum <= prefix <= maximum. If all values of a file begin with
the prefix, its minimum is greater than the prefix, and its rows are lost; only the file where such values
start is read.
"""

import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pyspark.sql import SparkSession
from rich.console import Console
from rich.table import Table

from pycompiler.demo.common.hive import HiveSession
from pycompiler.hive.server import HiveServer
from pycompiler.spark.session import hudi_session
from pycompiler.spark.writer import write_indexed

CONDITIONS: Final = (
    "day BETWEEN DATE '1996-02-10' AND DATE '1996-02-19'",
    "CAST(day AS STRING) LIKE '1996-02-1%'",
    "customer LIKE 'c-04%'",
)
"""Each is TRUE for 1,000 rows of the table."""

_TABLE: Final = "orders_by_day"
_FILES: Final = 30


@dataclass(frozen=True, slots=True)
class Counts:
    """The rows that each engine counts.

    Attributes:
        spark_full: Spark, reading all files.
        spark_skipping: Spark with Hudi's data skipping, which is the default.
        hive_skipping: Hive with this project's index.
    """

    condition: str
    spark_full: int
    spark_skipping: int
    hive_skipping: int


def write_orders(spark: SparkSession, path: Path) -> None:
    """Writes 9,000 orders of 90 days, 100 a day, in files of three days each, and the index."""
    orders = spark.range(9_000).selectExpr(
        "id",
        "date_add(DATE '1996-01-01', CAST(id DIV 100 AS INT)) AS day",
        "format_string('c-%05d', id) AS customer",
    )
    write_indexed(
        orders.repartitionByRange(_FILES, "id").sortWithinPartitions("id"),
        str(path),
        {
            "hoodie.table.name": _TABLE,
            "hoodie.datasource.write.recordkey.field": "id",
            "hoodie.datasource.write.precombine.field": "id",
            "hoodie.datasource.write.operation": "bulk_insert",
            # Keep the rows in order, in the files that Spark made.
            "hoodie.bulkinsert.sort.mode": "NONE",
            # The default; Hudi's data skipping reads the column statistics of the metadata table.
            "hoodie.metadata.enable": "true",
            "hoodie.datasource.write.keygenerator.class": "org.apache.hudi.keygen.NonpartitionedKeyGenerator",
        },
        mode="overwrite",
    )


def count(spark: SparkSession, hive: HiveSession, path: Path) -> list[Counts]:
    """Counts the matching rows of each condition in each engine."""
    hive.create_table(_TABLE, path)
    return [
        Counts(
            condition,
            _spark_count(spark, path, condition, skipping=False),
            _spark_count(spark, path, condition, skipping=True),
            int(hive.run(f"SELECT count(*) FROM {_TABLE} WHERE {condition}", skipping=True).answer[0][0]),
        )
        for condition in CONDITIONS
    ]


def _spark_count(spark: SparkSession, path: Path, condition: str, *, skipping: bool) -> int:
    reader = spark.read.format("hudi").option("hoodie.enable.data.skipping", str(skipping).lower())
    reader = reader.option("hoodie.metadata.enable", "true")  # Hudi's default for readers, too
    return reader.load(str(path)).where(condition).count()


def main() -> int:
    """Writes the table, runs the queries, and prints the counts.

    Returns:
        0 if Hive with this project's index counts the same as Spark without skipping, else 1.
    """
    console = Console()
    spark = hudi_session("Spark's data skipping", conf={"spark.log.level": "ERROR"})
    try:
        with tempfile.TemporaryDirectory() as folder, HiveServer.start(Path(folder) / "hive") as server:
            path = Path(folder) / _TABLE
            write_orders(spark, path)
            found = count(spark, HiveSession(server), path)
    finally:
        spark.stop()
    table = Table("condition", "Spark, all files", "Spark + Hudi's data skipping", "Hive + hudi-skip")
    for one in found:
        table.add_row(
            one.condition, f"{one.spark_full:,}", f"{one.spark_skipping:,}", f"{one.hive_skipping:,}"
        )
    console.print(table)
    return 0 if all(one.hive_skipping == one.spark_full for one in found) else 1


if __name__ == "__main__":
    sys.exit(main())
