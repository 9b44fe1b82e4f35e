"""What all tests share: one Spark session with Hudi for the whole run."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pyspark.sql import SparkSession

from pycompiler.spark.session import hudi_session

SPARK_SETTINGS = {
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.shuffle.partitions": "2",
    "spark.default.parallelism": "2",
}


@pytest.fixture(scope="session")
def spark() -> Iterator[SparkSession]:
    """A local session in UTC."""
    session = hudi_session("tests", master="local[2]", conf=SPARK_SETTINGS)
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()
