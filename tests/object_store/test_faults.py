"""A store that refuses requests and loses answers, while an index is written and while Hive queries."""

import warnings

import pytest
from pyspark.sql import SparkSession

from pycompiler.index.file_systems.factory import open_storage
from pycompiler.index.manifest import generations, load_manifest
from pycompiler.spark.errors import IndexUpdateWarning
from pycompiler.spark.index_creator import IndexCreator
from pycompiler.spark.writer import write_indexed

from ..clusters.tables import EVENTS_PER_FILE, events, options, write
from ..e2e.harness.check import Checker
from ..e2e.harness.session import HANDLER
from .store import Fate, Faults, Request, Store, first_of_each

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
    """Asserts that Hive answers right, and reads one of the files of a table with ids from 0 on."""
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
def test_a_lost_answer_to_a_put_of_the_index_is_a_success_or_reported(
    part: str, check: Checker, spark: SparkSession, lake: str, store: Store
) -> None:
    name = f"lost_{part.strip('.-')}"
    write(events(spark.range(_ROWS)), lake, name, _FILES)
    _create(check, lake, name)

    def is_wanted(request: Request) -> bool:
        return request.is_create and request.key.rpartition("/")[2].startswith(part)

    start = len(store.requests)
    rows = events(spark.range(_ROWS, 2 * _ROWS)).repartitionByRange(_FILES, "id")
    with store.failing(Faults(loses=first_of_each(is_wanted))), warnings.catch_warnings():
        warnings.simplefilter("ignore", IndexUpdateWarning)
        written = write_indexed(rows, f"{lake}/{name}", options(name), mode="append")
    lost = [request for request, fate in store.requests[start:] if fate is Fate.LOST]
    print("LOST", part, lost, written)
    print([r for r in store.requests[start:] if r[0].kind == "index"])
    assert lost, "no answer was lost"
    newest = _assert_whole(f"{lake}/{name}")
    print("NEWEST", newest)
    found = check.run(f"select count(*) from {name} where id >= {_ROWS}")
    assert found.rows == ((_ROWS,),), found.scan.line
    IndexCreator(spark).update(f"{lake}/{name}")
    _assert_whole(f"{lake}/{name}")
    _assert_answers(check, name, 2 * _FILES)
