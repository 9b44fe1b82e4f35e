"""How often a listing of a table opens the files of Hudi's metadata table."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest
from pyspark.sql import SparkSession

from tests.conformance.agreement.jvm_program import JvmProgram

from .test_updates import NEW_FILES, VERSIONS, Table

pytestmark = pytest.mark.spark

_MAIN: Final = "io.hudiskip.hive.listing.CountListingOpens"


@dataclass(frozen=True)
class Opens:
    """Openings of each file of the metadata table's list of files, by its name.

    Attributes:
        slices: File slices of the table.
        table: Openings for a listing of the whole table.
        partitions: Openings for a listing of all partitions by their names.
        open: How many of these files are open at the end.
    """

    slices: int
    table: Mapping[str, int]
    partitions: Mapping[str, int]
    open: int


@pytest.fixture(scope="module")
def counting() -> Iterator[JvmProgram]:
    """A JVM that lists tables and counts what it opens."""
    with JvmProgram(_MAIN) as started:
        yield started


@pytest.mark.parametrize("version", VERSIONS.values(), ids=VERSIONS.keys())
def test_a_listing_of_a_table_scans_each_log_of_the_metadata_table_once(
    spark: SparkSession, tmp_path: Path, counting: JvmProgram, version: str
) -> None:
    table = Table(spark, tmp_path / "t", version, **{"hoodie.metadata.enable": "true"})
    for start in range(0, 12, 4):
        table.write(range(start, start + 4), "insert", NEW_FILES)
    opens = Opens(**json.loads(counting.ask(str(table.path))))
    assert opens.slices == 6, "a file for each commit and partition"
    logs = {name: count for name, count in opens.partitions.items() if ".log." in name}
    assert len(logs) >= 3, "a log for each commit"
    # Names of partitions and files are in the same logs, so one scan of them is enough for both.
    assert {name: opens.table[name] for name in logs} == logs
    assert opens.open == 0
