"""Every operation of Hudi on a copy-on-write table: right answers before and after the index's update.

Queries run in every state on the way with the index of before, and again once it is up to date.
"""

import glob
import os
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pytest
from pyspark.errors import PythonException
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from ..harness.check import Checker
from ..harness.lake import Lake
from ..harness.operated_table import OperatedTable, QueriedTable, Row, row

NEW_FILES = {"hoodie.parquet.small.file.limit": "0"}
MOVED = "moved"
_LEAST_FILE_BYTES = 1000
"""A Parquet file that is complete has a footer of more."""

Operation = Callable[[OperatedTable], Iterator[str]]
"""Operates on a table; yields a name of each state in which queries are to be right."""


def insert(table: OperatedTable) -> Iterator[str]:
    table.write([row(100, "v1"), row(5, MOVED)], "insert")
    yield "inserted into a small file, which is rewritten"
    table.write([row(101, "v1"), row(200)], "insert", NEW_FILES)
    yield "inserted into a new file"


def upsert(table: OperatedTable) -> Iterator[str]:
    table.write([row(3, MOVED, 9999)], "upsert")
    yield "one row changed"
    table.write([row(number, f"v{number % 3}", 9999) for number in range(48)], "upsert")
    yield "all rows changed"


def upsert_to_another_partition(table: OperatedTable) -> Iterator[str]:
    index = {"hoodie.index.type": "GLOBAL_SIMPLE", "hoodie.simple.index.update.partition.path": "true"}
    table.write([Row(3, "west", MOVED, 9999)], "upsert", index)
    yield "a row in another partition"


def bulk_insert(table: OperatedTable) -> Iterator[str]:
    table.write(table.frame([row(15, MOVED), row(60)]).repartitionByRange(2, "id"), "bulk_insert")
    yield "two more files"


def insert_overwrite(table: OperatedTable) -> Iterator[str]:
    table.write([row(13), row(14, MOVED)], "insert_overwrite")
    yield "one partition overwritten"


def insert_overwrite_table(table: OperatedTable) -> Iterator[str]:
    table.write([row(13), row(14, MOVED)], "insert_overwrite_table")
    yield "overwritten"


def delete(table: OperatedTable) -> Iterator[str]:
    table.write([row(1), row(13)], "delete")
    yield "a row of two files deleted"
    table.write([row(number) for number in range(40, 48)], "delete")
    yield "all rows of a file deleted"


def delete_partition(table: OperatedTable) -> Iterator[str]:
    option = {"hoodie.datasource.write.partitions.to.delete": "east"}
    table.write([row(1)], "delete_partition", option)
    yield "a partition deleted"
    table.write([row(13), row(14, MOVED)], "insert")
    yield "rows in it again"


def soft_delete(table: OperatedTable) -> Iterator[str]:
    rows = table.frame([row(13, n=9999), row(45, n=9999)])
    table.write(rows.withColumn("v", F.lit(None).cast("string")), "upsert")
    yield "rows without values"


def statements(table: OperatedTable) -> Iterator[str]:
    table.sql("update {table} set v = 'moved' where id = 30")
    table.sql("delete from {table} where id = 13")
    yield "UPDATE and DELETE"
    table.sql(
        "merge into {table} t using (select 3 as id, 'east' as grp, 'moved' as v, 9999L as n) s"
        " on t.id = s.id when matched then update set * when not matched then insert *"
    )
    table.sql("insert into {table} (id, v, n, grp) values (16, 'v1', 9999, 'east')")
    yield "MERGE and INSERT"


def inline_clustering(table: OperatedTable) -> Iterator[str]:
    inline = {
        "hoodie.clustering.inline": "true",
        "hoodie.clustering.inline.max.commits": "1",
        "hoodie.clustering.plan.strategy.sort.columns": "v",
    }
    table.write([row(3, MOVED, 9999)], "upsert", inline)
    assert table.completed()[-1][1] == "replacecommit"
    yield "clustered with the commit"


def asynchronous_clustering(table: OperatedTable) -> Iterator[str]:
    table.call("run_clustering", op="schedule", order="v")
    yield "clustering planned"
    table.write([row(103, "v1")], "insert", NEW_FILES)
    yield "clustering planned and rows inserted"
    table.update_index()
    table.call("run_clustering", op="execute")
    assert "replacecommit" in {action for _, action in table.completed()}
    assert len(table.files()) == 3, "one file for each partition and the one that came meanwhile"
    yield "clustering executed"


def clean_and_archive(table: OperatedTable) -> Iterator[str]:
    # What the metadata table has not compacted yet is not archived.
    often = {"hoodie.metadata.compact.max.delta.commits": "2"}
    for n in (9995, 9996):
        table.write([row(3, MOVED, n), row(30, n=n)], "upsert", often)
    table.update_index()
    before = set(table.path.glob("*/*.parquet"))
    table.write([row(3, "v1", 9997)], "upsert", often)
    table.call("run_clean", retain_commits=1)
    assert before - set(table.path.glob("*/*.parquet")), "there was something to clean"
    yield "cleaned"
    for n in (9998, 9999, 10000):
        table.write([row(40, MOVED, n)], "upsert", often)
    commits = len(table.completed())
    table.call("archive_commits", min_commits=2, max_commits=3, retain_commits=1)
    assert len(table.completed()) < commits, "something was archived"
    yield "archived"
    table.index_command("compact", "--grace", "0")
    yield "archived and the index compact"


def rollback_of_a_failed_write(table: OperatedTable) -> Iterator[str]:
    pattern = str(table.path / "*" / "*.parquet")
    known = len(glob.glob(pattern))

    @F.udf("string")
    def second_file_fails(number: int) -> str:
        if number < 8:
            return MOVED
        # Not before the first file is written; rows of the second one stay in memory until it ends.
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            if sum(os.path.getsize(path) > _LEAST_FILE_BYTES for path in glob.glob(pattern)) > known:
                break
            time.sleep(0.1)
        raise ValueError("planned")

    number = F.col("id")
    rows = table.spark.range(0, 16, 1, 2).select(
        number.cast("int"),
        F.lit("east").alias("grp"),
        second_file_fails(number).alias("v"),
        F.lit(9999).cast("bigint").alias("n"),
    )
    with pytest.raises(PythonException, match="planned"):
        table.write(rows, "bulk_insert")
    assert len(list(table.path.glob("*/*.parquet"))) > len(table.files()) + 1, "a file was left behind"
    yield "failed half way"
    table.update_index()
    table.write([row(3, MOVED, 9999)], "upsert")
    assert "rollback" in {action for _, action in table.completed()}
    yield "rolled back by the next write"


def rollback_of_a_commit(table: OperatedTable) -> Iterator[str]:
    table.write([row(3, MOVED, 9999), row(30, MOVED, 9999)], "upsert")
    table.update_index()
    table.call("rollback_to_instant", instant_time=table.completed()[-1][0])
    yield "a commit that the index knew rolled back"
    table.write([row(13, MOVED, 9999)], "upsert")
    yield "and another one in its place"


def restore_of_a_savepoint(table: OperatedTable) -> Iterator[str]:
    saved = table.completed()[-1][0]
    table.call("create_savepoint", commit_time=saved)
    table.write([row(3, MOVED, 9998)], "upsert")
    table.write([row(13)], "insert_overwrite")
    yield "after the savepoint"
    table.update_index()
    dropped = table.index_command("compact", "--grace", "0")["files_dropped"]
    assert dropped, "the compacted index has forgotten files that the restore brings back"
    table.call("rollback_to_savepoint", instant_time=saved)
    yield "restored"
    table.write([row(3, "v1", 9999)], "upsert")
    yield "written after the restore"


def other_table_versions(table: OperatedTable) -> Iterator[str]:
    for n, version in enumerate(table.versions_to_go_through(), 9000):
        given = table.go_to_version(version)
        yield f"version {version}"
        table.write([row(3, MOVED, n)], "upsert", given)
        yield f"written in version {version}"
        table.update_index()
        table.write([row(30, MOVED, n)], "upsert", given)


OPERATIONS: Final = (
    insert,
    upsert,
    upsert_to_another_partition,
    bulk_insert,
    insert_overwrite,
    insert_overwrite_table,
    delete,
    delete_partition,
    soft_delete,
    statements,
    inline_clustering,
    asynchronous_clustering,
    pytest.param(clean_and_archive, marks=pytest.mark.archives),
    # Hudi 0.15 takes the file back when it fails.
    pytest.param(rollback_of_a_failed_write, marks=pytest.mark.since_hudi_1),
    # Hudi 1.2 fails at it in tables of version 6.
    pytest.param(rollback_of_a_commit, marks=pytest.mark.since_version_8),
    restore_of_a_savepoint,
    other_table_versions,
)


@pytest.fixture(scope="module", autouse=True)
def with_metadata_table(spark: SparkSession) -> Iterator[None]:
    """Tables have Hudi's metadata table, as they have outside of tests."""
    spark.conf.set("hoodie.metadata.enable", "true")
    yield
    spark.conf.unset("hoodie.metadata.enable")


@pytest.fixture(scope="module")
def pristine(spark: SparkSession, lake: Lake, with_metadata_table: None) -> Path:
    return OperatedTable.create(spark, lake.fresh("operated")).path


@pytest.mark.selected(1)
@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.__name__)
def test_answers_are_right_in_every_state_and_an_update_of_the_index_catches_up(
    check: Checker, lake: Lake, pristine: Path, operation: Operation
) -> None:
    table = OperatedTable(lake.spark, Path(shutil.copytree(pristine, lake.fresh("operated"))))
    with check.session.table(table.path) as name:
        queried = QueriedTable(check, table, name)
        for state in operation(table):
            queried.assert_right(f"{state}, the index as it was")
        table.update_index()
        assert table.indexed() == table.files().keys(), "an update leaves no file out"
        queried.assert_right("the index up to date", without_skipping=True)
    found = table.index_command("verify")
    assert found["sound"] and found["records"], f"every row of the index is a true bound: {found}"
