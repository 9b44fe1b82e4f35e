"""A Spark application as users have it, which knows of the index only by two options. Run as a program.

Arguments: the writer, the table's path and type, the jars, and options of Hudi as KEY=VALUE. It ends as soon
as it has written.
"""

import sys
from collections.abc import Mapping

from pyspark.sql import SparkSession

from pycompiler.spark.session import hudi_session


def by_sql(spark: SparkSession, path: str, table_type: str, options: Mapping[str, str]) -> None:
    """Creates a table, inserts twice and merges, all in SQL."""
    for key, value in options.items():
        spark.sql(f"SET {key}={value}")
    _create(spark, path, {"type": table_type})
    spark.sql("INSERT INTO readings VALUES (1, 'a', 'north'), (2, 'b', 'south')")
    spark.sql("INSERT INTO readings VALUES (3, 'c', 'north')")
    spark.sql(
        "MERGE INTO readings t USING (SELECT 2L AS id, 'z' AS name, 'south' AS site) s ON t.id = s.id "
        "WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *"
    )


def by_table_properties(spark: SparkSession, path: str, table_type: str, options: Mapping[str, str]) -> None:
    """Creates a table that has the options as its properties, and inserts once in SQL."""
    _create(spark, path, {"type": table_type, **options})
    spark.sql("INSERT INTO readings VALUES (1, 'a', 'north'), (2, 'b', 'south'), (3, 'c', 'north')")


def by_frame(spark: SparkSession, path: str, table_type: str, options: Mapping[str, str]) -> None:
    """Writes a DataFrame once."""
    settings = _of_writer(table_type, options)
    spark.createDataFrame(_ROWS, _SCHEMA).write.format("hudi").options(**settings).mode("append").save(path)


def by_stream(spark: SparkSession, path: str, table_type: str, options: Mapping[str, str]) -> None:
    """Writes one batch of a stream, through Hudi's sink."""
    spark.createDataFrame(_ROWS, _SCHEMA).coalesce(1).write.parquet(f"{path}-source")
    source = spark.readStream.schema(_SCHEMA).parquet(f"{path}-source")
    sink = source.writeStream.format("hudi").options(**_of_writer(table_type, options))
    sink = sink.option("checkpointLocation", f"{path}-checkpoint").trigger(availableNow=True)
    assert sink.start(path).awaitTermination(180), "the stream did not end"


_SCHEMA = "id bigint, name string, site string"
_ROWS = [(1, "a", "north"), (2, "b", "south"), (3, "c", "north")]
WRITERS = {"sql": by_sql, "table_properties": by_table_properties, "frame": by_frame, "stream": by_stream}


def _create(spark: SparkSession, path: str, properties: Mapping[str, str]) -> None:
    named = ", ".join(f"'{key}' = '{value}'" for key, value in {"primaryKey": "id", **properties}.items())
    spark.sql(
        "CREATE TABLE readings (id BIGINT, name STRING, site STRING) USING hudi PARTITIONED BY (site) "
        f"TBLPROPERTIES ({named}) LOCATION '{path}'"
    )


def _of_writer(table_type: str, options: Mapping[str, str]) -> dict[str, str]:
    return {
        "hoodie.table.name": "readings",
        "hoodie.datasource.write.table.type": {"cow": "COPY_ON_WRITE", "mor": "MERGE_ON_READ"}[table_type],
        "hoodie.datasource.write.recordkey.field": "id",
        "hoodie.datasource.write.precombine.field": "name",
        "hoodie.datasource.write.partitionpath.field": "site",
        **options,
    }


def main(writer: str, path: str, table_type: str, jars: str, settings: list[str]) -> None:
    """Writes a table of three rows."""
    spark = hudi_session("writer", master="local[2]", conf={"spark.jars": jars})
    spark.sparkContext.setLogLevel("WARN")
    options = {key: value for key, _, value in (setting.partition("=") for setting in settings)}
    WRITERS[writer](spark, path, table_type, options)
    print("written", spark.read.format("hudi").load(path).count())
    spark.stop()


if __name__ == "__main__":
    _, of_writer, at, kind_of_table, with_jars, *given = sys.argv
    main(of_writer, at, kind_of_table, with_jars, given)
