# SPDX-License-Identifier: Apache-2.0
"""Writes the demo's flights to the object store as a Hudi table, with its index."""

import os
import tempfile
from pathlib import Path

from examples.demo.flights_source import flights
from pycompiler import hudi_session, write_indexed

TABLE = "s3a://lake/flights"
FILES = 66


def main() -> None:
    """Replaces the table."""
    jars = {jar.name.split("-")[0]: jar for jar in Path("/opt/spark/maven").rglob("*.jar")}
    os.environ["HUDI_SPARK_BUNDLE"] = str(jars["hudi"])
    connector = f"{jars['hadoop']},{jars['aws']}"
    conf = {"spark.jars": connector, "spark.log.level": "ERROR", "spark.sql.session.timeZone": "UTC"}
    spark = hudi_session("flights", master="local[2]", conf=conf)
    with tempfile.TemporaryDirectory() as directory:
        rows = spark.read.parquet(str(flights(Path(directory)).file))
        order = ("origin", "flights_date", "flights_id")
        sorted_rows = rows.repartitionByRange(FILES, *order).sortWithinPartitions(*order)
        options = {
            "hoodie.table.name": "flights",
            "hoodie.datasource.write.recordkey.field": "flights_id",
            "hoodie.datasource.write.precombine.field": "flights_id",
            "hoodie.datasource.write.partitionpath.field": "origin",
            "hoodie.datasource.write.operation": "bulk_insert",
            # Keep the rows in order, in the files that Spark made.
            "hoodie.bulkinsert.sort.mode": "NONE",
        }
        written = write_indexed(sorted_rows, TABLE, options, mode="overwrite")
    if written.index is None:
        raise SystemExit(f"the index of {TABLE} was not built: {written.index_failure}")
    print(f"{TABLE} is written and indexed")


if __name__ == "__main__":
    main()
