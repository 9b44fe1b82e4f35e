from datetime import date, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pycompiler.compile.values.parsing import parse_date, parse_timestamp

PROPERTY = settings(max_examples=300)


@PROPERTY
@given(st.dates())
def test_a_date_is_read_from_its_text(day: date) -> None:
    assert parse_date(day.isoformat()) == (day - date(1970, 1, 1)).days


@PROPERTY
@given(st.datetimes())
def test_a_timestamp_is_read_to_the_microsecond(moment: datetime) -> None:
    micros = parse_timestamp(moment.isoformat(sep=" "))
    since = moment - datetime(1970, 1, 1)
    assert micros == (since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds


@pytest.mark.parametrize(
    "text",
    [
        *("", "2021-02-29", "2021-1-1", "20210101", "2021-W01-1", "+2021-01-01", "2021-01-01 ", "٢٠٢١-01-01"),
        *("2021-01-01T00:00:00", "2021-01-01 24:00:00", "2021-01-01 00:60:00", "2021-01-01 00:00", "junk"),
    ],
)
def test_other_texts_are_neither_dates_nor_timestamps(text: str) -> None:
    assert parse_date(text) is None
    assert parse_timestamp(text) is None
