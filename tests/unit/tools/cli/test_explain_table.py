"""What `explain` says of a table that the index alone does not tell."""

import re
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from ....e2e.harness.hudi_writer import COLUMN_STATISTICS
from .conftest import Run, append, failed_with_one_line, result_of, rows_of, write

pytestmark = pytest.mark.spark


def test_files_that_the_index_does_not_know_are_counted_as_read(
    run: Run, table: Path, spark: SparkSession
) -> None:
    append(spark, table, 400)
    found = result_of(run("explain", table, "--where", "id = 5", "--json"))
    assert (found["files_kept"], found["files_total"], found["files_not_indexed"]) == (2, 5, 1)
    text = run("explain", table, "--where", "id = 5").stdout
    assert "2 of 5 kept" in text
    assert "the index is behind the table: 1 of 5 files are not in it" in text
    assert f"hudi-skip index update {table}" in text, "it should say what to do"
    of_no_partition = run("explain", table, "--where", "site = 'east'").stdout
    assert "leaves 0 of 2 partitions" in of_no_partition
    assert "0 of 5 kept" in of_no_partition, "paths have the column's values, whatever the index knows"
    result_of(run("index", "update", table, "--json"))
    assert "behind" not in run("explain", table, "--where", "id = 5").stdout


def test_files_that_were_replaced_are_not_counted_though_they_are_still_there(
    run: Run, table: Path, spark: SparkSession
) -> None:
    write(rows_of(spark, (1, "name1", "north")), table, "insert_overwrite")
    found = result_of(run("explain", table, "--where", "site = 'north'", "--json"))
    assert (found["files_kept"], found["files_total"]) == (1, 3), "two files of north have become one"


def test_a_row_that_hudi_left_in_another_partition_has_the_value_of_its_path(
    run: Run, table: Path, spark: SparkSession
) -> None:
    index = {"hoodie.index.type": "GLOBAL_SIMPLE", "hoodie.simple.index.update.partition.path": "false"}
    write(rows_of(spark, (150, "moved", "north")), table, "upsert", index)
    newest = max((table / "south").glob("*.parquet"), key=lambda file: file.stat().st_mtime)
    in_file = pq.read_table(newest, columns=["name", "site"]).to_pylist()
    assert {"name": "moved", "site": "north"} in in_file, "the path is not the value"
    result_of(run("index", "update", table, "--json"))
    for site, is_there in (("south", True), ("north", False)):
        where = f"site = '{site}' and name = 'moved'"
        found = result_of(run("explain", table, "--where", where, "--json"))
        assert (found["plan"]["partitions_kept"], found["plan"]["partitions_without_key"]) == (1, 0)
        assert (str(newest.relative_to(table)) in found["kept"]) == is_there, found


def test_bytes_are_those_of_the_files_on_disk(run: Run, shared_table: Path) -> None:
    found = result_of(run("explain", shared_table, "--where", "id = 5", "--json"))
    sizes = {
        str(file.relative_to(shared_table)): file.stat().st_size for file in shared_table.glob("*/*.parquet")
    }
    assert found["bytes_kept"] == sizes[found["kept"][0]]
    assert found["bytes_total"] == sum(sizes.values())
    text = run("explain", shared_table, "--where", "id = 5").stdout
    assert f"bytes   {found['bytes_kept']:,} of {found['bytes_total']:,} kept" in text


def test_of_an_empty_table_nothing_is_read(run: Run, spark: SparkSession, tmp_path: Path) -> None:
    path = tmp_path / "readings"
    write(rows_of(spark), path)
    assert not list(path.glob("*/*.parquet")), "there must be no file"
    result_of(run("index", "build", path, "--json"))
    found = result_of(run("explain", path, "--where", "id = 5", "--json"))
    assert (found["files_kept"], found["files_total"], found["files_not_indexed"]) == (0, 0, 0)
    text = run("explain", path, "--where", "readings.id = 5 or site is null")
    assert text.exit_code == 0, text.stderr
    assert "0 of 0 kept" in text.stdout
    assert "the table has no files" in text.stdout
    assert "invalid SQL" in failed_with_one_line(run("explain", path, "--where", "id = = 5"))
    append(spark, path, 0)
    found = result_of(run("explain", path, "--where", "id = 5000", "--json"))
    assert (found["files_kept"], found["files_total"], found["files_not_indexed"]) == (1, 1, 1)


def test_of_a_merge_on_read_table_slices_are_counted(run: Run, spark: SparkSession, tmp_path: Path) -> None:
    path = tmp_path / "readings"

    def commit(operation: str, numbers: range, name: str) -> None:
        rows = [(n, f"{name}{n}", "north" if n < 20 else "south") for n in numbers]
        merge_on_read = {"hoodie.datasource.write.table.type": "MERGE_ON_READ"}
        write(rows_of(spark, *rows), path, operation, merge_on_read)

    commit("bulk_insert", range(40), "first")
    commit("upsert", range(5), "second")
    result_of(run("index", "build", path, "--json"))

    def counts(where: str, *more: str) -> tuple[int, int]:
        found = result_of(run("explain", path, "--where", where, "--json", *more))
        assert found["files_with_logs"] == (0 if "--read-optimized" in more else 1)
        return found["files_kept"], found["files_total"]

    assert counts("id = 5") == (1, 2)
    assert counts("id = 25") == (1, 2), "the log excludes it, and so does its base file"
    assert counts("name = 'second3'") == (1, 2), "only the log has it"
    assert counts("name = 'second3'", "--read-optimized") == (0, 2)
    assert counts("name > 'third'") == (0, 2)
    text = run("explain", path, "--where", "name = 'second3'").stdout
    assert "1 of 2 files have logs to merge" in text, text
    (kept,) = result_of(run("explain", path, "--where", "name = 'second3'", "--json"))["kept"]
    lines = run("explain", path, "--where", "name = 'second3'", "--file", kept).stdout.splitlines()
    assert [line.split()[-1] for line in lines if "would be" in line] == ["skipped:", "kept:"], lines
    commit("upsert", range(20, 22), "third")
    found = result_of(run("explain", path, "--where", "name > 'third'", "--json"))
    of_all = found["files_with_logs"], found["files_total"], found["files_not_indexed"]
    assert of_all == (2, 2, 1), "the index has not seen the new log"


def test_the_day_of_the_query_is_that_of_the_time_zone(run: Run, shared_table: Path) -> None:
    # The two zones are 26 hours apart: they never have the same day.
    for zone in ("Etc/GMT-14", "Etc/GMT+12"):
        before = datetime.now(ZoneInfo(zone)).date()
        where = "readings.name < cast(current_date as string)"
        found = result_of(run("explain", shared_table, "--where", where, "--time-zone", zone, "--json"))
        days = {str(before), str(before + timedelta(days=1))}
        (step,) = [step for step in found["rewrites"] if step["before"] == "current_date"]
        assert step["rule"] == "constant"
        assert step["after"].removeprefix("date ").strip("'") in days, zone
    text = run("explain", shared_table, "--where", where, "--time-zone", "Etc/GMT+12").stdout
    assert re.search(r"in the time zone Etc/GMT\+12; set Hive's with --time-zone", text), text


def test_a_time_zone_that_there_is_not_fails_clearly(run: Run, shared_table: Path) -> None:
    for zone in ("Nowhere", "", "/etc/passwd"):
        message = failed_with_one_line(run("explain", shared_table, "--where", "id = 1", "--time-zone", zone))
        assert message.startswith("--time-zone: unknown time zone"), message


def test_what_can_be_done_is_said_where_little_is_skipped(run: Run, table: Path) -> None:
    result_of(run("index", "build", table, "--index", "score=values(max=9)", "--index", "id=none", "--json"))
    where = "name > 'name1' and score < 999 and id = 7 and tags is null and hash(name) = 3"
    found = result_of(run("explain", table, "--where", where, "--json"))
    about = {advice["leaf"]: (advice["reasons"], advice["actions"]) for advice in found["advice"]}
    assert about.get("id = 7") == (
        [
            "the index has no statistics for it in 4 of 4 files",
            "1 of 4 files really hold matching rows",
        ],
        [f"statistics of id would keep 1 of 4 files: hudi-skip index build {table} --add-index id=range"],
    ), about
    assert about["tags is null"][1] == [], "no index has statistics of arrays"
    assert "docs/reference/types-and-functions.md" in about["[hash(name)] = 3"][1][0]
    assert "all of its values match in 3 of 4 files" in about["name > 'name1'"][0], about
    assert about["name > 'name1'"][1] == [], "nothing helps"
    text = run("explain", table, "--where", where).stdout
    assert "why not fewer:" in text
    assert "  -> statistics of id would keep 1 of 4 files" in text


def test_without_an_index_the_source_and_what_is_not_used_are_told(
    run: Run, spark: SparkSession, tmp_path: Path
) -> None:
    with_statistics, without = tmp_path / "with" / "readings", tmp_path / "without" / "readings"
    rows = rows_of(spark, (5, "name5", "north"), (7, "name7", "north"), (250, "name250", "south"))
    write(rows, with_statistics, more=COLUMN_STATISTICS)
    write(rows, without, more={"hoodie.metadata.enable": "false"})
    where = "id = 7 and name = 'name7'"

    found = result_of(run("explain", with_statistics, "--where", where, "--json"))
    assert (found["files_kept"], found["files_total"], found["files_not_indexed"]) == (1, 2, 0)
    assert found["generation"] is None and found["source"].startswith("Hudi's metadata table: ")
    assert list(found["obstacles"]) == ["name"] and "plan" not in found
    (kept,) = found["kept"]
    text = run("explain", with_statistics, "--where", where, "--file", kept).stdout
    assert f"index   {found['source']}\n" in text
    assert f"\nHudi's statistics not used:\n  name: {found['obstacles']['name']}\n" in text
    assert "keeps  id = 7  (bigint: 5 to 7, 0 NULL)" in text
    assert "keeps  name = 'name7'  (no statistics)" in text

    found = result_of(run("explain", without, "--where", where, "--json"))
    assert (found["files_kept"], found["files_total"]) == (2, 2)
    assert found["source"] == (
        f"none: the metadata table of {without} has no column statistics; write with "
        "hoodie.metadata.index.column.stats.enable=true"
    )
    of_id = next(about for about in found["advice"] if about["leaf"] == "id = 7")
    assert of_id["reasons"][0] == "without an index, nothing is known of it in 2 of 2 files"
    assert of_id["actions"] == [f"statistics of id would keep 1 of 2 files: hudi-skip index build {without}"]
    text = run("explain", without, "--where", where).stdout
    assert f"note    the table has no index; build one with: hudi-skip index build {without}\n" in text
