"""Partitions are pruned by their paths, without an index and where the index is behind."""

from collections.abc import Callable, Mapping
from datetime import date
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from ..harness.check import Checker
from ..harness.engines import MODES, TEZ
from ..harness.operated_table import OperatedTable

_OPTIONS = {
    "hoodie.datasource.write.partitionpath.field": "day,hour",
    "hoodie.datasource.write.hive_style_partitioning": "true",
}

FILTERS: Mapping[str, Callable[[int, int], bool]] = {
    "day = date '2026-01-02'": lambda day, hour: day == 2,
    "day >= date '2026-01-03' and hour = 1": lambda day, hour: day >= 3 and hour == 1,
    "hour in (0, 7)": lambda day, hour: hour == 0,
    "day = date '2026-01-01' or hour = 1": lambda day, hour: day == 1 or hour == 1,
    "day(day) = 2 and n >= 0": lambda day, hour: day == 2,
    "sqrt(hour) = 1": lambda day, hour: hour == 1,
    "dayofweek(day) = 6": lambda day, hour: day == 2,
    "day is null": lambda day, hour: False,
}
"""Filters, and whether rows of a day and an hour may match."""


def _write(table: OperatedTable, operation: str, more: Mapping[str, str], first: int = 0) -> None:
    rows = [
        (first + 10 * day + hour, first, f"2026-01-0{day}", hour, "a") for day in (1, 2, 3) for hour in (0, 1)
    ]
    frame = table.spark.createDataFrame(rows, "id int, n int, day string, hour int, grp string")
    frame = frame.selectExpr("id", "n", "cast(day as date) day", "hour", "grp").coalesce(1)
    table.write(frame, operation, {**_OPTIONS, **more})


@pytest.mark.parametrize("kind", ["COPY_ON_WRITE", "MERGE_ON_READ"])
def test_only_partitions_that_can_match_are_read(
    check: Checker, table: OperatedTable, tmp_path: Path, kind: str
) -> None:
    options = {"hoodie.datasource.write.table.type": kind}
    _write(table, "insert", options)
    _write(table, "upsert", options, 0)
    with check.session.table(table.path) as name:
        table.spark.read.format("hudi").load(str(table.path)).createOrReplaceTempView(name)
        for mode in MODES.values():
            for where, matches in FILTERS.items():
                checked = check(f"select id, day, hour, n from {name} where {where}", mode)
                wanted = sum(matches(day, hour) for day in (1, 2, 3) for hour in (0, 1))
                assert checked.scan.kept == wanted, checked.scan.line
                assert checked.scan.source in ("partitions", "none"), checked.scan.line
        parquet.write_table(pa.table({"day": [date(2026, 1, 2)]}), tmp_path / "000000_0")
        days = f"(day date) stored as parquet location 'file://{tmp_path}'"
        check.session.rows(f"create external table days {days}")
        try:
            joined = check.run(f"select t.id from {name} t join days d on t.day = d.day", TEZ)
        finally:
            check.session.rows("drop table days")
        assert sorted(joined.rows) == [(20,), (21,)]
        assert joined.scan.kept == 2, joined.scan.line
        everything = check.run(f"select id from {name}").scan
        assert everything.kept == everything.files == 6, everything.line
        threshold = {"hive.fetch.task.conversion.threshold": str(everything.size // 2)}
        for where, is_small in (("day = date '2026-01-02'", True), ("n >= 0", False)):
            with check.session.settings(threshold):
                plan = check.session.text(f"explain select id from {name} where {where}")
            assert ("Map 1" not in plan) == is_small, plan
