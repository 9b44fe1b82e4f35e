"""Files that a restore, a rollback or the cleaner removes between the listing of a query and its reading."""

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from pyhive import hive as pyhive
from pyhive.exc import Error
from pyspark.sql import SparkSession

from pycompiler.hive.server import HiveServer

from ..harness.lake import Lake
from ..harness.session import Session
from ..merging.cases import Writer, last_commit

ROWS = 1_500
"""Of a file: more than a client fetches at once, so that the second file is opened later."""

OPTIONS = {
    "hoodie.datasource.write.table.type": "COPY_ON_WRITE",
    "hoodie.datasource.write.partitionpath.field": "",
    "hoodie.datasource.write.keygenerator.class": "org.apache.hudi.keygen.NonpartitionedKeyGenerator",
    "hoodie.metadata.enable": "false",
    # Each insert makes a file of its own.
    "hoodie.parquet.small.file.limit": "0",
}
ON_READ = {"hoodie.datasource.write.table.type": "MERGE_ON_READ"}


@pytest.fixture
def cursor(server: HiveServer, session: Session) -> Iterator[Any]:
    """A cursor that reads without a job, as its client fetches."""
    host, _, port = server.address.partition(":")
    with closing(pyhive.connect(host=host, port=int(port), username="e2e")) as connection:
        cursor = connection.cursor()
        for setting in (
            "hive.fetch.task.conversion=more",
            "hive.fetch.task.conversion.threshold=-1",
            # By default Hive reads all rows before the client has the first.
            "hive.fetch.task.caching=false",
        ):
            cursor.execute(f"SET {setting}")
        yield cursor


def two_files(spark: SparkSession, path: Path, options: dict[str, str]) -> Writer:
    """A table of two files."""
    table = Writer(spark, path, {**OPTIONS, **options})
    for number in range(2):
        table.write(table.rows(range(number * ROWS, (number + 1) * ROWS), 1), "insert")
    return table


def restored(table: Writer) -> Callable[[], None]:
    """What was written to both files after a savepoint is taken back."""
    saved = last_commit(table)
    table.call("create_savepoint", commit_time=saved)
    table.write(table.rows(range(2 * ROWS), 2))
    return lambda: table.call("rollback_to_savepoint", instant_time=saved)


def rolled_back(table: Writer) -> Callable[[], None]:
    """The last commit, which rewrote both files, is taken back."""
    table.write(table.rows(range(2 * ROWS), 2))
    return lambda: table.call("rollback_to_instant", instant_time=last_commit(table))


def cleaned(table: Writer) -> Callable[[], None]:
    """Later commits take the place of both files, and the cleaner removes them."""

    def clean() -> None:
        table.write(table.rows(range(2 * ROWS), 3))
        table.write(table.rows(range(2 * ROWS), 4))
        table.call("run_clean", retain_commits=1)

    return clean


CASES = {
    "restored": (
        restored,
        {},
        r"is gone: \S+ was restored to an earlier state at \d{17}, after the query listed it",
    ),
    "restored, logs": (
        restored,
        ON_READ,
        r"\.log\.\S+ is gone: \S+ was restored to an earlier state at \d{17}",
    ),
    "rolled back": (
        rolled_back,
        {},
        r"is gone: \S+ had a commit rolled back at \d{17}, after the query listed it",
    ),
    "cleaned": (cleaned, {}, r"is gone: the cleaner of \S+ removed it at \d{17}"),
}
"""Not of table version 6: Hudi 1.0.2 makes no savepoints of those and takes nothing back."""


@pytest.mark.since_version_8
@pytest.mark.selected(1)
@pytest.mark.parametrize("case", CASES)
def test_a_file_that_went_after_the_listing_is_explained(
    lake: Lake, session: Session, cursor: Any, case: str
) -> None:
    prepare, options, message = CASES[case]
    table = two_files(lake.spark, lake.fresh("vanished"), options)
    remove = prepare(table)
    with session.table(table.path) as name:
        cursor.execute(f"SELECT id, n FROM {name}")
        assert cursor.fetchone() is not None, "the table is listed, and its first file open"
        remove()
        with pytest.raises(Error, match=rf"(?s){message}.*Run the query again"):
            cursor.fetchall()
        cursor.execute(f"SELECT count(*), sum(id) FROM {name}")
        assert cursor.fetchall() == [(2 * ROWS, sum(range(2 * ROWS)))], "again, it is right"
