"""A writer in a process of its own that is killed, with its Spark: `python -m … PATH MOMENT`.

The moments: `in-the-commit`, when one of two base files is written, and `before-the-index`, when the commit
is complete and the index knows nothing of it.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

from pycompiler.spark.index_creator import IndexCreator, IndexUpdate
from pycompiler.spark.session import hudi_session
from pycompiler.spark.writer import write_indexed

from .operated_table import OperatedTable, row, write_options

ROOT = Path(__file__).resolve().parents[3]
MOMENTS = ("in-the-commit", "before-the-index")
MOVED = row(3, "moved", 9998)
NEVER_SEEN = row(31, "moved", 9998)


def run_killed(path: Path, moment: str) -> None:
    """Runs the writer until it is killed."""
    command = [sys.executable, "-m", "tests.e2e.harness.killed_writer", str(path), moment]
    # A group of its own, so that it takes its JVM with it and nothing else.
    ended = subprocess.run(command, cwd=ROOT, start_new_session=True, timeout=300, check=False)
    assert ended.returncode == -signal.SIGKILL, f"the writer should have been killed {moment}"


def _kill_group(group: int) -> NoReturn:
    os.killpg(group, signal.SIGKILL)
    raise AssertionError("killed")


def _killer(group: int, key: int) -> Callable[[int], int]:
    def killed_at(number: int) -> int:
        return _kill_group(group) if number == key else number

    return killed_at


def _write(path: Path, moment: str) -> None:
    from pyspark.sql import functions as F

    spark = hudi_session("killed", master="local[1]", conf={"spark.sql.shuffle.partitions": "1"})
    group = os.getpgid(0)
    table = OperatedTable(spark, path)
    if moment == "in-the-commit":
        # The second base file is written when the first one is.
        killed_at = F.udf(_killer(group, NEVER_SEEN.id), "int")
        rows = spark.createDataFrame([MOVED, NEVER_SEEN], "id int, grp string, v string, n bigint")
        frame = rows.repartitionByRange(2, "id").withColumn("id", killed_at("id"))
        write_indexed(frame, str(path), write_options("bulk_insert"))
        return

    def killed(creator: IndexCreator, path: str) -> IndexUpdate:
        _kill_group(group)

    IndexCreator.update = killed  # type: ignore[method-assign, assignment]
    write_indexed(table.frame([MOVED]), str(path), write_options("upsert"))


if __name__ == "__main__":
    _write(Path(sys.argv[1]), sys.argv[2])
