"""Timestamps are stored as instants and shown in the zone of the JVM that reads them."""

import datetime as dt
from zoneinfo import ZoneInfo

import pytest

from ..harness.check import Checker, assert_naive_loses
from ..harness.servers import FAR_ZONE
from ..tables import EVERY_TYPE, utc

RANGES = [
    "ts >= timestamp '2021-03-28 01:30:00' and ts < timestamp '2021-03-28 03:30:00'",
    "ts >= timestamp '2021-03-28 13:00:00' and ts < timestamp '2021-03-28 16:30:00'",
    "ts between timestamp '2021-10-31 02:00:00' and timestamp '2021-10-31 03:00:00'",
    "ts > timestamp '2021-10-31 13:00:00' and ts < timestamp '2021-10-31 19:00:00'",
    "ts = timestamp '2021-06-01 12:00:00.999985'",
    "ts = timestamp '2021-06-02 00:00:00.999985'",
    "ts > timestamp '1969-12-31 20:00:00' and ts < timestamp '1970-01-01 14:00:00'",
    "ts <> timestamp '2021-06-01 12:00:00.999985' and ts < timestamp '2021-06-03 00:00:00'",
    "cast(ts as date) = date '2021-03-28'",
    "datediff(ts, day) < 452 or datediff(ts, day) = 731",
    "to_date(ts) < date_add(day, 452)",
    "ts in (timestamp '2022-02-10 00:00:00', timestamp '2022-02-10 13:00:00')",
]


@pytest.mark.selected(4)
@pytest.mark.parametrize("predicate", RANGES)
def test_timestamps_near_a_clock_change_are_found(check: Checker, predicate: str) -> None:
    check(f"select id from every_type where {predicate}", spark=False)


@pytest.mark.selected(1)
@pytest.mark.parametrize("predicate", RANGES)
def test_timestamps_are_found_by_a_server_in_a_far_zone(far_check: Checker, predicate: str) -> None:
    far_check(f"select id from every_type where {predicate}", spark=False)


def test_a_far_zone_moves_rows_out_of_the_stored_bounds(far_check: Checker) -> None:
    checked = far_check(f"select id from every_type where {RANGES[1]}", spark=False)
    checked.skips()
    naive = EVERY_TYPE.naive(
        "ts", lambda low, high: high >= utc(2021, 3, 28, 13) and low < utc(2021, 3, 28, 16, 30)
    )
    assert_naive_loses(checked, EVERY_TYPE, naive, why="Auckland is 13 hours ahead of the stored UTC bounds")


def test_the_far_server_shows_its_own_wall_clock(far_check: Checker) -> None:
    """Control: the second server really is in another zone."""
    row = next(row for row in EVERY_TYPE.rows() if row["ts"] == utc(2021, 3, 28, 3, 10))
    shown = far_check.run(f"select cast(ts as string) from every_type where id = {row['id']}").rows[0][0]
    local = row["ts"].astimezone(ZoneInfo(FAR_ZONE)).replace(tzinfo=None)
    assert dt.datetime.fromisoformat(shown) == local


def test_a_session_time_zone_changes_no_answer(check: Checker) -> None:
    for zone in ("America/Los_Angeles", "Asia/Kolkata"):
        for predicate in RANGES[:4]:
            check(f"select id from every_type where {predicate}", {"hive.local.time.zone": zone}, spark=False)
