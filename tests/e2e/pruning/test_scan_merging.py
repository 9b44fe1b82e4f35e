"""Queries with several scans: each scan's filter decides about that scan's files, and about no others."""

import pytest

from ..harness import engines
from ..harness.check import Checker
from ..tables import CUSTOMERS, EVERY_TYPE, ORDERS

MAPREDUCE = {
    **engines.MAPREDUCE,
    # A local task for map joins would be a process of its own, started by a hadoop command that isn't there.
    "hive.auto.convert.join": "false",
}


def _files_of(i: int) -> set[int]:
    return EVERY_TYPE.files_where(lambda row: row["i"] == i)


TWO_SUBQUERIES = (
    "select (select count(*) from every_type where i = 1015), "
    "(select count(*) from every_type where i = 1105)"
)
SELF_JOIN = (
    "select a.id, b.id from every_type a join every_type b on a.ti = b.ti - 4 where a.i = 1015 and b.i = 1055"
)
JOIN = "select o.ord, c.name from orders o join customers c on o.cust = c.cust where "


def test_two_scalar_subqueries_on_one_table_count_right(check: Checker) -> None:
    # Shared work makes one scan of them, with `A or B` as its filter and the object of A alone.
    assert not _files_of(1105) <= _files_of(1015), (
        "control: the files of the first filter lack rows of the second"
    )
    checked = check(TWO_SUBQUERIES)
    assert checked.rows == ((2, 2),)
    checked.kept(2)
    assert checked.scan.source == "compiled", (
        f"the pushed expression belongs to another filter: {checked.scan.line}"
    )


def test_two_scalar_subqueries_with_shared_work_off_have_two_scans(check: Checker) -> None:
    checked = check(TWO_SUBQUERIES, {"hive.optimize.shared.work": "false"}, scans=2)
    assert [scan.kept for scan in checked.scans] == [1, 1], [scan.line for scan in checked.scans]


def test_a_cross_join_of_filtered_counts_is_right(check: Checker) -> None:
    checked = check(
        "select a.n, b.n from (select count(*) n from every_type where s = 's03-4') a "
        "cross join (select count(*) n from every_type where s = 's09-1') b",
    )
    assert checked.rows == ((2, 2),)
    assert all(scan.kept < scan.files for scan in checked.scans), [scan.line for scan in checked.scans]


def test_an_unfiltered_scan_merged_with_a_filtered_one_reads_everything(check: Checker) -> None:
    checked = check(
        "select (select count(*) from every_type where i = 1015), (select count(*) from every_type)", scans=1
    )
    assert checked.rows == ((2, len(EVERY_TYPE.rows())),)


def test_three_subqueries_with_other_columns_in_their_filters(check: Checker) -> None:
    checked = check(
        "select (select max(id) from every_type where i = 1015), "
        "(select max(id) from every_type where z = 'z07'), "
        "(select min(id) from every_type where day = date '1969-12-31')"
    )
    assert all(scan.kept < scan.files for scan in checked.scans), [scan.line for scan in checked.scans]


def test_a_self_join_has_a_filter_for_each_side(check: Checker) -> None:
    checked = check(SELF_JOIN, scans=2)
    assert checked.rows, "both sides have rows"
    assert [scan.kept for scan in checked.scans] == [1, 1], [scan.line for scan in checked.scans]


def test_a_union_all_of_one_table_twice_keeps_both_parts(check: Checker) -> None:
    checked = check(
        "select id from every_type where i = 1015 union all select id from every_type where i = 1105"
    )
    assert len(checked.rows) == 4
    assert all(scan.kept <= 2 for scan in checked.scans), [scan.line for scan in checked.scans]


def test_a_join_of_two_handler_tables_prunes_both(check: Checker) -> None:
    checked = check(JOIN + "o.qty = 3 and c.segment = 'segment1'", scans=2)
    assert checked.rows
    assert checked.of("orders").kept == 1, checked.of("orders").line
    assert checked.of("customers").kept == 1, checked.of("customers").line


@pytest.mark.parametrize("filtered", ["orders", "customers"])
def test_a_filter_on_one_side_of_a_join_leaves_the_other_side_whole(check: Checker, filtered: str) -> None:
    predicate = {"orders": "o.qty = 3", "customers": "c.segment = 'segment1'"}[filtered]
    checked = check(
        f"select o.ord, c.name from orders o join customers c on o.cust = c.cust where {predicate}",
        {"hudi.skipping.joins": "off"},
        scans=2,
    )
    assert checked.rows
    for name in ("orders", "customers"):
        scan = checked.of(name)
        # Hive's join synthesizes terms such as `cust IN (RS[7])`; they must not count as a filter.
        assert scan.kept == (1 if name == filtered else scan.files), scan.line


def test_subqueries_with_in_and_exists_are_right(check: Checker) -> None:
    check(
        "select ord from orders where qty in (3, 5) "
        "and cust in (select cust from customers where segment = 'segment2')",
        scans=2,
    )
    check(
        "select c.cust from customers c "
        "where exists (select 1 from orders o where o.cust = c.cust and o.qty = 4)",
        scans=2,
    )


def test_a_common_table_expression_used_twice_is_right(check: Checker) -> None:
    check(
        "with a as (select id, i from every_type where i between 1015 and 1024) "
        "select x.id, y.id from a x join a y on x.i = y.i where y.id > 30"
    )


def test_mapreduce_skips_for_a_single_scan(check: Checker) -> None:
    check("select id from every_type where i = 1015", MAPREDUCE).kept(1)


OF_ORDERS = "select 'o', ord from orders where cust = 7"
ORDERS_OF_7 = len([row for row in ORDERS.rows() if row["cust"] == 7])


def test_mapreduce_union_all_of_two_tables_does_not_filter_the_second_by_the_first(check: Checker) -> None:
    # One job conf serves all tables: the first filter's object is still there when the second is listed.
    assert CUSTOMERS.naive("cust", lambda low, high: low <= 7 <= high) == {0}, "control: 7 files lack it"
    for query in (
        f"{OF_ORDERS} union all select 'c', cust from customers",
        f"select 'c', cust from customers union all {OF_ORDERS}",
    ):
        assert len(check(query, MAPREDUCE).rows) == ORDERS_OF_7 + len(CUSTOMERS.rows())


@pytest.mark.full
def test_mapreduce_union_all_with_two_aliases_of_a_path_keeps_filters_to_tables(
    check: Checker,
) -> None:
    # Two aliases on one path push nothing, and their listing sees the filter of the table listed before.
    checked = check(
        f"{OF_ORDERS} union all select 'c', cust from customers where cust = 11 "
        "union all select 'c', cust from customers where cust = 31",
        MAPREDUCE,
    )
    assert len(checked.rows) == ORDERS_OF_7 + 2


@pytest.mark.full
def test_mapreduce_union_all_of_one_table_twice_keeps_both_parts(check: Checker) -> None:
    checked = check(
        "select id from every_type where i = 1015 union all select id from every_type where i = 1105",
        MAPREDUCE,
    )
    assert len(checked.rows) == 4


@pytest.mark.full
def test_mapreduce_joins_tables_whose_columns_have_one_name(check: Checker) -> None:
    # `cust = 11` of the one table would be a valid filter of the other.
    checked = check(JOIN + "o.cust = 11 and o.qty = 2", MAPREDUCE)
    assert len(checked.rows) == 1
    check(SELF_JOIN, MAPREDUCE)
