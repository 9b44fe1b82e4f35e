"""Incremental queries: the rows of the snapshot as of the range's end that a commit of the range wrote."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from pyspark.sql import functions as F

from ..harness.engines import ENGINES, TEZ, in_turn
from ..harness.session import Session
from .cases import UNPARTITIONED, VERSION_6, NewTable, commits, payload
from .consume import incremental

WAYS = {**ENGINES, "mode=off": {**TEZ, "hudi.skipping.mode": "off"}}
VERSIONS = pytest.mark.parametrize("version", [{}, VERSION_6], ids=["version 8", "version 6"])


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


def assert_answers(
    session: Session, questions: Sequence[tuple[str, Mapping[str, str], Sequence[tuple[object, ...]]]]
) -> None:
    """Asserts what queries answer under settings; each way of running them has its turn."""
    for (way, settings), (query, asked, expected) in in_turn(WAYS.items(), questions):
        with session.settings({**asked, **settings}):
            assert session.rows(query) == [*expected], f"{query}, {way}, under {asked}"


@pytest.mark.since_version_8
def test_a_partial_update_comes_as_the_whole_row(session: Session, new_table: NewTable) -> None:
    written = new_table(UNPARTITIONED)
    written.base()
    # One column of a row.
    written.sql(
        "merge into {table} t using (select 4 as id, 2 as n, 444 as v) s on t.id = s.id"
        " when matched then update set t.i = s.v, t.n = s.n"
    )
    assert list(written.path.glob(".*.log.*")), "the log has only some columns of the row"
    row = (4, 444, "s4-1ü€", 2)
    with session.table(written.path) as table:
        query = f"select id, i, s, n from {table} where"
        assert_answers(
            session,
            [
                (f"{query} {where}", asked, [row] * found)
                for asked in ranges_of(written.path, 1)
                for where, found in (("true", 1), ("id = 4", 1), ("s is null", 0))
            ],
        )


@pytest.mark.selected(1)
@VERSIONS
def test_what_a_payload_completes_comes_complete(
    session: Session, new_table: NewTable, version: dict[str, str]
) -> None:
    written = new_table({**payload("PartialUpdateAvroPayload"), **version})
    written.base()
    # A record whose NULL stands for what was there.
    written.write(written.rows([4], 2).withColumn("i", F.lit(None).cast("int")))
    with session.table(written.path) as table:
        query, row = f"select id, i, s, n from {table}", (4, 401, "s4-2ü€", 2)
        assert_answers(session, [(query, asked, [row]) for asked in ranges_of(written.path, 1)])


@pytest.mark.selected(1)
@VERSIONS
def test_an_update_that_lost_does_not_come(
    session: Session, new_table: NewTable, version: dict[str, str]
) -> None:
    written = new_table(version)
    written.base()
    # One with an older ordering value, and one with the same.
    written.write(written.rows([2], 9, n="0"))
    written.write(written.rows([3], 9, n="1"))
    expected: dict[int, list[tuple[object, ...]]] = {1: [], 2: [(3, 309, 1)]}
    with session.table(written.path) as table:
        assert_answers(
            session,
            [
                (f"select id, i, n from {table}", asked, rows)
                for number, rows in expected.items()
                for asked in ranges_of(written.path, number)
            ],
        )
