"""A store that refuses requests and loses answers, while an index is written and while Hive queries."""

import pytest
from pyspark.sql import SparkSession

from pycompiler.index.file_systems.factory import open_storage
from pycompiler.index.manifest import generations, load_manifest

from ..clusters.tables import EVENTS_PER_FILE, events, write
from ..e2e.harness.check import Checker
from ..e2e.harness.session import HANDLER
from ..stores.faulty_s3 import Fate, Faults, Request, Store, first_of_each

_FILES = 4
_ROWS = _FILES * EVENTS_PER_FILE


def _assert_whole(table: str) -> int:
    """Asserts that every generation of an index has its data files, and returns the number of the newest."""
    storage = open_storage(table)
    for number in generations(storage):
        for data_file in load_manifest(storage, number).data_files:
            assert storage.size(data_file.name) == data_file.size, f"generation {number}: {data_file.name}"
            assert len(storage.read(data_file.name)) == data_file.size
    return generations(storage)[-1]


def _create(check: Checker, lake: str, name: str) -> None:
    check.session.rows(f"CREATE EXTERNAL TABLE {name} STORED BY '{HANDLER}' LOCATION '{lake}/{name}'")


def _assert_answers(check: Checker, name: str, files: int) -> None:
    """Asserts that Hive answers right, and reads one of so many files of a table with ids from 0 on."""
    checked = check.run(f"select count(*), sum(amount) from {name} where id between 60 and 69").kept(1)
    assert checked.rows == ((10, sum(id * id for id in range(60, 70))),), checked.scan.line
    assert checked.scan.files == files, checked.scan.line


def test_a_store_that_throttles_gets_a_whole_index_and_gives_right_answers(
    check: Checker, spark: SparkSession, lake: str, store: Store
) -> None:
    start = len(store.requests)
    with store.failing(Faults(throttled=0.2)):
        write(events(spark.range(_ROWS)), lake, "throttled", _FILES)
        write(events(spark.range(_ROWS, 2 * _ROWS)), lake, "throttled", _FILES)
        assert _assert_whole(f"{lake}/throttled") == 2
        _create(check, lake, "throttled")
        _assert_answers(check, "throttled", 2 * _FILES)
        everything = check.run("select count(*), sum(id) from throttled where id >= 0").kept(2 * _FILES)
    assert everything.rows == ((2 * _ROWS, sum(range(2 * _ROWS))),)
    fates = store.fates(start)
    assert fates[Fate.THROTTLED] > 0.1 * fates.total(), fates


def test_lost_answers_to_reads_change_no_answer(
    check: Checker, spark: SparkSession, lake: str, store: Store
) -> None:
    write(events(spark.range(_ROWS)), lake, "unheard", _FILES)
    _create(check, lake, "unheard")
    start = len(store.requests)
    with store.failing(Faults(loses=first_of_each(lambda request: request.verb != "PUT"))):
        _assert_answers(check, "unheard", _FILES)
    assert store.fates(start)[Fate.LOST] > 10, store.fates(start)


@pytest.mark.parametrize("part", ["data", "manifest", ".tmp-"])
def test_a_lost_answer_to_a_put_of_the_index_is_recognized_as_a_success(
    part: str, check: Checker, spark: SparkSession, lake: str, store: Store
) -> None:
    name = f"lost_{part.strip('.-')}"
    write(events(spark.range(_ROWS)), lake, name, _FILES)
    _create(check, lake, name)

    def is_wanted(request: Request) -> bool:
        return request.is_create and request.key.rpartition("/")[2].startswith(part)

    start = len(store.requests)
    with store.failing(Faults(loses=first_of_each(is_wanted))):
        write(events(spark.range(_ROWS, 2 * _ROWS)), lake, name, _FILES)
    assert store.fates(start)[Fate.LOST] > 0, store.fates(start)
    assert _assert_whole(f"{lake}/{name}") == 2
    _assert_answers(check, name, 2 * _FILES)
    write(events(spark.range(2 * _ROWS, 3 * _ROWS)), lake, name, _FILES)
    assert _assert_whole(f"{lake}/{name}") == 3
    _assert_answers(check, name, 3 * _FILES)
