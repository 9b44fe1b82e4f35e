"""How the servers and the Spark session of the tests are set up."""

from __future__ import annotations

from ..tables import PADDED

FAR_ZONE = "Pacific/Auckland"
"""Zone of the second server: 13 or 12 hours ahead of UTC, in which the first one and Spark are."""

DECLARED_COLUMNS = {PADDED.name: "id int, c char(5), v varchar(5)"}
"""Tables that are created with a column list; the others take their columns from Hudi."""

PATIENCE = {
    "hudi.skipping.compiler.timeout.ms": "20000",
    "hudi.skipping.compiler.start.timeout.ms": "60000",
}
"""Deadlines for a busy machine; the tests of deadlines set their own."""

SPARK_SETTINGS = {
    # Days before 1582 are written as they are, not refused.
    "spark.sql.parquet.datetimeRebaseModeInWrite": "CORRECTED",
    "spark.sql.parquet.datetimeRebaseModeInRead": "CORRECTED",
}
