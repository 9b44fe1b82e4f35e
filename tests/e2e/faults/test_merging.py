"""Merging fails: the query fails with it, and whatever the server does next is right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from ..harness.lake import HiveTables, Lake
from ..harness.session import QueryFailed, Session
from ..merging.cases import Writer

QUERIES = {
    "in batches": {"hive.vectorized.execution.enabled": "true", "hive.fetch.task.conversion": "none"},
    "in rows": {"hive.vectorized.execution.enabled": "false", "hive.fetch.task.conversion": "none"},
    "without a job": {"hive.fetch.task.conversion": "more", "hive.fetch.task.conversion.threshold": "-1"},
}


def _damaged_records(path: Path, _: Path) -> dict[str, str]:
    """Records in the middle of a log block become bytes that no record has."""
    log = max(path.glob("east/.*.log.*"), key=lambda file: file.stat().st_size)
    content = bytearray(log.read_bytes())
    middle = len(content) * 3 // 4
    content[middle : middle + 200] = b"\xff" * 200
    log.write_bytes(bytes(content))
    for checksum in path.glob("east/..*.crc"):
        checksum.unlink()
    return {}


def _nowhere_to_spill(_: Path, free: Path) -> dict[str, str]:
    """What does not fit into memory would go to a folder that cannot be made."""
    free.write_text("a file")
    return {
        "hoodie.memory.merge.max.size": "1",
        "hoodie.memory.spillable.map.path": str(free / "folder"),
    }


@pytest.mark.parametrize("engine", QUERIES)
@pytest.mark.parametrize("damage", [_damaged_records, _nowhere_to_spill], ids=["records", "spilling"])
def test_a_failure_reaches_the_client_and_leaves_nothing_behind(
    session: Session,
    hive: HiveTables,
    lake: Lake,
    spark: SparkSession,
    tmp_path: Path,
    damage: Callable[[Path, Path], dict[str, str]],
    engine: str,
) -> None:
    good, bad = (Writer(spark, lake.fresh(name), {}) for name in ("good", "bad"))
    for table in (good, bad):
        table.base()
        table.write(table.rows([1, 2, 30], 2))
        table.write(table.rows(range(3, 20), 3))
    answer = spark.read.format("hudi").load(str(good.path)).groupBy("grp").count().collect()
    expected = Counter(tuple(row) for row in answer)
    settings = damage(bad.path, tmp_path / "used")
    query = "select grp, count(*) from {table} group by grp"
    with hive.table(good.path) as of_good, hive.table(bad.path) as of_bad, session.settings(QUERIES[engine]):
        assert Counter(session.rows(query.format(table=of_good))) == expected
        for _ in range(2):
            with session.settings(settings), pytest.raises(QueryFailed):
                session.rows(f"select id, n, s from {of_bad} where n > 0")
            assert Counter(session.rows(query.format(table=of_good))) == expected, "after the failure"
