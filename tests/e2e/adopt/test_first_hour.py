"""From a partitioned table that hive-sync registered to pruned queries, by the commands of README.md only."""

from typing import Final

from ..harness.command import hudi_skip
from .conftest import NATIVE_READER, Lake

DAYS: Final = 4
ROWS: Final = 20
"""Of each day: one every minute from midnight."""
START: Final = 1_767_225_600_000_000
"""Microseconds of 2026-01-01 00:00:00 UTC."""
DAY: Final = 86_400_000_000
MINUTE: Final = 60_000_000


def test_a_synced_table_is_adopted_queried_and_indexed(synced: Lake) -> None:
    session, path = synced.session, synced.root / "readings"
    rows = synced.spark.range(DAYS * ROWS).selectExpr(
        "id", f"{START} + id div {ROWS} * {DAY} + id % {ROWS} * {MINUTE} micros"
    )
    rows = rows.selectExpr(
        "id", "timestamp_micros(micros) ts", "id * 1.5 amount", "cast(timestamp_micros(micros) as date) day"
    )
    options = {
        "hoodie.table.name": "readings",
        "hoodie.datasource.write.recordkey.field": "id",
        "hoodie.datasource.write.precombine.field": "ts",
        "hoodie.datasource.write.partitionpath.field": "day",
    }
    rows.selectExpr("id", "ts", "amount", "cast(day as string) day").write.format("hudi").options(
        **options
    ).mode("append").save(str(path))
    assert not synced.sync.run(path, "readings", partition="day")
    third = START + 2 * DAY
    queries = {
        "select count(*), min(id), max(ts) from lake.readings where day = '2026-01-03'": [
            (ROWS, 2 * ROWS, third + (ROWS - 1) * MINUTE)
        ],
        f"select id, ts from lake.readings where ts between {third} and {third + 2 * MINUTE} order by id": [
            (2 * ROWS + minute, third + minute * MINUTE) for minute in range(3)
        ],
    }
    pruned = dict(zip(queries, (1, 1), strict=True))
    with session.settings(NATIVE_READER):
        by_id = f"select id, ts, amount, day from lake.readings where ts >= {third}"
        native = sorted(session.rows(by_id))
    assert len(native) == 2 * ROWS

    planned = synced.adopt("lake.readings", "--in-place", "--dry-run")
    done = synced.adopt("lake.readings", "--in-place")
    assert done["compared"] == planned["compared"] == {"partitions": DAYS, "counted": DAYS * ROWS, "rows": 80}
    assert sorted(session.rows(by_id)) == native
    of_a_day, *_ = queries
    for query, expected in queries.items():
        asked = synced.check.run(query)
        assert list(asked.rows) == expected
        if query == of_a_day:
            asked.kept(1)

    *_, command = done["next"].partition("hudi-skip ")
    assert hudi_skip(*command.split())["files"] == DAYS
    assert sorted(session.rows(by_id)) == native
    for query, expected in queries.items():
        asked = synced.check.run(query)
        assert list(asked.rows) == expected
        asked.kept(pruned[query])
