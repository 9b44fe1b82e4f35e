"""Joins whose small side is known to be small by its files alone, since no statistics were collected."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import pyarrow as pa
import pytest
from pyarrow import csv, orc, parquet

from ..harness import engines
from ..harness.check import Checker
from ..harness.lake import Lake
from ..tables import TableData
from .tables import FILES, FILES_OF_RARE, RARE
from .test_join_forms import kept

ROWS: Final = pa.table({"k": pa.array([*RARE, None], pa.int32())})
"""Four rows."""
WRITERS: Final[Mapping[str, Callable[[Path], None]]] = {
    "orc": lambda path: orc.write_table(ROWS, path),
    "parquet": lambda path: parquet.write_table(ROWS, path),
    "textfile": lambda path: csv.write_csv(ROWS, path, csv.WriteOptions(include_header=False)),
}
JOIN: Final = "select count(*), sum(v.n), sum(v.id) from visits v join {} p on v.k = p.k"


@pytest.mark.parametrize("stored_as", WRITERS)
def test_a_native_table_of_four_rows_without_statistics(
    check_join: Checker, tmp_path: Path, stored_as: str
) -> None:
    WRITERS[stored_as](tmp_path / "000000_0")
    session = check_join.session
    session.rows(
        f"create external table four_rows (k int) stored as {stored_as} location 'file://{tmp_path}'"
    )
    try:
        assert "numRows" not in session.text("describe formatted four_rows")
        checked = check_join(JOIN.format("four_rows"), engines.TEZ, scans=1, spark=False)
    finally:
        session.rows("drop table four_rows")
    assert kept(checked) == FILES_OF_RARE, [scan.line for scan in checked.scans]


def test_a_hudi_table_of_four_rows_without_an_index(check_join: Checker, lake: Lake) -> None:
    data = TableData("four_keys", "id int, k int", "id", (tuple({"id": k, "k": k} for k in (*RARE, 999)),))
    with check_join.session.table(lake.write_unindexed(data, lake.path(data.name))) as name:
        checked = check_join(JOIN.format(name), engines.TEZ, scans=2, spark=False)
    assert kept(checked) == FILES_OF_RARE, [scan.line for scan in checked.scans]


def test_a_session_and_the_log_say_why_no_values_are_sent(check_join: Checker, tmp_path: Path) -> None:
    padding = "x" * 2_000
    (tmp_path / "000000_0").write_text("".join(f"{k}\t{padding}\n" for k in range(1_000)))
    session = check_join.session
    session.rows(
        "create external table wide (k int, s string) row format delimited fields terminated by '\t' "
        f"location 'file://{tmp_path}'"
    )
    reason = (
        "the values come from a table that is not filtered, and has neither statistics nor few small files"
    )
    try:
        checked = check_join(JOIN.format("wide"), engines.TEZ, spark=False)
        with session.settings(engines.TEZ):
            told = session.messages(JOIN.format("wide"))
    finally:
        session.rows("drop table wide")
    assert checked.scan.kept == FILES
    assert checked.scan.joins == f"k: not sent, {reason}", checked.scan.line
    messages = [line.partition("hudi-skip: ")[2] for line in told if "hudi-skip: " in line]
    assert messages == [f"no values of a join for visits.k: {reason}"], told


def test_a_session_is_not_told_of_the_direction_that_is_not_wanted(check_join: Checker) -> None:
    with check_join.session.settings(engines.TEZ):
        told = check_join.session.messages(JOIN.format("places") + " where p.kind = 'rare'")
    assert not [line for line in told if "no values of a join" in line], told
