"""The tables on the cluster's HDFS, whose values all follow from the number of a row."""

from collections.abc import Mapping
from typing import Final

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from pycompiler.spark.writer import write_indexed

from ..e2e.harness.hudi_writer import QUICK

EVENTS: Final = "events"
"""Copy-on-write: `EVENT_FILES` files with `EVENTS_PER_FILE` rows each, in the order of `id` and of `day`."""
PLACES: Final = "places"
"""Copy-on-write: `place` 0 to `PLACE_COUNT` - 1, in `PLACE_FILES` files."""
READINGS: Final = "readings"
"""Merge-on-read: as `EVENTS`, and the values of the ids in `CHANGED` are in logs."""

EVENT_FILES: Final = 12
EVENTS_PER_FILE: Final = 50
PLACE_FILES: Final = 6
PLACE_COUNT: Final = 60
CHANGED: Final = range(40, 60)
"""Rows of the first two files of `READINGS`, whose `amount` a later commit sets to `CHANGED_AMOUNT`."""
CHANGED_AMOUNT: Final = 1_000_000


def write_tables(spark: SparkSession, lake: str) -> None:
    """Writes all tables with their indexes; Spark has views of the same names."""
    ids = spark.range(EVENT_FILES * EVENTS_PER_FILE)
    write(events(ids), lake, EVENTS, EVENT_FILES)
    places = spark.range(PLACE_COUNT).select(
        F.col("id").cast("int").alias("id"), F.concat(F.lit("place-"), F.col("id")).alias("name")
    )
    write(places, lake, PLACES, PLACE_FILES)
    merged = {"hoodie.datasource.write.table.type": "MERGE_ON_READ"}
    write(events(ids), lake, READINGS, EVENT_FILES, merged)
    changed = events(spark.range(CHANGED.start, CHANGED.stop)).withColumn(
        "amount", F.lit(CHANGED_AMOUNT).cast("bigint")
    )
    write(changed, lake, READINGS, 1, {**merged, "hoodie.datasource.write.operation": "upsert"})
    for name in (EVENTS, PLACES, READINGS):
        spark.read.format("hudi").load(f"{lake}/{name}").createOrReplaceTempView(name)


def events(ids: DataFrame) -> DataFrame:
    """The rows of `EVENTS` with these values of `id`."""
    number = F.col("id")
    return ids.select(
        number.cast("int").alias("id"),
        F.date_add(F.lit("2026-01-01"), (number / EVENTS_PER_FILE).cast("int")).alias("day"),
        (number * 7 % PLACE_COUNT).cast("int").alias("place"),
        (number * number).alias("amount"),
    )


def write(rows: DataFrame, lake: str, name: str, files: int, extra: Mapping[str, str] | None = None) -> None:
    """Commits rows as so many files in the order of `id`, and updates the index."""
    ordered = rows.repartitionByRange(files, "id")
    written = write_indexed(ordered, f"{lake}/{name}", _options(name, extra), mode="append")
    assert written.index is not None, written.index_failure


def append(rows: DataFrame, lake: str, name: str, files: int, extra: Mapping[str, str] | None = None) -> None:
    """Commits rows as `write` does, without updating the index."""
    ordered = rows.repartitionByRange(files, "id")
    ordered.write.format("hudi").options(**_options(name, extra)).mode("append").save(f"{lake}/{name}")


def _options(name: str, extra: Mapping[str, str] | None = None) -> dict[str, str]:
    return {
        "hoodie.table.name": name,
        "hoodie.datasource.write.recordkey.field": "id",
        "hoodie.datasource.write.precombine.field": "id",
        "hoodie.datasource.write.operation": "bulk_insert",
        "hoodie.bulkinsert.sort.mode": "NONE",
        # As users have it: Hive lists files from it where the index does not tell.
        "hoodie.metadata.enable": "true",
        **QUICK,
        **(extra or {}),
    }
