"""The benchmarks' folder, Spark session, and description of the machine."""

import os
import platform
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timezone
from pathlib import Path
from typing import Final

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
    conf = {**SPARK_SETTINGS, "spark.driver.memory": "3g"}
    session = hudi_session("bench", master=f"local[{threads}]", conf=conf)
    session.sparkContext.setLogLevel("ERROR")
    try:
        yield session
    finally:
        session.stop()


def describe() -> str:
    """Describes the machine, its load and the versions on one line."""
    cpu = _found(r"^model name\s*:\s*(.+)$", "/proc/cpuinfo") or platform.processor()
    memory = int(_found(r"^MemTotal:\s*(\d+) kB$", "/proc/meminfo") or 0) // (1 << 20)
    return ", ".join(
        [
            datetime.now(timezone.utc).strftime("%Y-%m-%d"),
            f"{cpu}, {os.cpu_count()} cores (load {os.getloadavg()[2]:.1f}), {memory} GiB",
            f"JDK {jvm.java_version()}, Python {platform.python_version()}, pyarrow {pa.__version__}",
            f"Spark {pyspark.__version__}, Hudi {HUDI_PACKAGE.rsplit(':', 1)[-1]}",
            f"Iceberg {jvm.iceberg_version()}, hudi-skip {__version__}",
        ]
    )


def _found(pattern: str, path: str) -> str | None:
    try:
        match = re.search(pattern, Path(path).read_text("utf-8"), re.MULTILINE)
    except OSError:
        return None
    return match[1] if match else None
