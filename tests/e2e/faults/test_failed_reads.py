"""A task that fails must not change what later queries answer, in processes that run many tasks."""

import shutil
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from ..harness.engines import ROW_BY_ROW, TEZ
from ..harness.hudi_writer import HudiWriter
from ..harness.lake import Lake
from ..harness.session import QueryFailed, Session


def _table(spark: SparkSession, path: Path) -> HudiWriter:
    writer = HudiWriter(spark, path)
    writer.write(spark.range(100).selectExpr("cast(id as int) id", "id n", "'east' grp").coalesce(1))
    return writer


def _damage(table: HudiWriter) -> Path:
    """Makes the pages of the base file unreadable; its footer stays."""
    (file,) = (table.path / "east").glob("*.parquet")
    with file.open("r+b") as out:
        out.seek(4)
        out.write(b"\xff" * (file.stat().st_size // 2))
    (file.parent / f".{file.name}.crc").unlink()
    return file


@pytest.mark.parametrize("mode", [TEZ, ROW_BY_ROW], ids=["vectorized", "rows"])
@pytest.mark.parametrize("kind", ["handler", "native"])
def test_aggregates_after_a_failed_read_count_all_rows(
    session: Session, spark: SparkSession, lake: Lake, kind: str, mode: dict[str, str]
) -> None:
    good, bad = (_table(spark, lake.fresh("failed_reads")) for _ in range(2))
    file = _damage(bad)
    with session.table(good.path) as name, session.table(bad.path) as damaged, session.settings(mode):
        count = f"select count(*), sum(n) from {name} where grp = 'east'"
        assert session.rows(count) == [(100, 4950)]
        if kind == "native":
            plain = lake.fresh("plain")
            plain.mkdir()
            shutil.copy(file, plain)
            damaged = f"{damaged}_native"
            session.rows(
                f"create external table {damaged} (id int, n bigint) stored as parquet location '{plain}'"
            )
        with pytest.raises(QueryFailed):
            session.rows(f"select sum(n) from {damaged}")
        assert session.rows(count) == [(100, 4950)]
        if kind == "native":
            session.rows(f"drop table {damaged}")
