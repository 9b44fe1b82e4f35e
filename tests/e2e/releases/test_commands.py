"""Commands choose a Hudi that knows the table, whatever the environment names."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.hudi_releases import bundle_of

pytestmark = pytest.mark.spark

WRITE = """
import sys
from pycompiler import hudi_session
spark = hudi_session("writer", master="local[1]", conf={"spark.sql.shuffle.partitions": "1"})
options = {
    "hoodie.table.name": "t",
    "hoodie.datasource.write.recordkey.field": "id",
    "hoodie.datasource.write.operation": "bulk_insert",
    "hoodie.bulkinsert.shuffle.parallelism": "1",
}
spark.range(10).write.format("hudi").options(**options).mode("append").save(sys.argv[1])
spark.stop()
"""


def _run(*command: object, **environment: str) -> str:
    base = {name: value for name, value in os.environ.items() if name != "HUDI_SPARK_BUNDLE"}
    done = subprocess.run(
        [sys.executable, *map(str, command)],
        env={**base, **environment},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def test_the_index_of_a_table_of_version_9_is_built_without_a_word(tmp_path: Path) -> None:
    table = tmp_path / "t"
    _run("-c", WRITE, table, HUDI_SPARK_BUNDLE=str(bundle_of("1.2.0")))
    assert "hoodie.table.version=9" in (table / ".hoodie" / "hoodie.properties").read_text("utf-8")
    built = json.loads(_run("-m", "pycompiler", "index", "build", table, "--json", "--master", "local[1]"))
    assert (built["files"], built["files_added"]) == (1, 1)
