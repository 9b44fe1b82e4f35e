from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from .conftest import Run, append, index_of, result_of, rows_of, write

pytestmark = pytest.mark.spark


def test_compact_folds_drops_and_removes_and_says_what_stays(
    run: Run, table: Path, spark: SparkSession
) -> None:
    append(spark, table, 400)
    result_of(run("index", "update", table, "--json"))
    write(rows_of(spark, (1, "name1", "north")), table, "insert_overwrite")
    assert f"hudi-skip index update {table}" in _advice_on_gone(run, table), "they went after the update"
    result_of(run("index", "update", table, "--json"))
    assert f"hudi-skip index compact {table}" in _advice_on_gone(run, table)
    (index_of(table) / "data-crashed.parquet").touch()
    before = result_of(run("index", "status", table, "--json"))
    assert before["data_files"] > 1 and before["files_gone"] > 0, "there must be something to compact"

    done = result_of(run("index", "compact", table, "--json"))
    assert (done["published"], done["data_files"], done["removed"]) == (True, 1, [])
    assert done["files_dropped"] == before["files_gone"]
    assert "data-crashed.parquet" in done["kept_in_grace"], "it is younger than a day"
    after = result_of(run("index", "status", table, "--json"))
    assert (after["files_gone"], after["files_indexed"]) == (0, before["files_indexed"])
    assert result_of(run("index", "verify", table, "--json"))["sound"]

    text = run("index", "compact", table, "--grace", "0")
    assert text.exit_code == 0, text.stderr
    assert f"already compact: {done['generation']}" in " ".join(text.stdout.split())
    assert not (index_of(table) / "data-crashed.parquet").exists()
    left = {file.name for file in index_of(table).iterdir()}
    assert len(left - set(done["kept_for_readers"])) == 2, "the manifest and the data file in force"


def _advice_on_gone(run: Run, table: Path) -> str:
    (line,) = [line for line in run("index", "status", table).stdout.splitlines() if "files gone" in line]
    return line
