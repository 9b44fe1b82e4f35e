"""A writer in a process of its own that is killed, with its Spark, in a commit: `python -m … PATH`.

One of two base files is written by then.
"""

import os
import signal
import subprocess
import sys
from pathlib import Path

from pycompiler.spark.session import hudi_session
from pycompiler.spark.writer import write_indexed

from .operated_table import SCHEMA, OperatedTable, row

ROOT = Path(__file__).resolve().parents[3]
MOVED = row(3, "moved", 9998)
NEVER_SEEN = row(31, "moved", 9998)


def run_killed(path: Path) -> None:
    """Runs the writer until it is killed."""
    command = [sys.executable, "-m", "tests.e2e.harness.killed_writer", str(path)]
    # A group of its own, so that it takes its JVM with it and nothing else.
    ended = subprocess.run(command, cwd=ROOT, start_new_session=True, timeout=300, check=False)
    assert ended.returncode == -signal.SIGKILL, "the writer should have been killed"


def _write(path: Path) -> None:
    from pyspark.sql import functions as F

    spark = hudi_session("killed", master="local[1]", conf={"spark.sql.shuffle.partitions": "1"})
    table = OperatedTable(spark, path)
    group, second = os.getpgid(0), NEVER_SEEN.id

    @F.udf("int")
    def killed_at_the_second(number: int) -> int:
        # The second base file is written when the first one is.
        if number == second:
            os.killpg(group, signal.SIGKILL)
        return number

    rows = spark.createDataFrame([MOVED, NEVER_SEEN], SCHEMA).repartitionByRange(2, "id")
    write_indexed(
        rows.withColumn("id", killed_at_the_second("id")), str(path), table.write_options("bulk_insert")
    )


if __name__ == "__main__":
    _write(Path(sys.argv[1]))
