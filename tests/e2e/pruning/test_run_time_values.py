"""Terms whose values arrive only when the query runs: left out of the filter, counted, and explained."""

from ..harness.check import Checker

SEMIJOIN = {
    "hudi.skipping.joins": "off",  # values of a join would take the place of the semijoin
    "hive.execution.engine": "tez",
    "hive.fetch.task.conversion": "none",
    "hive.auto.convert.join": "false",
    "hive.tez.dynamic.semijoin.reduction": "true",
    "hive.tez.dynamic.semijoin.reduction.threshold": "-999999999999",
    "hive.tez.bigtable.minsize.semijoin.reduction": "1",
    "hive.tez.min.bloom.filter.entries": "1",
    "hive.tez.dynamic.semijoin.reduction.for.mapjoin": "true",
}

QUERY = (
    "select o.ord, c.name from orders o join customers c on o.cust = c.cust "
    "where c.segment = 'segment1' and o.qty < 5"
)


def test_the_terms_of_a_semijoin_are_left_out_and_counted(check: Checker) -> None:
    with check.session.settings(SEMIJOIN):
        plan = check.session.text(f"explain {QUERY}")
    assert "in_bloom_filter" in plan, f"control: Hive makes no semijoin: {plan}"
    checked = check(QUERY, SEMIJOIN, scans=2)
    assert checked.rows, "the join has rows"
    lines = [scan.line for scan in checked.scans]
    assert any(scan.dynamic_terms > 0 for scan in checked.scans), f"{lines}\n{plan}"
    assert (checked.of("orders").kept, checked.of("customers").kept) == (5, 1), (
        f"the other terms count all the same: {lines}"
    )
