"""The table of the tests about ORDER BY and LIMIT, in the server of all tests."""

from collections.abc import Iterator

import pytest
from pyspark.sql import SparkSession

from ..harness.check import Checker
from ..harness.lake import Lake
from ..harness.session import Session
from .tables import READINGS

VIEW = "create view late_readings as select id as number, k as height, day from readings"


@pytest.fixture(scope="session")
def _readings(session: Session, lake: Lake, spark: SparkSession) -> Iterator[None]:
    path = lake.write(READINGS)
    session.create_table(path, name="readings")
    spark.read.format("hudi").load(str(path)).coalesce(2).cache().createOrReplaceTempView("readings")
    session.rows(VIEW)
    spark.sql(VIEW.replace("create view", "create or replace temporary view"))
    yield
    session.rows("drop view late_readings")
    session.rows("drop table readings")


@pytest.fixture
def check_first(check: Checker, _readings: None) -> Checker:
    """Compares answers about `readings`."""
    return check
