"""Base files whose footers contradict themselves: Hive answers as if nothing could be skipped."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession
from typer.testing import CliRunner

from pycompiler.spark.index_creator import IndexCreator
from pycompiler.tools.cli.main import app
from tests.footers import NULLS, STATISTICS, Footer, put, rewrite

from ..harness.check import assert_same_rows
from ..harness.hudi_writer import COLUMN_STATISTICS
from ..harness.servers import SPARK_SETTINGS
from ..harness.session import Session
from ..merging.cases import UNPARTITIONED, NewTable, Writer
from ..operations.test_metadata_table_layout import METADATA_TABLE

FILES, ROWS_OF_FILE, ROWS_LEFT = 8, 40, 4
"""Each file gets 40 rows; the footers of most say that there are 4."""

REBASE: Final = "spark.sql.parquet.datetimeRebaseModeInWrite"
OFF: Final = {"hudi.skipping.mode": "off"}
WAYS: Final[Mapping[str, Mapping[str, str]]] = {
    "default": {},
    "counts": {"hudi.skipping.counts": "on"},
    "top-k": {"hudi.skipping.topk": "on"},
}
QUERIES: Final = (
    "select count(*) from {}",
    "select id, i from {} where i is not null",
    "select id, i from {} where i is null",
    "select id from {} where s >= 'text 0100'",
    "select id from {} where n = 7",
    "select count(*) from {} where n >= 0",
    "select max(id), min(i), count(i) from {}",
    "select id from {} order by id desc limit 3",
    "select i from {} order by i limit 3",
)


def _base_files(table: Path) -> list[Path]:
    return sorted(table.glob("*.parquet"))


def _claim_nulls(footer: Footer) -> None:
    """More NULLs than values."""
    for chunk in footer.chunks(0):
        if STATISTICS in chunk:
            put(chunk[STATISTICS][1], NULLS, ROWS_OF_FILE + 1)


def _write(table: Writer, early: str, more: Mapping[str, str]) -> None:
    """Eight files; if the last column has early days, Hudi's row writer fails in the middle of rows."""
    of_four = f"id % {ROWS_OF_FILE // ROWS_LEFT} = 0"
    rows = table.spark.range(0, FILES * ROWS_OF_FILE, 1, FILES).selectExpr(
        "cast(id as int) id",
        f"if({of_four}, null, id) i",
        "format_string('text %04d', id) s",
        "cast(id % 40 as int) n",
        f"if({early} and not {of_four}, date'1500-01-01', null) d",
    )
    table.spark.conf.set(REBASE, "EXCEPTION")  # Spark's default
    try:
        table.write(rows, "bulk_insert", {"hoodie.bulkinsert.shuffle.parallelism": str(FILES), **more})
    finally:
        table.spark.conf.set(REBASE, SPARK_SETTINGS[REBASE])
    assert len(_base_files(table.path)) == FILES


def _lose_rows(table: Writer, more: Mapping[str, str]) -> None:
    """All files but the last have 4 rows, and 40 values of each column but the last."""
    _write(table, f"id < {(FILES - 1) * ROWS_OF_FILE}", more)
    for file in _base_files(table.path):
        group = pq.read_metadata(file).row_group(0)
        values = {group.column(number).num_values for number in range(group.num_columns)}
        assert values == {ROWS_OF_FILE, group.num_rows}, "control: Hudi commits what it failed to write"


def _claim_more_nulls(table: Writer, more: Mapping[str, str]) -> None:
    """All files but one have more NULLs than values, by their footers."""
    _write(table, "false", more)
    for file in _base_files(table.path)[: FILES - 1]:
        rewrite(file, _claim_nulls)


def _assert_answers_are_those_without_skipping(
    session: Session, table: Writer, source: Mapping[str, str]
) -> None:
    with session.table(table.path) as name:
        for query in QUERIES:
            with session.settings(OFF):
                expected = session.rows(query.format(name))
            for way, settings in WAYS.items():
                with session.settings({**settings, **source}):
                    assert_same_rows(session.rows(query.format(name)), expected, f"{query}, {way}")


@pytest.mark.default_hudi
def test_hudis_statistics_of_contradictory_footers_lose_no_row(session: Session, new_table: NewTable) -> None:
    """Hudi takes its column statistics from the footers as they are."""
    table = new_table(UNPARTITIONED)
    _lose_rows(table, COLUMN_STATISTICS)
    assert (table.path / ".hoodie" / "metadata" / "column_stats").is_dir()
    _assert_answers_are_those_without_skipping(session, table, METADATA_TABLE)


@pytest.mark.parametrize(
    "write",
    [
        pytest.param(_lose_rows, marks=pytest.mark.default_hudi, id="rows"),
        pytest.param(_claim_more_nulls, id="NULLs"),
    ],
)
def test_answers_are_those_without_skipping(
    session: Session,
    new_table: NewTable,
    spark: SparkSession,
    write: Callable[[Writer, Mapping[str, str]], None],
) -> None:
    table = new_table(UNPARTITIONED)
    write(table, {})
    IndexCreator(spark, {"*": "bloom,values"}).build(str(table.path))
    _assert_answers_are_those_without_skipping(session, table, {})
    result = CliRunner().invoke(app, ["index", "status", str(table.path)])
    assert result.exit_code == 0, result.output
    assert "its footer contradicts itself" in result.output and "always read" in result.output, result.output
    document = json.loads(CliRunner().invoke(app, ["index", "status", "--json", str(table.path)]).output)
    assert len(document["without_rows"]) == FILES - 1
