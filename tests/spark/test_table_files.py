"""What the index and the timeline cannot tell of a table's files."""

import json
from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from typer.testing import CliRunner

from pycompiler.index.file_systems.location import Location
from pycompiler.index.index import StatisticsIndex
from pycompiler.spark.hudi_table import HudiTable
from pycompiler.spark.index_creator import IndexCreator
from pycompiler.table.errors import TableUnreadableError
from pycompiler.table.index_status import status_by_timeline
from pycompiler.tools.cli.main import app

from .tables import status, timeline_of
from .test_updates import Table

pytestmark = pytest.mark.spark


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
    assert status_by_timeline(StatisticsIndex.open(table.path), Location.parse(str(table.path))) is None, (
        "the index's instant is no longer on the active timeline"
    )
    shown = json.loads(CliRunner().invoke(app, ["index", "status", str(table.path), "--json"]).stdout)
    listed = len(HudiTable(spark, table.path).snapshot().files)
    assert (shown["files"], shown["up_to_date"]) == (listed, False), "Spark is asked"
    IndexCreator(spark).update(table.path)
    by_timeline = status_by_timeline(StatisticsIndex.open(table.path), Location.parse(str(table.path)))
    assert by_timeline == status(spark, table.path)


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
