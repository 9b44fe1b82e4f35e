"""Several writers at once, and writers that are killed."""

import shutil
import threading
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from pycompiler.spark.jvm import JavaError
from pycompiler.spark.writer import write_indexed

from ..harness.check import Checker
from ..harness.killed_writer import MOVED, run_killed
from ..harness.lake import Lake
from ..harness.operated_table import OperatedTable, QueriedTable, Row, row

CONCURRENT = {
    "hoodie.write.concurrency.mode": "optimistic_concurrency_control",
    "hoodie.write.lock.provider": "org.apache.hudi.client.transaction.lock.FileSystemBasedLockProvider",
    "hoodie.clean.failed.writes.policy": "LAZY",
}
KEYS_OF_WRITERS = (3, 20, 30, 44)
"""Each in another base file."""


@pytest.fixture(scope="module")
def pristine(spark: SparkSession, lake: Lake) -> Path:
    return OperatedTable.create(spark, lake.fresh("written")).path


@pytest.fixture
def table(spark: SparkSession, lake: Lake, pristine: Path) -> OperatedTable:
    return OperatedTable(spark, Path(shutil.copytree(pristine, lake.fresh("written"))))


def _at_once(actions: Iterable[Callable[[], None]]) -> None:
    threads = [threading.Thread(target=action) for action in actions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _writer(table: OperatedTable, rows: list[Row], failures: list[Exception]) -> Callable[[], None]:
    def write() -> None:
        try:
            options = table.write_options("upsert", CONCURRENT)
            result = write_indexed(table.frame(rows), str(table.path), options)
            assert result.index is not None, result.index_failure
        except (AssertionError, JavaError) as error:
            failures.append(error)

    return write


@pytest.mark.full
def test_concurrent_writers_of_different_files_lose_no_row_and_leave_a_current_index(
    check: Checker, table: OperatedTable
) -> None:
    failures: list[Exception] = []
    _at_once(_writer(table, [row(key, "moved", 9998)], failures) for key in KEYS_OF_WRITERS)
    assert failures == []
    with check.session.table(table.path) as name:
        QueriedTable(check, table, name).assert_right("four writers at once")
        table.update_index()
        assert table.indexed() == table.files().keys()
        rows, _ = table.read(())
        moved = {found.id for of_file in rows.values() for found in of_file if found.v == "moved"}
        assert moved == set(KEYS_OF_WRITERS), "every writer's row is there"
        QueriedTable(check, table, name).assert_right("and the index updated")
    assert table.index_command("verify")["sound"]


@pytest.mark.full
def test_of_concurrent_writers_of_one_file_the_losers_leave_nothing(
    check: Checker, table: OperatedTable
) -> None:
    failures: list[Exception] = []
    _at_once(_writer(table, [row(3, f"moved{writer}", 9998 + writer)], failures) for writer in range(3))
    assert len(failures) < 3, f"one of them must win: {failures}"
    assert all("conflict" in str(error).lower() for error in failures), failures
    with check.session.table(table.path) as name:
        QueriedTable(check, table, name).assert_right(
            f"three writers of one file, of which {len(failures)} failed"
        )
        table.write([row(13, "moved", 9999)], "upsert", CONCURRENT)
        table.call("run_clean", retain_commits=1)
        QueriedTable(check, table, name).assert_right("what the losers wrote is cleaned up")
        table.update_index()
        assert table.indexed() == table.files().keys()
        QueriedTable(check, table, name).assert_right("and the index updated")


@pytest.mark.full
def test_a_killed_writer_costs_no_row_and_the_next_update_catches_up(
    check: Checker, table: OperatedTable
) -> None:
    with check.session.table(table.path) as name:
        queried = QueriedTable(check, table, name)
        commits, files = table.completed(), set(table.path.glob("*/*.parquet"))
        run_killed(table.path)
        assert table.completed() == commits, "the commit is not complete"
        assert set(table.path.glob("*/*.parquet")) > files, "a base file is there"
        queried.assert_right("killed in the commit")
        # As a writer leaves it that is killed before it updates the index.
        table.write([MOVED])
        assert table.indexed() < table.files().keys(), "the index doesn't know"
        queried.assert_right("between the commit and the index")
        table.update_index()
        assert table.indexed() == table.files().keys()
        queried.assert_right("and the index updated")
    assert table.index_command("verify")["sound"]
