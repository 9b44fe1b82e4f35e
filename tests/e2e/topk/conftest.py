"""The table of the tests about ORDER BY and LIMIT, in the server of all tests."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from ..harness.check import Checker
from ..harness.lake import Lake
from ..harness.random_statements import copied
from ..harness.scans import ScanLog
from ..harness.servers import SPARK_SETTINGS, Hive
from .tables import DRAWS, READINGS

VIEW = "create view late_readings as select id as number, k as height, day from readings"


@pytest.fixture(scope="module")
def check_first(root: Path, hive: Hive, spark: SparkSession) -> Iterator[Checker]:
    """Compares answers about `readings`, in a session of its own: it does not wait for other tables."""
    for name, value in SPARK_SETTINGS.items():
        spark.conf.set(name, value)
    path = Lake(root / "topk", spark).write(READINGS)
    spark.read.format("hudi").load(str(path)).coalesce(2).cache().createOrReplaceTempView("readings")
    spark.sql(VIEW.replace("create view", "create or replace temporary view"))
    draws = Lake(root / "topk", spark).write(DRAWS)
    with hive.connect() as session:
        session.create_table(path, name="readings")
        session.create_table(draws, name="draws")
        session.rows(VIEW)
        yield Checker(session, ScanLog(hive.log), spark)
        session.rows("drop view late_readings")
        session.rows("drop table readings")
        session.rows("drop table draws")


@pytest.fixture(scope="module")
def copies(check_first: Checker) -> Iterator[str]:
    """The name of a database with a copy of `draws` in Hive's own format."""
    with copied(check_first.session, "copies_of_draws", ["draws"]) as database:
        yield database
