"""Tables that Spark has written to an object store, and that Hive reads from there with skipping."""

from collections import Counter

import pytest
from pyspark.sql import SparkSession

from ..clusters.tables import (
    CHANGED,
    CHANGED_AMOUNT,
    EVENT_FILES,
    EVENTS,
    EVENTS_PER_FILE,
    READINGS,
    events,
    write,
    write_tables,
)
from ..e2e.harness.check import Checker
from ..e2e.harness.session import HANDLER
from ..stores.faulty_s3 import Store


@pytest.fixture(scope="module", autouse=True)
def tables(spark: SparkSession, lake: str, check: Checker) -> None:
    write_tables(spark, lake)
    for name in (EVENTS, READINGS):
        check.session.rows(f"CREATE EXTERNAL TABLE {name} STORED BY '{HANDLER}' LOCATION '{lake}/{name}'")


def test_hive_skips_files_of_a_copy_on_write_table(check: Checker) -> None:
    checked = check("select count(*), sum(amount) from events where day = date '2026-01-03'").kept(1)
    ids = range(2 * EVENTS_PER_FILE, 3 * EVENTS_PER_FILE)
    assert checked.rows == ((EVENTS_PER_FILE, sum(id * id for id in ids)),)
    assert checked.scan.files == EVENT_FILES
    assert checked.scan.listing == "index", checked.scan.line


def test_hive_skips_file_slices_of_a_merge_on_read_table(check: Checker) -> None:
    ids = range(30, 70)
    checked = check("select count(*), sum(amount) from readings where id between 30 and 69").kept(2)
    assert checked.rows == ((len(ids), sum(CHANGED_AMOUNT if id in CHANGED else id * id for id in ids)),)
    assert checked.scan.files == EVENT_FILES
    # No base file has this amount.
    changed = check(f"select id from readings where amount = {CHANGED_AMOUNT}").kept(2)
    assert sorted(changed.column()) == list(CHANGED)


@pytest.mark.parametrize(("table_type", "totals"), [("COPY_ON_WRITE", (46, 41)), ("MERGE_ON_READ", (66, 61))])
def test_the_requests_of_a_query_do_not_grow_with_the_number_of_files(
    table_type: str, totals: tuple[int, int], check: Checker, spark: SparkSession, lake: str, store: Store
) -> None:
    few, many = 4, 16
    first: dict[int, Counter[tuple[str, str]]] = {}
    second: dict[int, Counter[tuple[str, str]]] = {}
    for files in (few, many):
        name = f"{table_type}_{files}".lower()
        extra = {"hoodie.datasource.write.table.type": table_type}
        write(events(spark.range(files * EVENTS_PER_FILE)), lake, name, files, extra)
        check.session.rows(f"CREATE EXTERNAL TABLE {name} STORED BY '{HANDLER}' LOCATION '{lake}/{name}'")
        for counted, last in ((first, 9), (second, 19)):
            with store.counting() as requests:
                checked = check.run(f"select count(*), max(id) from {name} where id <= {last}").kept(1)
            assert (checked.rows, checked.scan.files) == (((last + 1, last),), files)
            counted[files] = requests
    assert first[few] == first[many], "of a server that does not know the index yet"
    assert second[few] == second[many], "of a server that has read the index"
    # Exactly what docs/start/install.md says.
    assert (first[few].total(), second[few].total()) == totals, (first[few], second[few])
