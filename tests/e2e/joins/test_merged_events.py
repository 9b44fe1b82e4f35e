"""Statements with several joins of one table: Hive gives the values of one join to the scan of another."""

from typing import Final

import pytest

from ..harness import engines
from ..harness.check import Checker, assert_same_rows
from .tables import RARE
from .test_join_forms import ON, kept

TWO_COUNTS: Final = (
    "select (select count(*) from {fact} v join places p on v.day = p.day and p.k = 33), "
    "(select count(*) from {fact} v join places p on v.s = p.s and p.k = 153)"
)
"""One file, and one partition, has the rows of the first count, and another those of the second."""
TWO_SUMS: Final = (
    "with x as (select sum(v.n) t from {fact} v join places p on v.day = p.day where p.k in (33, 36)), "
    "y as (select sum(v.n) t from {fact} v join places p on v.s = p.s where p.k = 153) "
    "select x.t, y.t from x cross join y"
)
SAME_COLUMN: Final = (
    "select (select count(*) from {fact} v join places p on v.day = p.day and p.k = 33), "
    "(select count(*) from {fact} v join places p on v.day = p.day and p.k = 153)"
)
ONE_JOINED: Final = (
    "select (select count(*) from {fact} v join places p on v.day = p.day and p.k = 33), "
    "(select count(*) from {fact} v)"
)
BOTH_ALIKE: Final = (
    "with j as (select v.id, v.n from {fact} v join places p on v.day = p.day where p.kind = 'rare') "
    "select a.id, b.n from j a join j b on a.id = b.id - 1"
)
STATEMENTS: Final = {
    "two counts": (TWO_COUNTS, 2),
    "two sums": (TWO_SUMS, 2),
    "same column": (SAME_COLUMN, 2),
    "one joined": (ONE_JOINED, 25),
    "both alike": (BOTH_ALIKE, 4),
}


@pytest.mark.parametrize("shared", ["true", "false"])
@pytest.mark.parametrize("name", STATEMENTS)
@pytest.mark.selected(6)
def test_a_scan_never_gets_the_values_of_another(check_join: Checker, name: str, shared: str) -> None:
    text, files = STATEMENTS[name]
    settings = {**engines.TEZ, **ON, "hive.optimize.shared.work": shared}
    checked = check_join(text.format(fact="visits"), settings, scans=2)
    assert checked.rows
    assert kept(checked) == files, [scan.line for scan in checked.scans]


@pytest.mark.usefixtures("needs_server")
def test_hive_4_0_loses_rows_of_its_own_partitioned_table(check_join: Checker) -> None:
    """Why shared work is off for a statement in which a join sends values to a scan of ours.

    Hive 4.0.1 makes one scan of the two, and reads the partitions that both joins want; 4.1.0 answers this
    correctly. If this test fails, Hive no longer does that, and `SeparateScans.keepAllSeparate` may not be
    needed any more.
    """
    right = [(20, 20)]
    theirs = check_join.run(TWO_COUNTS.format(fact="parts_of_visits"), engines.TEZ, scans=0)
    assert theirs.rows != tuple(right), "Hive's own table is right"
    ours = check_join.run(TWO_COUNTS.format(fact="visits"), {**engines.TEZ, **ON}, scans=2)
    assert_same_rows(ours.rows, right, "our table")


def test_two_inserts_from_one_scan_are_both_whole(check_join: Checker) -> None:
    """The rows of one scan go to a join and to a second place, with shared work and without."""
    session = check_join.session
    for name in ("joined_rows", "all_rows"):
        session.rows(f"create table {name} (id int)")
    try:
        with session.settings({**engines.TEZ, **ON}):
            session.rows(
                "from (select v.id, v.n, p.kind from visits v left join places p on v.k = p.k) j "
                "insert into joined_rows select id where kind = 'rare' insert into all_rows select id"
            )
            session.rows(
                "from visits insert into joined_rows select id where k in (select k from few_keys) "
                "insert into all_rows select id where n >= 0"
            )
        (joined,), (everything,) = (
            session.rows(f"select count(*) from {name}") for name in ("joined_rows", "all_rows")
        )
        assert joined == (2 * 2 * len(RARE),)
        assert everything == (2 * 480,)
    finally:
        for name in ("joined_rows", "all_rows"):
            session.rows(f"drop table {name}")
