"""The base files of a table without Spark, beside those that Hudi's own file-system view shows."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from typer.testing import CliRunner

from pycompiler.index.file_systems.location import Location
from pycompiler.index.index import StatisticsIndex
from pycompiler.spark.hudi_table import HudiTable
from pycompiler.spark.index_creator import IndexCreator
from pycompiler.table.errors import TableUnreadableError
from pycompiler.table.files import TableSlices
from pycompiler.table.index_status import status_by_timeline
from pycompiler.tools.cli.main import app

from .hudis_view import check_files_by_index
from .tables import timeline_of
from .test_updates import CLUSTERING, EAST, VERSIONS, Table

pytestmark = pytest.mark.spark


def _not_indexed(found: TableSlices) -> list[str]:
    return [file.path for one in found.slices for file in one.files if not file.indexed]


@pytest.mark.full
@pytest.mark.since_hudi_1  # 0.15 requires an ordering field.
@pytest.mark.parametrize("version", VERSIONS.values(), ids=VERSIONS.keys())
def test_after_every_operation_the_files_are_those_of_hudis_own_view(
    spark: SparkSession, tmp_path: Path, version: str
) -> None:
    table = Table(spark, tmp_path / "t", version, **{"hoodie.metadata.enable": "true"})
    table.write(range(20), "bulk_insert")
    IndexCreator(spark).build(table.path)
    assert not _not_indexed(check_files_by_index(spark, table.path, "the index is up to date"))

    operations: list[tuple[str, Iterable[int], Mapping[str, str] | None]] = [
        ("bulk_insert", range(20, 30), None),
        ("upsert", range(3), None),
        ("insert_overwrite", range(1, 9, 2), None),
        ("insert", range(40, 50), CLUSTERING),
        ("delete", range(40, 44), None),
        ("delete_partition", [1], EAST),
    ]
    for operation, numbers, more in operations:
        table.write(numbers, operation, more)
        found = check_files_by_index(spark, table.path, operation)
        assert found.complete, operation
        assert found.slices, f"after {operation} there must be files to compare"
        assert _not_indexed(found), f"{operation} should be seen"
    # What was replaced is still there, and in the index: only the timeline tells.
    IndexCreator(spark).update(table.path)
    assert not _not_indexed(check_files_by_index(spark, table.path, "the index has been updated"))
    table.write([1], "insert_overwrite_table")
    check_files_by_index(spark, table.path, "insert_overwrite_table")


@pytest.mark.full
def test_commits_that_are_archived_leave_room_for_more_files(spark: SparkSession, tmp_path: Path) -> None:
    table = Table(spark, tmp_path / "t", "8")
    table.write(range(4), "bulk_insert")
    IndexCreator(spark).build(table.path)
    few = {
        "hoodie.keep.min.commits": "2",
        "hoodie.keep.max.commits": "3",
        "hoodie.clean.commits.retained": "1",
        "hoodie.metadata.enable": "false",
    }
    for number in range(6):
        table.write([number], "insert", few)
    found = check_files_by_index(spark, table.path, "archived")
    assert not found.complete, "the index's instant is no longer on the active timeline"
    assert status_by_timeline(StatisticsIndex.open(table.path), Location.parse(str(table.path))) is None
    shown = json.loads(CliRunner().invoke(app, ["index", "status", str(table.path), "--json"]).stdout)
    listed = len(HudiTable(spark, table.path).snapshot().files)
    assert (shown["files"], shown["up_to_date"]) == (listed, False), "Spark is asked"
    IndexCreator(spark).update(table.path)
    assert check_files_by_index(spark, table.path, "the index has been updated").complete


@pytest.mark.parametrize(
    "content", [b"Obj\x01garbage", b"{", b"[]", b'{"partitionToWriteStats": {"": [{}]}}']
)
def test_a_commit_that_cannot_be_read_is_named(tmp_path: Path, content: bytes) -> None:
    (tmp_path / ".hoodie").mkdir()
    (tmp_path / ".hoodie" / "hoodie.properties").write_text("hoodie.table.version=6\n")
    (tmp_path / ".hoodie" / "20260101.commit").write_bytes(content)
    timeline = timeline_of(tmp_path)
    with pytest.raises(TableUnreadableError, match=r"20260101\.commit cannot be read as a commit"):
        list(timeline.since(""))
