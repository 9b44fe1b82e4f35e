"""Base files whose footers contradict themselves: Hive answers as if nothing could be skipped."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import pytest
from pyspark.sql import SparkSession
from typer.testing import CliRunner

from pycompiler.cli.main import app
from pycompiler.spark.index_creator import IndexCreator
from tests.footers import NULLS, ROWS, STATISTICS, Footer, put, rewrite

from ..harness.check import assert_same_rows
from ..harness.session import Session
from ..merging.cases import NewTable

FILES, ROWS_OF_FILE, ROWS_LEFT = 8, 40, 4
"""Each file had 40 rows; their footers say that the first 4 are all."""

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


def _lose_rows(footer: Footer) -> None:
    """What Hudi 1.0.2 left: rows of the file and its row group, but not of the column chunks, are too few."""
    for group in footer.groups:
        put(group, ROWS, ROWS_LEFT)
    put(footer.fields, ROWS, ROWS_LEFT * len(footer.groups))


def _claim_nulls(footer: Footer) -> None:
    """More NULLs than values."""
    for chunk in footer.chunks(0):
        if STATISTICS in chunk:
            put(chunk[STATISTICS][1], NULLS, ROWS_OF_FILE + 1)


@pytest.mark.parametrize("damage", [_lose_rows, _claim_nulls], ids=["rows", "NULLs"])
def test_answers_are_those_without_skipping(
    session: Session, new_table: NewTable, spark: SparkSession, damage: Callable[[Footer], None]
) -> None:
    table = new_table({"hoodie.datasource.write.partitionpath.field": ""})
    rows = spark.range(0, FILES * ROWS_OF_FILE, 1, FILES).selectExpr(
        "cast(id as int) id",
        # 4 NULLs in each file, none of them in its first rows.
        f"if(id % {ROWS_OF_FILE} >= {ROWS_OF_FILE - ROWS_LEFT}, null, id) i",
        "format_string('text %04d', id) s",
        "cast(id % 40 as int) n",
    )
    table.write(rows, "bulk_insert", {"hoodie.bulkinsert.shuffle.parallelism": str(FILES)})
    files = _base_files(table.path)
    assert len(files) == FILES
    for file in files[: FILES - 1]:
        rewrite(file, damage)
    IndexCreator(spark, {"*": "bloom,values"}).build(str(table.path))
    with session.table(table.path) as name:
        for query in QUERIES:
            with session.settings(OFF):
                expected = session.rows(query.format(name))
            for way, settings in WAYS.items():
                with session.settings(settings):
                    assert_same_rows(session.rows(query.format(name)), expected, f"{query}, {way}")
    result = CliRunner().invoke(app, ["index", "status", str(table.path)])
    assert result.exit_code == 0, result.output
    assert "its footer contradicts itself" in result.output and "always read" in result.output, result.output
    document = json.loads(CliRunner().invoke(app, ["index", "status", "--json", str(table.path)]).output)
    assert len(document["without_rows"]) == FILES - 1
