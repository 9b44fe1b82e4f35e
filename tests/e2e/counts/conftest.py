"""Tables of the tests about counted rows, in the server of all tests."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from ..harness.check import Checker
from ..harness.lake import Lake
from ..harness.scans import ScanLog
from ..harness.servers import SPARK_SETTINGS, Hive
from ..topk.tables import DRAWS, READINGS


@pytest.fixture(scope="module")
def check_counts(root: Path, hive: Hive, spark: SparkSession) -> Iterator[Checker]:
    """Compares answers about `readings` and `draws`, in a session of its own."""
    for name, value in SPARK_SETTINGS.items():
        spark.conf.set(name, value)
    lake = Lake(root / "counts", spark)
    paths = {data.name: lake.write(data) for data in (READINGS, DRAWS)}
    for name, path in paths.items():
        spark.read.format("hudi").load(str(path)).coalesce(2).cache().createOrReplaceTempView(name)
    with hive.connect() as session:
        for name, path in paths.items():
            session.create_table(path, name=name)
        yield Checker(session, ScanLog(hive.log), spark)
        for name in paths:
            session.rows(f"drop table {name}")
