"""Advised layouts, proved by clustering a copy with Hudi."""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from pycompiler.advise.advice import LayoutAdvice, advise
from pycompiler.advise.clustered_copy import prove
from pycompiler.advise.errors import AdviceError
from pycompiler.advise.forecast import mean_share
from pycompiler.advise.layout import Order
from pycompiler.advise.report.text import advice_text
from pycompiler.index.file_systems.location import Location
from pycompiler.index.index import StatisticsIndex
from pycompiler.index.kinds import Bloom
from pycompiler.spark.writer import write_indexed
from tests.unit.explain.tables import NOW

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
        # Orders that are near in a are in two regions, with most others between these.
        F.expr("CAST(pmod(hash(id), 10000) / 625 + 1000 * pmod(hash(id), 2) AS INT)").alias("region"),
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


@pytest.mark.parametrize("conditions", [BY_ONE, BY_BOTH], ids=["one column", "two columns"])
def test_a_copy_reads_what_was_forecast(
    spark: SparkSession, orders: Path, tmp_path: Path, conditions: list[str]
) -> None:
    before = files_below(orders)
    found = advice_on(orders, conditions)
    assert found.share_now == 1, "rows lie all through one another"
    best = found.best
    assert best is not None and best.layout.columns[0] == "a"
    assert (best.layout.order is Order.LINEAR) == (conditions is BY_ONE), best.layout
    proof = prove(spark, str(orders), str(tmp_path / "copy"), found)
    truth = mean([each.share for each in proof.reads], found)
    assert truth < 0.7, f"{best.layout} kept {truth:.0%}"
    two_files = 2 / proof.files
    expected = mean(proof.forecast.shares, found)
    assert abs(expected - truth) <= max(0.2 * truth, two_files), f"forecast {expected:.2f}, truth {truth:.2f}"
    assert files_below(orders) == before, "the table itself is unchanged"
    writing = found.costs.writing
    assert writing is not None and writing.files == FILES, "Hudi says how long each file took"
    assert proof.writing is not None
    assert proof.writing.size == proof.size and proof.writing.seconds > 0


def mean(shares: Sequence[float], found: LayoutAdvice) -> float:
    return mean_share(shares, found.workload)


def test_a_copy_has_the_index_that_was_advised(spark: SparkSession, orders: Path, tmp_path: Path) -> None:
    names = [f"name = 'n{number}'" for number in (17, 4_000, 7_999)]
    regions = [f"region = {number}" for number in (3, 8, 1_012)]
    found = advice_on(orders, [*BY_ONE, *BY_ONE, *names, *regions])
    best = found.best
    assert best is not None and best.layout.columns == ("a",), found.proposals
    assert {each.key for each in best.index.kinds if each.pays_off} == {
        ("name", "bloom"),
        ("region", "values"),
    }
    assert list(found.as_it_is.added) == ["name"], "each of today's files has all regions"
    copy = tmp_path / "copy"
    proof = prove(spark, str(orders), str(copy), found)
    kept = StatisticsIndex.open(copy).manifest.kinds
    assert kept == {"name": ["range", "bloom"], "region": ["range", "values(max=256)"]}
    for each in proof.forecast.kinds:
        size = proof.kind_sizes[each.key]
        assert size == pytest.approx(each.size, rel=0.1, abs=100), (
            f"{each.key}: forecast {each.size:.0f}, truth {size}"
        )
        for what, share, reads in (
            ("without", each.share_without, proof.reads_without[each.key]),
            ("with", each.share_with, proof.reads),
        ):
            truth = sum(reads[position].files for position in each.answers) / len(each.answers) / proof.files
            assert abs(share - truth) <= max(0.2 * truth, 1 / proof.files), (
                f"{each.key} {what}: {share} {truth}"
            )
    gained = [mean([each.share for each in reads], found) for reads in (proof.reads_before, proof.reads)]
    assert gained[1] < 0.8 * gained[0], "the added records save much beside bounds"
    text = "\n".join(advice_text(str(orders), found, proof))
    assert "--add-index name=bloom" in text and "--add-index 'region=values(max=256)'" in text, text
    assert "only with the new layout" in text and "with both layouts" in text and "bytes proved" in text, text
    assert found.costs.collecting is not None and "in one thread, judging by 5 files" in text, text
    assert re.search(r"writing .* took .* of task time; the forecast is .* ± ", text), text
    print(text)


def test_an_index_that_pays_off_without_another_layout_is_proved(
    spark: SparkSession, orders: Path, tmp_path: Path
) -> None:
    found = advice_on(orders, [f"name = 'n{number}' AND a < 9000" for number in (17, 4_000, 7_999)])
    assert found.share_as_it_is < 0.6 and found.as_it_is.added == {"name": [Bloom()]}
    # As if clustering saved nothing more.
    proof = prove(spark, str(orders), str(tmp_path / "copy"), replace(found, proposals=()))
    assert proof.files == found.files
    truth = mean([each.share for each in proof.reads], found)
    assert truth == pytest.approx(found.share_as_it_is, abs=0.02)
    assert mean([each.share for each in proof.reads_before], found) == 1


def test_a_copy_takes_the_place_of_nothing(spark: SparkSession, orders: Path, tmp_path: Path) -> None:
    found = advice_on(orders, BY_ONE)
    with pytest.raises(AdviceError, match="something at"):
        prove(spark, str(orders), str(tmp_path), found)
