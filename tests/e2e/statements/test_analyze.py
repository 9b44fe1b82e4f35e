"""`ANALYZE TABLE … COMPUTE STATISTICS FOR COLUMNS`: Hive plans with what it finds, and answers from data."""

from collections.abc import Iterator

import pytest
from pyspark.sql import SparkSession

from ..counts.grouped_table import GROUPS, ROWS, GroupedTable
from ..harness.check import Checker
from ..harness.lake import Lake

GROUPED = "explain select grp, count(*) from {t} group by grp"


@pytest.fixture
def table(spark: SparkSession, lake: Lake, check: Checker) -> Iterator[GroupedTable]:
    table = GroupedTable(check, spark, lake.fresh("analyzed"), "COPY_ON_WRITE")
    yield table
    check.session.rows(f"drop table {table.name}")


def test_hive_plans_with_what_analyze_found_and_answers_nothing_from_it(table: GroupedTable) -> None:
    session = table.check.session
    assert "Col:NONE" in session.text(GROUPED.format(t=table.name))
    session.rows(f"analyze table {table.name} compute statistics for columns")
    plan = session.text(GROUPED.format(t=table.name))
    assert "Col:COMPLETE" in plan and f"(rows={GROUPS} " in plan, plan
    table.write(range(10_000, 10_003), 2, "insert")  # beyond the greatest values that Hive knows
    for reduction in ("false", "true"):
        settings = {
            "hive.compute.query.using.stats": "true",
            "hive.optimize.filter.stats.reduction": reduction,
        }
        with session.settings(settings):
            found = session.rows(f"select max(n), max(id), count(n) from {table.name}")
            assert found == [(2, 10_002, ROWS + 3)]
            assert session.rows(f"select count(*) from {table.name} where n > 1 and id > 5000") == [(3,)]
