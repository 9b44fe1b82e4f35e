"""A test that never ends and is not part of the suite: `test_interrupted_runs.py` runs it to kill it."""

import os
import time
from pathlib import Path

from pyspark.sql import SparkSession

from pycompiler.hive.server import HiveServer
from tests.reaper import VARIABLE

MARK_FILE = "HUDI_SKIP_MARK_FILE"


def test_that_holds_servers(server: HiveServer, s3: str, spark: SparkSession) -> None:
    Path(os.environ[MARK_FILE]).write_text(f"{os.getpid()} {os.environ[VARIABLE]}", encoding="utf-8")
    time.sleep(600)
