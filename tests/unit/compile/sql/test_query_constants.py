from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from pycompiler.compile.compiler.compile import compile_predicate
from pycompiler.compile.expression.render import to_text
from pycompiler.compile.sql.from_sql import Dialect, QueryConstants, from_sql
from pycompiler.compile.values.types import HiveType

TYPES = {"day": "date", "at": "timestamp", "month": "string", "n": "int", "m": "bigint"}
SCHEMA = {name: HiveType.parse(text) for name, text in TYPES.items()}
NOW = datetime(2026, 3, 31, 23, 30, 15, 250_000, ZoneInfo("America/New_York"))


def compiled(where: str, now: datetime = NOW, dialect: Dialect = Dialect.HIVE) -> str:
    predicate = from_sql(where, SCHEMA, dialect=dialect, query=QueryConstants(now))
    return to_text(compile_predicate(predicate).expression)


@pytest.mark.parametrize(
    ("where", "meaning"),
    [
        ("day = current_date", "day = '2026-03-31'"),
        ("day = CURRENT_DATE()", "day = '2026-03-31'"),
        ("day >= date_sub(current_date(), 30)", "day >= '2026-03-01'"),
        ("day >= current_date - 7", "day >= '2026-03-24'"),
        ("day < current_date + 1", "day < '2026-04-01'"),
        ("day >= current_date - interval 1 month", "day >= '2026-02-28'"),
        ("day >= date '2024-02-29' + interval 1 year", "day >= '2025-02-28'"),
        ("day >= add_months(current_date, -1)", "day >= '2026-02-28'"),
        ("day >= trunc(current_date, 'MM')", "day >= '2026-03-01'"),
        ("day >= trunc(current_date, 'YEAR')", "day >= '2026-01-01'"),
        ("day > date_sub(current_date, dayofweek(current_date))", "day > '2026-03-28'"),
        ("day = to_date('2026-01-31')", "day = '2026-01-31'"),
        ("day = date_add('2026-01-31', 1)", "day = '2026-02-01'"),
        ("day = cast(current_timestamp() as date)", "day = '2026-03-31'"),
        ("month = date_format(current_date, 'yyyy-MM')", "month = '2026-03'"),
        ("month = substr(cast(current_date as string), 1, 7)", "month = '2026-03'"),
        ("month = substr('abcdef', -3, 2)", "month = 'de'"),
        ("month = lpad(cast(month(current_date) as string), 2, '0')", "month = '03'"),
        ("month = rpad('abc', 2, '.')", "month = 'ab'"),
        ("n = year(current_date) * 100 + month(current_date)", "n = 202603"),
        ("n = length('abc')", "n = 3"),
    ],
)
def test_constants_are_computed_as_hive_does_before_a_handler_sees_them(where: str, meaning: str) -> None:
    assert compiled(where) == meaning


def test_the_day_is_that_of_the_sessions_zone() -> None:
    moment = NOW.astimezone(ZoneInfo("Asia/Tokyo"))
    assert moment == NOW, "it is the same moment"
    assert compiled("day = current_date", moment) == "day = '2026-04-01'"


def test_the_current_timestamp_is_the_wall_clock_of_the_sessions_zone() -> None:
    query = QueryConstants(NOW)
    from_sql("at < current_timestamp", SCHEMA, query=query)
    assert [(step.call, step.constant) for step in query.steps] == [
        ("current_timestamp", "timestamp '2026-03-31 23:30:15.250000'")
    ]


@pytest.mark.parametrize(
    "where",
    [
        "m < unix_timestamp()",
        "month = current_user()",
        "n < rand()",
        "month = upper('i')",
        "month = date_format(current_date, 'EEEE')",
        "day > date '0001-01-01' - interval 1 month",
        "day > trunc(date '1500-03-10', 'MM')",
        "month = substr('aé', 2)",
        "month = concat(current_timestamp(3), 'x')",
    ],
)
def test_what_is_not_certain_stays_unknown(where: str) -> None:
    assert compiled(where).startswith("any ["), "the handler may see another constant than this"


def test_a_day_that_the_zone_left_out_is_not_formatted() -> None:
    # Samoa went from 29 to 31 December 2011.
    where = "month = date_format(date '2011-12-30', 'yyyy-MM-dd')"
    assert compiled(where) == "month = '2011-12-30'"
    assert compiled(where, NOW.astimezone(ZoneInfo("Pacific/Apia"))).startswith("any [")


def test_without_a_query_its_time_is_not_known() -> None:
    for where in ("day < current_date", "day < current_date()"):
        text = to_text(compile_predicate(from_sql(where, SCHEMA)).expression)
        assert text == "any [its value changes between queries]", text
