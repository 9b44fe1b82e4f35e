"""What the figures were measured with."""

from __future__ import annotations

import os
import platform
import re
from datetime import datetime, timezone
from pathlib import Path
from typing import Final

import pyarrow as pa
import pyspark

from pycompiler import __version__
from pycompiler.spark.session import HUDI_PACKAGE

from . import jvm

_CPU: Final = re.compile(r"^model name\s*:\s*(.+)$", re.MULTILINE)
_MEMORY: Final = re.compile(r"^MemTotal:\s*(\d+) kB$", re.MULTILINE)


def describe() -> str:
    """Machine, versions and how busy it was, in one line."""
    return ", ".join(
        [
            datetime.now(timezone.utc).strftime("%Y-%m-%d"),
            f"{_found(_CPU, '/proc/cpuinfo') or platform.processor()}",
            f"{os.cpu_count()} cores (load {os.getloadavg()[2]:.1f})",
            f"{int(_found(_MEMORY, '/proc/meminfo') or 0) // (1 << 20)} GiB",
            f"JDK {jvm.java_version()}",
            f"Python {platform.python_version()}",
            f"pyarrow {pa.__version__}",
            f"Spark {pyspark.__version__}",
            f"Hudi {HUDI_PACKAGE.rsplit(':', 1)[-1]}",
            f"Iceberg {jvm.iceberg_version()}",
            f"hudi-skip {__version__}",
        ]
    )


def _found(pattern: re.Pattern[str], path: str) -> str | None:
    try:
        match = pattern.search(Path(path).read_text("utf-8"))
    except OSError:
        return None
    return match[1] if match else None
