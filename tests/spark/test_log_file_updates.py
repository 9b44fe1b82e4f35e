"""Updates of merge-on-read tables by the timeline: they say what a listing says."""

import random
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from .handler_listings import INDEX, HandlerListings
from .test_updates import ARCHIVING, CLUSTERING, EAST, NEW_FILES, VERSIONS, Table, Writes, random_write

pytestmark = pytest.mark.spark

STEPS = 8
MERGE_ON_READ = {"hoodie.datasource.write.table.type": "MERGE_ON_READ", "hoodie.compact.inline": "false"}
COMPACTION = {"hoodie.compact.inline": "true", "hoodie.compact.inline.max.delta.commits": "1"}
SCHEDULED = {"hoodie.compact.schedule.inline": "true", "hoodie.compact.inline.max.delta.commits": "1"}
LOG_COMPACTION = {"hoodie.log.compaction.inline": "true", "hoodie.log.compaction.blocks.threshold": "1"}


WRITES: Writes = (
    ("upsert", {}),
    ("upsert", {}),
    ("upsert", COMPACTION),
    ("upsert", SCHEDULED),
    ("upsert", LOG_COMPACTION),
    ("insert", NEW_FILES),
    ("insert", CLUSTERING),
    ("delete", {}),
    ("insert_overwrite", {}),
    ("delete_partition", EAST),
    ("upsert", ARCHIVING),
)


@pytest.mark.selected(2)
@pytest.mark.parametrize("version", VERSIONS.values(), ids=VERSIONS.keys())
def test_after_any_operations_the_timeline_says_what_a_listing_says(
    spark: SparkSession, tmp_path: Path, listings: HandlerListings, version: str
) -> None:
    choose = random.Random(int(version))
    table = Table(spark, tmp_path / "t", version, **MERGE_ON_READ)
    table.write(range(40), "bulk_insert")
    table.update("the first")
    assert listings.compared(table.path) == INDEX
    history: list[str] = []
    listed: list[str | None] = []
    by_handler: list[str] = []
    for _ in range(STEPS):
        history.append(random_write(table, choose, WRITES))
        by_handler.append(listings.compared(table.path))
        if choose.random() < 0.7:
            listed.append(table.update(", ".join(history)).listed_because)
            assert listings.compared(table.path) == INDEX, history
    assert by_handler.count(INDEX) > STEPS / 2, f"an index that lags behind: {by_handler} of {history}"
    assert listed.count(None) >= len(listed) - 2, f"a listing after writes alone: {listed} of {history}"


def test_a_compaction_takes_the_log_files_before_it_and_leaves_those_since(
    spark: SparkSession, tmp_path: Path
) -> None:
    table = Table(spark, tmp_path / "t", "8", **MERGE_ON_READ)
    table.write(range(0, 10, 2), "bulk_insert")
    table.write([2], "upsert")
    table.write([4], "upsert", SCHEDULED)
    update = table.update("scheduled")
    assert update.files == 3, "a base file and two log files"
    table.write([6], "upsert")
    update = table.update("beside it")
    assert (update.listed_because, update.files_added, update.files_gone) == (None, 1, 0)
    table.compact()
    update = table.update("compacted")
    assert (update.listed_because, update.files_added, update.files_gone, update.files) == (None, 1, 3, 2)
    table.write([8], "upsert", LOG_COMPACTION)
    update = table.update("log compaction")
    assert update.listed_because is None and update.files_gone == 0
