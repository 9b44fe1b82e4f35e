"""Advised layouts, proved by clustering a copy with Hudi."""

import re
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from pycompiler.index.file_systems.location import Location
from pycompiler.index.index import StatisticsIndex
from pycompiler.spark.index_creator import IndexCreator
from pycompiler.spark.writer import write_indexed
from pycompiler.tools.advise.advice import LayoutAdvice, advise
from pycompiler.tools.advise.clustered_copy import prove
from pycompiler.tools.advise.errors import AdviceError
from pycompiler.tools.advise.forecast import mean_share
from pycompiler.tools.advise.layout import Layout, Order
from pycompiler.tools.advise.text import advice_document, advice_text
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
    proof = prove(spark, str(orders), str(tmp_path / "copy"), best.layout, found)
    truth = mean(proof.shares, found)
    assert truth < 0.7, f"{best.layout} kept {truth:.0%}"
    two_files = 2 / proof.files
    expected = mean(proof.forecast, found)
    assert abs(expected - truth) <= max(0.2 * truth, two_files), f"forecast {expected:.2f}, truth {truth:.2f}"
    assert files_below(orders) == before, "the table itself is unchanged"
    text = "\n".join(advice_text(advice_document(str(orders), found, proof)))
    assert re.search(r"proved on a copy: Hudi wrote \d+ files, .* the forecast for as many files is ", text)


def mean(shares: Sequence[float], found: LayoutAdvice) -> float:
    return mean_share(shares, found.workload)


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
    proof = prove(spark, str(indexed), str(tmp_path / "copy"), best.layout, found)
    assert StatisticsIndex.open(tmp_path / "copy").manifest.kinds["name"] == ["bloom"]
    truth, expected = mean(proof.shares, found), mean(proof.forecast, found)
    assert expected == pytest.approx(truth, abs=2 / proof.files)


def test_a_copy_takes_the_place_of_nothing(spark: SparkSession, orders: Path, tmp_path: Path) -> None:
    found = advice_on(orders, BY_ONE)
    assert found.best is not None
    with pytest.raises(AdviceError, match="something at"):
        prove(spark, str(orders), str(tmp_path), found.best.layout, found)
