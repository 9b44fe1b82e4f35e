"""A session of the tests about counted rows, with the server of all tests."""

from collections.abc import Iterator

import pytest
from pyspark.sql import SparkSession

from ..harness.check import Checker
from ..harness.scans import ScanLog
from ..harness.servers import Hive


@pytest.fixture(scope="module")
def check_counts(measured: None, hive: Hive, spark: SparkSession) -> Iterator[Checker]:
    """Compares answers about `readings` and `draws`, in a session of its own."""
    del measured
    with hive.connect() as session:
        yield Checker(session, ScanLog(hive.log), spark)
