"""`hudi-skip index` and `partitions` where there is no Java: they read the table by themselves."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from ...table.simulated_table import PARTITIONS, SimulatedTable
from .conftest import HUDI_SKIP

SCHEMA = {
    "type": "record",
    "name": "t",
    "fields": [{"name": "n", "type": ["null", "long"]}, {"name": "s", "type": ["null", "string"]}],
}


@pytest.fixture(params=[6, 8])
def table(request: pytest.FixtureRequest, tmp_path: Path) -> SimulatedTable:
    made = SimulatedTable(tmp_path / "t", request.param)
    for partition in PARTITIONS:
        (made.root / partition).mkdir()
        (made.root / partition / ".hoodie_partition_metadata").touch()
    made.commit(new=5)
    with_schema(made)
    return made


def with_schema(table: SimulatedTable) -> None:
    """Adds the schema to the commits."""
    for commit in table.timeline_folder.glob("*.commit"):
        document = json.loads(commit.read_text())
        commit.write_text(json.dumps({**document, "extraMetadata": {"schema": json.dumps(SCHEMA)}}))


def run(*arguments: object, code: int = 0) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "JAVA_HOME": "/nope"}
    done = subprocess.run(
        [*HUDI_SKIP, *map(str, arguments)], env=environment, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == code, done.stderr
    return done


def answer(*arguments: object) -> Any:
    return json.loads(run(*arguments, "--json").stdout)


def test_the_index_is_built_updated_compared_and_compacted_without_java(table: SimulatedTable) -> None:
    built = answer("index", "build", table.root)
    assert (built["files"], built["files_added"], built["published"]) == (5, 5, True)
    assert not answer("index", "update", table.root)["published"]
    table.commit(sorted(table.live())[:2], 1)
    with_schema(table)
    status = answer("index", "status", table.root)
    assert (status["files"], status["not_indexed"], status["up_to_date"]) == (6, 3, False)
    updated = answer("index", "update", table.root)
    assert (updated["files"], updated["files_added"], updated["files_gone"]) == (6, 3, 2)
    assert answer("index", "status", table.root)["up_to_date"]
    assert answer("index", "compact", table.root)["files_dropped"] == 2
    assert answer("partitions", table.root)["partitions"] == sorted(PARTITIONS)


def test_a_table_that_only_hudi_can_list_says_so_and_asks_for_spark(table: SimulatedTable) -> None:
    (table.root / PARTITIONS[0] / "part-0.parquet").touch()
    said = run("index", "build", table.root, code=1).stderr.splitlines()
    assert said[0].startswith("starting Spark: only Hudi can list") and "not one of Hudi's" in said[0]
    assert said[1].startswith("error: Spark needs Java")


def test_other_base_files_are_refused_by_name(table: SimulatedTable) -> None:
    with open(table.root / ".hoodie" / "hoodie.properties", "a") as properties:
        properties.write("hoodie.table.base.file.format=ORC\n")
    said = run("index", "build", table.root, code=1).stderr
    assert said.startswith("error: only tables with Parquet base files are supported") and "ORC" in said
