"""Incremental queries: the rows of the snapshot as of the range's end that a commit of the range wrote."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from ..harness.lake import HiveTables, Lake
from ..harness.session import Session
from .cases import UNPARTITIONED, VERSION_6, Case, Writer, build, commits, payload
from .consume import incremental

WAYS: Mapping[str, Mapping[str, str]] = {
    "fetch": {"hive.fetch.task.conversion": "more"},
    "in batches": {"hive.fetch.task.conversion": "none"},
    "row by row": {"hive.fetch.task.conversion": "none", "hive.vectorized.execution.enabled": "false"},
    "mode=off": {"hive.fetch.task.conversion": "none", "hudi.skipping.mode": "off"},
    "MapReduce": {"hive.fetch.task.conversion": "none", "hive.execution.engine": "mr"},
}


def updated_in_part(table: Writer) -> None:
    """One column of a row, as MERGE INTO writes it."""
    table.base()
    table.sql(
        "merge into {table} t using (select 4 as id, 2 as n, 444 as v) s on t.id = s.id"
        " when matched then update set t.i = s.v, t.n = s.n"
    )
    assert list(table.path.glob(".*.log.*")), "the log has only some columns of the row"


def completed_by_the_payload(table: Writer) -> None:
    """A record whose NULLs stand for what was there."""
    table.base()
    table.write(table.rows([4], 2).withColumn("i", F.lit(None).cast("int")))


def lost(table: Writer) -> None:
    """An update with an older ordering value, and one with the same."""
    table.base()
    table.write(table.rows([2], 9, n="0"))
    table.write(table.rows([3], 9, n="1"))


IN_PART = Case("in_part", updated_in_part, UNPARTITIONED)
BY_PAYLOAD = tuple(
    Case(f"by_payload{suffix}", completed_by_the_payload, {**payload("PartialUpdateAvroPayload"), **version})
    for suffix, version in (("", {}), ("_6", VERSION_6))
)
LOST = tuple(Case(f"lost{suffix}", lost, version) for suffix, version in (("", {}), ("_6", VERSION_6)))


def ranges_of(path: Path, number: int) -> list[dict[str, str]]:
    """The settings by which a query reads one commit: by requested times, and by completion if recorded."""
    known = commits(path)
    requested, completed = known[number]
    before = known[number - 1][0]
    asked = [incremental(path.name, start_timestamp=before, end_timestamp=requested)]
    if completed:
        asked.append(
            incremental(path.name, start_timestamp=completed, end_timestamp=completed, range="completion")
        )
    return asked


def answers(
    session: Session, table: str, asked: Mapping[str, str], columns: str, where: str = "true"
) -> dict[str, object]:
    """What each way of reading answers."""
    found: dict[str, object] = {}
    for way, settings in WAYS.items():
        with session.settings({**asked, **settings}):
            found[way] = session.rows(f"select {columns} from {table} where {where}")
    return found


def assert_every_way(found: Mapping[str, object], expected: object, what: str) -> None:
    wrong = {way: rows for way, rows in found.items() if rows != expected}
    assert not wrong, f"{what}: {wrong} instead of {expected}"


def test_a_partial_update_comes_as_the_whole_row(
    session: Session, hive: HiveTables, spark: SparkSession, lake: Lake
) -> None:
    path = build(IN_PART, spark, lake.fresh(IN_PART.name))
    with hive.table(path) as table:
        for asked in ranges_of(path, 1):
            for where, expected in (
                ("true", [(4, 444, "s4-1ü€", 2)]),
                ("id = 4", [(4, 444, "s4-1ü€", 2)]),
                ("s is null", []),
            ):
                found = answers(session, table, asked, "id, i, s, n", where)
                assert_every_way(found, expected, f"WHERE {where} under {asked}")


@pytest.mark.selected(1)
@pytest.mark.parametrize("case", [case.parameter() for case in BY_PAYLOAD])
def test_what_a_payload_completes_comes_complete(
    session: Session, hive: HiveTables, spark: SparkSession, lake: Lake, case: Case
) -> None:
    path = build(case, spark, lake.fresh(case.name))
    with hive.table(path) as table:
        for asked in ranges_of(path, 1):
            found = answers(session, table, asked, "id, i, s, n")
            assert_every_way(found, [(4, 401, "s4-2ü€", 2)], f"{case.name} under {asked}")


@pytest.mark.selected(1)
@pytest.mark.parametrize("case", [case.parameter() for case in LOST])
def test_an_update_that_lost_does_not_come(
    session: Session, hive: HiveTables, spark: SparkSession, lake: Lake, case: Case
) -> None:
    path = build(case, spark, lake.fresh(case.name))
    with hive.table(path) as table:
        for number, expected in ((1, []), (2, [(3, 309, 1)])):
            for asked in ranges_of(path, number):
                found = answers(session, table, asked, "id, i, n")
                assert_every_way(found, expected, f"{case.name}, commit {number} under {asked}")
