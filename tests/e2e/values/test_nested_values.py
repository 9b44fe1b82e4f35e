"""Lists, maps and structs that are NULL, empty or full of NULLs: every mode of Hive has Spark's values."""

from collections.abc import Mapping
from typing import Any, Final

import pytest
from pyspark.sql import SparkSession

from ..harness.check import Checker
from ..harness.engines import MODES
from ..harness.lake import Lake
from ..harness.operated_table import OperatedTable
from ..operations.test_schema_changes import OPTIONS

SCHEMA = (
    "id int, n bigint, l array<int>, d array<date>, m map<string, int>, "
    "s struct<a: int, b: string>, o struct<gone: int, x: int>, w struct<i: struct<a: int>, j: int>"
)
ROWS: Final[tuple[tuple[Any, ...], ...]] = (
    ([], [], {}, (None, None), (None, None), (None, None)),
    (None, None, None, None, None, None),
    ([7, 8], [], {"k": 1}, (1, None), (None, 1), ((None,), 1)),
    ([9], None, {"a": 2, "k": 3}, (None, "b"), None, ((2,), None)),
)
QUERIES = (
    "select id, l is null, size(l), l[0], l[1], d is null, size(d), d[0] from {}",
    "select id, m is null, size(m), m['k'], m['a'] from {}",
    "select id, s is null, o is null, w is null, w.i is null from {}",
    "select id, s.a, s.b, o.gone, o.x, w.i.a, w.j from {}",
    "select count(s), count(o), count(w.i), count(l), count(m) from {}",
    "select id from {} where o is null",
    "select id from {} where s is not null and s.a is null",
    "select id, o.x from {} where o.gone is null",
)


@pytest.fixture(scope="module", params=["insert", "bulk_insert"])
def table(request: pytest.FixtureRequest, lake: Lake, spark: SparkSession) -> OperatedTable:
    """Written through Avro, with lists of two levels, and by Spark, with lists of three."""
    table = OperatedTable(spark, lake.fresh("nested_values"))
    rows = [(number, number, *ROWS[number % len(ROWS)]) for number in range(40)]
    table.write(spark.createDataFrame(rows, SCHEMA).coalesce(1), request.param, OPTIONS)
    table.update_index()
    return table


@pytest.mark.selected(1)
@pytest.mark.parametrize("mode", MODES.values(), ids=MODES)
def test_null_and_empty_are_not_taken_for_each_other(
    check: Checker, table: OperatedTable, mode: Mapping[str, str]
) -> None:
    with check.session.table(table.path) as name:
        table.spark.read.format("hudi").load(str(table.path)).createOrReplaceTempView(name)
        for query in QUERIES:
            assert check(query.format(name), mode).rows, query
