"""Rows of every kind and state of a table are counted as Spark counts them."""

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest
from pyspark.sql import SparkSession

from pycompiler import IndexCreator

from ..harness import engines
from ..harness.check import Checked, Checker
from ..harness.lake import Lake
from ..harness.operated_table import OperatedTable, Row
from ..harness.session import QueryFailed
from ..merging.cases import commits
from ..merging.consume import incremental
from ..operations import test_operations as operations
from .grouped_table import GROUPS, NAME, GroupedTable
from .test_covered_files import ON, lines

SETTINGS: Final = {**engines.TEZ, **ON}
MERGE_ON_READ: Final = "MERGE_ON_READ"
COPY_ON_WRITE: Final = "COPY_ON_WRITE"


class Changing(GroupedTable):
    """The table, and its counts."""

    def update_index(self) -> None:
        IndexCreator(self.spark).update(str(self.path))

    def counted(self, where: str, settings: Mapping[str, str] | None = None, *, of: str = "") -> Checked:
        query = f"select count(*) from {self.name} {of} where {where}"
        return self.check.run(query, {**SETTINGS, **(settings or {})})

    def counted_as_spark(self, where: str) -> Checked:
        """A count, which must be Spark's."""
        checked = self.counted(where)
        theirs = self.spark.read.format("hudi").load(str(self.path)).where(where).count()
        assert checked.column() == [theirs], f"{where}: {lines(checked)}"
        return checked

    def grouped(self, column: str) -> Checked:
        """Counts of rows by a column, as Spark counts them."""
        checked = self.check.run(f"select {column}, count(*) from {self.name} group by {column}", SETTINGS)
        rows = self.spark.read.format("hudi").load(str(self.path)).groupBy(column).count().collect()
        assert sorted(checked.rows, key=repr) == sorted(map(tuple, rows), key=repr), lines(checked)
        return checked

    def assert_counts(self, where: str, *, opened: int, covered: int) -> None:
        """Asserts that a count is Spark's, and how many files it opens and counts."""
        checked = self.counted_as_spark(where)
        assert (checked.scan.kept, checked.scan.covered) == (opened, covered), f"{where}: {lines(checked)}"


@pytest.fixture(scope="module")
def unchanged(spark: SparkSession, lake: Lake, check: Checker) -> dict[str, Path]:
    """A table of each kind."""
    kinds = (MERGE_ON_READ, COPY_ON_WRITE)
    return {kind: Changing(check, spark, lake.fresh("counted_where"), kind).path for kind in kinds}


@pytest.fixture
def merged(spark: SparkSession, lake: Lake, check: Checker, unchanged: dict[str, Path]) -> Changing:
    return Changing(check, spark, lake.fresh("merged"), MERGE_ON_READ, unchanged[MERGE_ON_READ])


@pytest.fixture
def copied(spark: SparkSession, lake: Lake, check: Checker, unchanged: dict[str, Path]) -> Changing:
    return Changing(check, spark, lake.fresh("copied"), COPY_ON_WRITE, unchanged[COPY_ON_WRITE])


def test_slices_with_logs_are_merged(merged: Changing) -> None:
    where = "id between 15 and 204 and n < 3"
    merged.assert_counts(where, opened=2, covered=18)
    merged.write(range(55, 57), 9)
    merged.assert_counts(where, opened=3, covered=17)
    merged.update_index()
    merged.assert_counts(where, opened=3, covered=17)
    merged.write(range(60, 65), 1, "delete")
    merged.assert_counts(where, opened=4, covered=16)
    merged.write(range(300, 301), 1, "insert")
    merged.assert_counts("id > 150 and n < 3", opened=3, covered=8)
    compacting = {"hoodie.compact.inline": "true", "hoodie.compact.inline.max.delta.commits": "1"}
    merged.write(range(70, 71), 2, "upsert", compacting)
    merged.assert_counts(where, opened=6, covered=15)
    merged.update_index()
    merged.assert_counts(where, opened=3, covered=17)


def test_only_values_of_whole_slices_are_taken_from_the_index(merged: Changing) -> None:
    for opened in (0, 1):
        checked = merged.grouped("grp")
        assert (checked.scan.kept, checked.scan.covered) == (opened, GROUPS - opened), lines(checked)
        merged.write(range(55, 57), 9)
    merged.update_index()
    checked = merged.grouped("grp")
    assert (checked.scan.kept, checked.scan.covered) == (1, GROUPS - 1), lines(checked)


def test_files_that_the_index_does_not_know_are_opened(copied: Changing) -> None:
    copied.write(range(50, 52), 2)
    copied.write(range(100, 110), 2, "delete")
    copied.assert_counts("id >= 15", opened=3, covered=20)
    copied.update_index()
    copied.assert_counts("id >= 15", opened=1, covered=21)
    copied.write(range(30, 40), 3, "insert_overwrite")
    copied.assert_counts("n < 3", opened=1, covered=22)
    copied.update_index()
    copied.assert_counts("n < 3", opened=0, covered=22)


def test_each_past_state_is_counted(copied: Changing) -> None:
    copied.write(range(50, 52), 2)
    copied.write(range(100, 110), 2, "delete")
    copied.update_index()
    instants = [instant for instant, _ in commits(copied.path)]
    counts = []
    for instant in instants:
        of_commit = copied.counted("id >= 15", of=f"for system_version as of {instant}")
        past = copied.counted("id >= 15", {f"hoodie.{NAME}.consume.commit": instant})
        assert past.rows == of_commit.rows, lines(past)
        assert past.scan.covered == of_commit.scan.covered > 0, lines(past)
        counts.append(of_commit.column()[0])
    assert counts == [225, 225, 215]


def test_rows_of_a_range_of_commits_are_read(copied: Changing) -> None:
    first = commits(copied.path)[0][0]
    copied.write(range(50, 52), 2)
    copied.update_index()
    since = incremental(NAME, start_timestamp=first, max_commits="-1")
    checked = copied.counted("id >= 15", since)
    assert checked.column() == [2]
    assert checked.scan.covered == 0, lines(checked)


def test_counted_files_are_not_opened(copied: Changing) -> None:
    """They are broken, and yet of the same size."""
    for file in copied.path.rglob("*.parquet"):
        if ".hoodie" not in file.parts:
            file.write_bytes(bytes(file.stat().st_size))
    query = f"select count(*) from {copied.name} where id >= 20"
    checked = copied.check.run(query, SETTINGS)
    assert (checked.column(), checked.scan.kept, checked.scan.covered) == ([220], 0, 22), lines(checked)
    with copied.check.session.settings(engines.TEZ), pytest.raises(QueryFailed):
        copied.check.session.rows(query)


def test_old_files_lack_new_columns_and_have_narrower_ones(copied: Changing) -> None:
    columns = "id int, n bigint, grp string, extra string"
    rows = [(i, 2**40 + i, "g99", "x" if i % 2 else None) for i in range(1000, 1010)]
    evolve = {"hoodie.datasource.write.reconcile.schema": "false", "hoodie.schema.on.read.enable": "false"}
    copied.writer.write(copied.spark.createDataFrame(rows, columns).coalesce(1), "insert", evolve)
    copied.update_index()
    copied.check.session.rows(f"drop table {copied.name}")
    copied.name = copied.check.session.create_table(copied.path)
    for where in ("extra is null", "n > 0", "n < 100", "extra is not null or id < 500", "n >= 1 and id >= 0"):
        copied.counted_as_spark(where)
    # The index has nothing about columns that a file lacks.
    for column, covered in (("extra", 0), ("n", GROUPS), ("grp", GROUPS + 1)):
        checked = copied.grouped(column)
        assert checked.scan.covered == covered, f"{column}: {lines(checked)}"


OPERATIONS: Final = (
    operations.upsert,
    operations.insert_overwrite,
    operations.delete,
    operations.delete_partition,
    operations.soft_delete,
    operations.inline_clustering,
)
WHERE: Final = "id >= 10 and (v is not null or n < 5000) and n <= 9999"


def _matches(row: Row) -> bool:
    return row.id >= 10 and (row.v is not None or row.n < 5000) and row.n <= 9999


@pytest.fixture(scope="module")
def operated(spark: SparkSession, lake: Lake) -> Path:
    return OperatedTable.create(spark, lake.fresh("operated")).path


@pytest.mark.selected(3)
@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.__name__)
def test_rows_are_counted_whatever_hudi_does_to_the_table(
    check: Checker, spark: SparkSession, lake: Lake, operated: Path, operation: operations.Operation
) -> None:
    table = OperatedTable(spark, Path(shutil.copytree(operated, lake.fresh("operated"))))
    with check.session.table(table.path) as name:
        for state in ("created", *operation(table)):
            for index in ("before", "after"):
                if index == "after":
                    table.update_index()
                _assert_counts(check, table, name, f"{state}, {index} an update of the index")


def _assert_counts(check: Checker, table: OperatedTable, name: str, state: str) -> None:
    by_file, _ = table.read(())
    checked = check.run(f"select count(*) from {name} where {WHERE}", SETTINGS)
    expected = sum(_matches(row) for rows in by_file.values() for row in rows)
    assert checked.column() == [expected], f"{state}: {lines(checked)}"
    whole = {file for file, rows in by_file.items() if all(map(_matches, rows))}
    assert checked.scan.covered == len(whole & table.indexed()), f"{state}: {lines(checked)}"
