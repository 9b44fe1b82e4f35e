"""How the servers and the Spark session of the tests are set up."""

from ..tables import PADDED

FAR_ZONE = "Pacific/Auckland"
"""Zone of the second server: 13 or 12 hours ahead of UTC, in which the first one and Spark are."""

DECLARED_COLUMNS = {PADDED.name: "id int, c char(5), v varchar(5)"}
"""Tables that are created with a column list; the others take their columns from Hudi."""

PATIENCE = {
    "hudi.skipping.compiler.timeout.ms": "20000",
}
"""Deadlines for a busy machine; the tests of deadlines set their own."""

SERVER_SETTINGS = {
    **PATIENCE,
    # Also on MapReduce, which an embedded server refuses: it runs in the server's own process, where only one
    # query at a time is right. The tests that use it run theirs one by one.
    "hive.conf.restricted.list": "hive.execution.mode,hive.llap.execution.mode",
}
"""Settings of the servers of the tests."""

SPARK_SETTINGS = {
    # Days before 1582 are written as they are, not refused.
    "spark.sql.parquet.datetimeRebaseModeInWrite": "CORRECTED",
    "spark.sql.parquet.datetimeRebaseModeInRead": "CORRECTED",
}
