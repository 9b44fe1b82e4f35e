"""Advised layouts, proved by clustering a copy with Hudi."""

import shutil
from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from pycompiler.index.file_systems.location import Location
from pycompiler.index.index import StatisticsIndex
from pycompiler.spark.index_creator import IndexCreator
from pycompiler.spark.writer import write_indexed
from pycompiler.tools.advise.advice import LayoutAdvice, advise, shares_kept
from pycompiler.tools.advise.forecast import forecast, mean_share
from pycompiler.tools.advise.layout import Layout, Order
from pycompiler.tools.explain.open_table import open_table
from tests.unit.tools.explain.tables import NOW

pytestmark = pytest.mark.spark

FILES, ROWS = 16, 64_000
OPTIONS = {
    "hoodie.table.name": "orders",
    "hoodie.datasource.write.recordkey.field": "id",
    "hoodie.datasource.write.precombine.field": "id",
    "hoodie.datasource.write.keygenerator.class": "org.apache.hudi.keygen.NonpartitionedKeyGenerator",
    "hoodie.datasource.write.operation": "bulk_insert",
    "hoodie.bulkinsert.sort.mode": "NONE",
}
BY_BOTH = [f"{column} BETWEEN {low} AND {low + 300}" for low in (900, 4_000, 7_700) for column in ("a", "b")]
BY_ONE = [f"a BETWEEN {low} AND {low + 300}" for low in (900, 4_000, 7_700)]


@pytest.fixture(scope="module")
def orders(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Orders as they arrive: two columns with values all through one another."""
    path = tmp_path_factory.mktemp("tables") / "orders"
    rows = spark.range(ROWS, numPartitions=FILES).select(
        "id",
        F.expr("CAST(pmod(hash(id), 10000) AS INT)").alias("a"),
        F.expr("CAST(pmod(hash(id, 7), 10000) AS INT)").alias("b"),
        # As scattered as these, but with names and not numbers; eight rows each.
        F.expr("concat('n', pmod(hash(id, 11), 8000))").alias("name"),
    )
    result = write_indexed(rows, str(path), OPTIONS, mode="overwrite")
    assert result.index is not None, result.index_failure
    return path


def files_below(root: Path) -> dict[Path, int]:
    """Sizes of the files of a table."""
    return {path: path.stat().st_size for path in root.rglob("*") if path.is_file()}


def advice_on(table: Path, conditions: list[str]) -> LayoutAdvice:
    return advise(
        Location.parse(str(table)), conditions, frozenset({"orders"}), NOW, lambda step, done, total: None
    )


def read_of_a_copy(
    spark: SparkSession, table: Path, copy: Path, layout: Layout, found: LayoutAdvice
) -> tuple[float, float, int]:
    """What queries read of a copy that Hudi has clustered, what is forecast for its files, their number."""
    shutil.copytree(table, copy)
    options = dict(layout.clustering_options(found.file_size))
    # The procedure separates options by commas, and takes the columns as an argument of their own.
    order = options.pop("hoodie.clustering.plan.strategy.sort.columns")
    listed = ",".join(f"{name}={value}" for name, value in options.items())
    call = f"CALL run_clustering(path => '{copy}', order => '{order}', options => '{listed}')"
    assert spark.sql(call).collect(), "Hudi has clustered nothing"
    # Not an update: the index then has no records of files that clustering has replaced.
    IndexCreator(spark).build(str(copy))
    with open_table(Location.parse(str(copy))) as opened:
        files = len(opened.known.slices)
        statistics = opened.statistics([condition.expression for condition in found.workload.conditions])
        truth = mean_share(shares_kept(opened, found.workload, statistics), found.workload)
    return truth, forecast(layout, found.sample.shuffled(), found.workload, files, found.now).share, files


@pytest.mark.parametrize(
    "conditions",
    [pytest.param(BY_ONE, id="one column", marks=pytest.mark.full), pytest.param(BY_BOTH, id="two columns")],
)
def test_a_copy_reads_what_was_forecast(
    spark: SparkSession, orders: Path, tmp_path: Path, conditions: list[str]
) -> None:
    before = files_below(orders)
    found = advice_on(orders, conditions)
    assert found.share_now == 1, "rows lie all through one another"
    best = found.best
    assert best is not None and best.layout.columns[0] == "a"
    assert (best.layout.order is Order.LINEAR) == (conditions is BY_ONE), best.layout
    truth, expected, files = read_of_a_copy(spark, orders, tmp_path / "copy", best.layout, found)
    assert truth < 0.7, f"{best.layout} kept {truth:.0%}"
    error = abs(expected - truth)
    assert error <= max(0.2 * truth, 2 / files), f"forecast {expected:.2f}, truth {truth:.2f}"
    assert files_below(orders) == before, "the table itself is unchanged"


def test_what_bloom_filters_save_does_not_count_for_a_layout(
    spark: SparkSession, orders: Path, tmp_path: Path
) -> None:
    names = [f"name = 'n{number}'" for number in (17, 4_000, 7_999)]
    assert advice_on(orders, names).best is not None, "sorted by name, each is in one file"
    indexed = tmp_path / "indexed"
    shutil.copytree(orders, indexed)
    IndexCreator(spark, {"name": "bloom"}).build(str(indexed))
    with_filters = advice_on(indexed, names)
    assert with_filters.share_now < 0.6
    found = advice_on(indexed, [*BY_ONE, *names])
    best = found.best
    assert best is not None and best.layout == Layout(("a",)), [str(each.layout) for each in found.layouts]
    truth, expected, files = read_of_a_copy(spark, indexed, tmp_path / "copy", best.layout, found)
    assert StatisticsIndex.open(tmp_path / "copy").manifest.kinds["name"] == ["bloom"]
    assert expected == pytest.approx(truth, abs=2 / files)
