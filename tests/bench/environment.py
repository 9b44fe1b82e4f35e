"""The benchmarks' folder, Spark session, and description of the machine."""

import os
import platform
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timezone
from pathlib import Path
from typing import Final

import psutil
import pyarrow as pa
import pyspark
from pyspark.sql import SparkSession

from pycompiler import __version__
from pycompiler.spark.session import HUDI_PACKAGE, hudi_session

from ..conftest import SPARK_SETTINGS
from . import jvm

WORK: Final = Path("build/bench/work").absolute()


@contextmanager
def spark_session(threads: int = 2) -> Iterator[SparkSession]:
    """Opens a local Spark with Hudi, and stops it at the end."""
    conf = {**SPARK_SETTINGS, "spark.driver.memory": "3g", "spark.ui.showConsoleProgress": "false"}
    session = hudi_session("bench", master=f"local[{threads}]", conf=conf)
    session.sparkContext.setLogLevel("ERROR")
    try:
        yield session
    finally:
        session.stop()


def describe() -> str:
    """Describes the machine, its load and the versions on one line."""
    model = re.search(r"^model name\s*:\s*(.+)$", Path("/proc/cpuinfo").read_text("utf-8"), re.MULTILINE)
    cpu = model[1] if model else platform.processor()
    memory = psutil.virtual_memory().total >> 30
    return ", ".join(
        [
            datetime.now(timezone.utc).strftime("%Y-%m-%d"),
            f"{cpu}, {os.cpu_count()} cores (load {os.getloadavg()[2]:.1f}), {memory} GiB",
            f"JDK {jvm.java_version()}, Python {platform.python_version()}, pyarrow {pa.__version__}",
            f"Spark {pyspark.__version__}, Hudi {HUDI_PACKAGE.rsplit(':', 1)[-1]}",
            f"Iceberg {jvm.iceberg_version()}, hudi-skip {__version__}",
        ]
    )
