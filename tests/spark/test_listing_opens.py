"""How often the logs of Hudi's metadata table are opened by listings, and whether look-ups close them."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from pyspark.sql import SparkSession

from tests.conformance.agreement.jvm_program import JvmProgram

from .test_updates import NEW_FILES, VERSIONS, Table

pytestmark = pytest.mark.spark

_MAIN: Final = "io.hudiskip.table.listing.CountListingOpens"
_SCAN: Final = 2
"""How often Hudi opens a log to scan it: for its blocks, and for their records."""


@pytest.fixture(scope="module")
def counting() -> Iterator[JvmProgram]:
    """A JVM that lists tables and counts what it opens."""
    with JvmProgram(_MAIN) as started:
        yield started


@pytest.mark.parametrize("version", VERSIONS.values(), ids=VERSIONS.keys())
def test_a_listing_scans_each_log_of_the_metadata_table_once_and_closes_it(
    spark: SparkSession, tmp_path: Path, counting: JvmProgram, version: str
) -> None:
    answer = _reads(spark, tmp_path / "t", counting, version)
    assert answer["slices"] == 6, "a file for each commit and partition"
    for listed in ("table", "partitions"):
        logs = {name: count for name, count in answer[listed]["opened"].items() if ".log." in name}
        assert len(logs) >= 3, "a log for each commit"
        assert set(logs.values()) == {_SCAN}, listed
        assert answer[listed]["left"] == 0, listed


@pytest.mark.parametrize("version", VERSIONS.values(), ids=VERSIONS.keys())
def test_a_look_up_of_column_statistics_leaves_no_file_of_the_metadata_table_open(
    spark: SparkSession, tmp_path: Path, counting: JvmProgram, version: str
) -> None:
    answer = _reads(spark, tmp_path / "t", counting, version)
    assert answer["obstacles"] == {}, "the look-up finds the statistics of all files"
    opened = {name for name, count in answer["statistics"]["opened"].items() if ".log." in name and count}
    assert opened, "statistics are in logs"
    assert answer["statistics"]["left"] == 0


def _reads(spark: SparkSession, path: Path, counting: JvmProgram, version: str) -> dict[str, Any]:
    """Which files `CountListingOpens` opens and leaves open for a table that three commits wrote."""
    metadata = {"hoodie.metadata.enable": "true", "hoodie.metadata.index.column.stats.enable": "true"}
    table = Table(spark, path, version, **metadata)
    for start in range(0, 12, 4):
        table.write(range(start, start + 4), "insert", NEW_FILES)
    answer: dict[str, Any] = json.loads(counting.ask(str(table.path)))
    return answer
