"""A commit by Spark on a linked table, with the metadata table that Hudi makes then."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from pyspark.sql import SparkSession
from pyspark.sql import functions as F


def write_partitions(spark: SparkSession, root: Path, numbers: Iterable[int]) -> None:
    """Adds a file of one row to some partitions. Its `id` is the partition's number."""
    rows = spark.createDataFrame([(number,) for number in numbers], "id long").coalesce(1)
    columns = [(F.col("id") * number).alias(f"c{number:02d}") for number in range(20)]
    text = F.format_string("%05d", F.col("id"))
    # The files before have no such column: it has to be one that may be NULL.
    day = F.when(text.isNotNull(), text).alias("day")
    options = {
        "hoodie.table.name": root.name,
        "hoodie.datasource.write.recordkey.field": "c00",
        "hoodie.datasource.write.partitionpath.field": "day",
        "hoodie.datasource.write.hive_style_partitioning": "true",
        "hoodie.datasource.write.operation": "bulk_insert",
        "hoodie.bulkinsert.shuffle.parallelism": "1",
        "hoodie.write.table.version": "6",
        "hoodie.write.auto.upgrade": "false",
        "hoodie.embed.timeline.server": "false",
        "hoodie.clean.automatic": "false",
    }
    rows.select(*columns, "id", day).write.format("hudi").options(**options).mode("append").save(str(root))
