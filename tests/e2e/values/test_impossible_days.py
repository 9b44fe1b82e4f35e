"""What Hive makes of a day that no calendar has."""

import pytest

from ..harness.session import Session


@pytest.mark.parametrize(
    "day", ["2021-13-45", "2021-02-30", "2021-00-10", "2023-02-29", "2021-06-31 10:00:00"]
)
def test_hive_reads_an_impossible_day_as_null(session: Session, day: str) -> None:
    assert session.rows(f"SELECT cast('{day}' AS date), cast('{day}' AS timestamp)") == [(None, None)]


def test_hive_reads_the_day_alone_if_the_time_is_impossible(session: Session) -> None:
    text = "2021-06-01 25:00:00"
    ((shown,),) = session.rows(f"SELECT cast(cast('{text}' AS timestamp) AS string)")
    assert shown == "2021-06-01 00:00:00"


@pytest.mark.parametrize(
    "condition",
    [
        *(f"day {operator} '2021-13-45'" for operator in ("=", "<>", "<", ">=")),
        "not (day = '2021-13-45')",
        "day not in (date '2021-06-01', '2021-13-45')",
        "day between '2021-13-01' and '2021-12-01'",
        "ts > '2021-02-30 00:00:00'",
    ],
)
def test_no_comparison_with_an_impossible_day_is_true(session: Session, condition: str) -> None:
    assert session.rows(f"SELECT count(*) FROM every_type WHERE {condition}") == [(0,)]


def test_only_a_null_equals_an_impossible_day_null_safely(session: Session) -> None:
    (nulls,) = session.rows("SELECT count(*) FROM every_type WHERE day IS NULL")
    assert nulls > (0,)
    assert session.rows("SELECT count(*) FROM every_type WHERE day <=> '2021-13-45'") == [nulls]


@pytest.mark.parametrize("literal", ["DATE '2021-13-45'", "TIMESTAMP '2021-13-45 00:00:00'"])
def test_hive_refuses_a_literal_of_an_impossible_day(session: Session, literal: str) -> None:
    session.assert_refused(
        f"SELECT count(*) FROM every_type WHERE day = {literal}", "Unable to convert time literal"
    )
