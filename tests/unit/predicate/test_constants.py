from __future__ import annotations

import math
import struct
from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pycompiler.predicate.constants import date_of, decimal_type, moment_of, nearest_float, timestamp_of
from pycompiler.predicate.model import Literal
from pycompiler.types import HiveType

PROPERTY = settings(derandomize=True, deadline=None, max_examples=300)
DATE, TIMESTAMP = HiveType.parse("date"), HiveType.parse("timestamp")
floats = st.floats(width=32, allow_nan=False, allow_infinity=False, allow_subnormal=True)


@PROPERTY
@given(st.dates())
def test_a_date_is_read_from_its_text(day: date) -> None:
    assert date_of(day.isoformat()) == (day - date(1970, 1, 1)).days


@PROPERTY
@given(st.datetimes())
def test_a_timestamp_is_read_to_the_microsecond(moment: datetime) -> None:
    micros = timestamp_of(moment.isoformat(sep=" "))
    since = moment - datetime(1970, 1, 1)
    assert micros == (since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds


@pytest.mark.parametrize(
    "text",
    [
        *("", "2021-02-29", "2021-1-1", "20210101", "2021-W01-1", "+2021-01-01", "2021-01-01 ", "٢٠٢١-01-01"),
        *("2021-01-01T00:00:00", "2021-01-01 24:00:00", "2021-01-01 00:60:00", "2021-01-01 00:00", "junk"),
    ],
)
def test_other_texts_are_no_moments(text: str) -> None:
    assert date_of(text) is None
    assert timestamp_of(text) is None


def test_the_time_of_day_is_cut_off_a_date_and_a_time_finer_than_microseconds_is_not_known() -> None:
    assert moment_of("2021-01-01 23:59:59.9", DATE) == Literal(DATE, 18_628)
    assert moment_of("1969-12-31 23:59:59", DATE) == Literal(DATE, -1)
    assert moment_of("1970-01-01 00:00:00.123456000", TIMESTAMP) == Literal(TIMESTAMP, 123_456)
    assert moment_of("1970-01-01 00:00:00.123456789", TIMESTAMP) is None
    assert moment_of("1970-01-01", HiveType.parse("string")) is None


@pytest.mark.parametrize(
    ("number", "hive_type"),
    [
        ("0", "decimal(1,0)"),
        ("0.00", "decimal(1,0)"),
        ("1.50", "decimal(2,1)"),
        ("0.05", "decimal(2,2)"),
        ("-100", "decimal(3,0)"),
        ("100.0", "decimal(3,0)"),
        ("1E+3", "decimal(4,0)"),
        ("9" * 38, "decimal(38,0)"),
        ("9" * 39, None),
    ],
)
def test_a_decimal_constant_has_the_digits_that_it_needs(number: str, hive_type: str | None) -> None:
    expected = None if hive_type is None else HiveType.parse(hive_type)
    assert decimal_type(Decimal(number)) == expected


@PROPERTY
@given(floats)
def test_a_float_is_nearest_to_itself(value: float) -> None:
    assert nearest_float(Decimal(value)) == value


@PROPERTY
@given(floats.filter(lambda value: abs(value) < 1e38), st.fractions(min_value=0, max_value=1))
def test_no_float_is_nearer(value: float, share: Fraction) -> None:
    bits = struct.unpack(">i", struct.pack(">f", abs(value)))[0]
    above = struct.unpack(">f", struct.pack(">i", bits + 1))[0]
    low, high = Fraction(abs(value)), Fraction(above)
    # Dyadic shares keep the number between them exact.
    exact = low + (high - low) * Fraction(round(share * 64), 64)
    number = Decimal(exact.numerator) / Decimal(exact.denominator)
    if Fraction(number) == exact:
        found = Fraction(nearest_float(number))
        assert found in (low, high)
        assert abs(found - exact) == min(exact - low, high - exact)


@pytest.mark.parametrize(
    ("number", "value"),
    [
        ("0.1", 0.10000000149011612),
        ("16777217", 16777216.0),
        # Halfway to the next float but for a digit that a double does not hold.
        ("1.00000005960464477540", 1.0000001192092896),
        ("-1.00000005960464477540", -1.0000001192092896),
        ("1.00000005960464477539", 1.0),
        ("1e39", math.inf),
        ("-1e39", -math.inf),
        ("1e-50", 0.0),
    ],
)
def test_floats_of_numbers_are_those_of_java(number: str, value: float) -> None:
    assert nearest_float(Decimal(number)) == value
