"""A session of the tests about ORDER BY and LIMIT, with the server of all tests."""

from collections.abc import Iterator

import pytest
from pyspark.sql import SparkSession

from ..harness.check import Checker
from ..harness.random_statements import copied
from ..harness.scans import ScanLog
from ..harness.servers import Hive

VIEW = "create view late_readings as select id as number, k as height, day from readings"


@pytest.fixture(scope="module")
def check_first(measured: None, hive: Hive, spark: SparkSession) -> Iterator[Checker]:
    """Compares answers about `readings` and `draws`, in a session of its own."""
    del measured
    spark.sql(VIEW.replace("create view", "create or replace temporary view"))
    with hive.connect() as session:
        session.rows(VIEW)
        yield Checker(session, ScanLog(hive.log), spark)
        session.rows("drop view late_readings")


@pytest.fixture(scope="module")
def copies(check_first: Checker) -> Iterator[str]:
    """The name of a database with a copy of `draws` in Hive's own format."""
    with copied(check_first.session, "copies_of_draws", ["draws"]) as database:
        yield database
