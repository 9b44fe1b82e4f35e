from datetime import date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pycompiler.compile.functions import registry
from pycompiler.compile.predicate.model import Call, Column, Literal, LiteralValue
from pycompiler.compile.values.encoding import encode_value
from pycompiler.compile.values.outcomes import Outcomes
from pycompiler.compile.values.prefixes import beginning_with
from pycompiler.compile.values.range_set import End, Range, RangeSet
from pycompiler.compile.values.types import HiveType

from .preimages import member_of

_STRING, _BIGINT, _DATE, _TIMESTAMP = map(HiveType, ("string", "bigint", "date", "timestamp"))
_INTEGERS = st.integers(-(2**63), 2**63 - 1) | st.sampled_from([0, 9, 10, -1, 10**18, -(2**63), 2**63 - 1])
_DAYS = st.dates(date(1, 1, 1), date(9999, 12, 31)) | st.sampled_from([date(1582, 12, 31), date(1583, 1, 1)])
_EPOCH = date(1970, 1, 1)


def _preimage(source: HiveType, wanted: Outcomes) -> Outcomes | None:
    condition = member_of(Call("cast", _STRING, (Column("x", source),)), wanted)
    return None if condition is None else condition.outcomes


@given(_INTEGERS, _INTEGERS, st.booleans())
def test_an_integer_is_found_by_its_digits(number: int, other: int, excluded: bool) -> None:
    texts = RangeSet.point(str(other).encode())
    wanted = Outcomes(texts.complement() if excluded else texts, False)

    found = _preimage(_BIGINT, wanted)

    assert found is not None
    assert found.has(encode_value(_BIGINT, number)) is wanted.has(str(number).encode())


@pytest.mark.parametrize("text", ["", "+5", "05", "-0", "5.0", " 5", "9223372036854775808", "٥"])
def test_a_text_that_is_no_integers_has_no_preimage(text: str) -> None:
    found = _preimage(_BIGINT, Outcomes(RangeSet.point(text.encode()), False))

    assert found is not None and found.is_empty, f"no bigint is written {text!r}"


@given(_INTEGERS | st.integers(-2000, 2000), st.text("-0123456789x", max_size=5), st.text("-019", max_size=3))
def test_an_integer_is_found_by_a_range_of_texts(number: int, one: str, other: str) -> None:
    low, high = sorted([one.encode(), other.encode()])
    for values in (
        RangeSet.of([Range(End(low, True), End(high, False))]),
        RangeSet.of([beginning_with(one.encode())]),
        RangeSet.of([beginning_with(one.encode())]).complement(),
        RangeSet.above(low, included=False),
    ):
        found = _preimage(_BIGINT, Outcomes(values, False))

        assert found is not None
        is_found = found.has(encode_value(_BIGINT, number))
        assert is_found is (str(number).encode() in values), f"{number} in {values}"


_MOMENTS = st.datetimes(datetime(1, 1, 1)) | st.sampled_from(
    [datetime(1582, 12, 31, 23, 59, 59, 999_999), datetime(1583, 1, 1), datetime.max, datetime(2021, 6, 15)]
)


def _written(moment: datetime, nanos: int) -> str:
    fraction = f"{moment.microsecond:06d}{nanos:03d}".rstrip("0")
    return moment.isoformat(" ", "seconds") + (f".{fraction}" if fraction else "")


@given(_MOMENTS, st.integers(0, 999), _MOMENTS, st.integers(1, 29), st.booleans())
def test_a_timestamp_is_found_by_its_text(
    moment: datetime, nanos: int, other: datetime, length: int, is_near: bool
) -> None:
    text = _written(moment, nanos)
    end = (text if is_near else _written(other, 1))[:length].encode()
    for values in (
        RangeSet.point(text.encode()),
        RangeSet.of([beginning_with(end)]),
        RangeSet.of([beginning_with(end)]).complement(),
        RangeSet.above(end, included=False),
        RangeSet.below(end, included=True),
    ):
        found = _preimage(_TIMESTAMP, Outcomes(values, False))

        assert found is not None
        stored = encode_value(_TIMESTAMP, (moment - datetime(1970, 1, 1)) // timedelta(microseconds=1))
        assert found.has(stored) or text.encode() not in values, f"{text} is lost of {values}"


def test_a_timestamp_of_another_second_is_not_found() -> None:
    found = _preimage(_TIMESTAMP, Outcomes(RangeSet.point(b"2021-06-15 12:34:56.789"), False))
    assert found is not None
    second = (datetime(2021, 6, 15, 12, 34, 56) - datetime(1970, 1, 1)) // timedelta(microseconds=1)
    for micros, expected in ((-1, False), (0, True), (999_999, True), (1_000_000, False)):
        assert found.has(encode_value(_TIMESTAMP, second + micros)) is expected, micros


@given(_DAYS, _DAYS)
def test_a_day_is_found_by_its_text(day: date, other: date) -> None:
    wanted = Outcomes(RangeSet.above(other.isoformat().encode(), included=True), False)

    found = _preimage(_DATE, wanted)

    assert found is not None
    stored = encode_value(_DATE, (day - _EPOCH) // timedelta(days=1))
    if wanted.has(day.isoformat().encode()):
        assert found.has(stored), f"{day} is lost"
    elif day >= date(1583, 1, 1):
        assert not found.has(stored), f"{day} is kept for nothing"


@pytest.mark.parametrize(
    ("text", "target", "value"),
    [
        ("0", "int", 0),
        ("-17", "bigint", -17),
        ("2147483648", "int", None),
        ("1e3", "int", None),
        ("2021-01-31", "date", (date(2021, 1, 31) - _EPOCH).days),
        ("31.1.2021", "date", None),
    ],
)
def test_a_constant_text_is_converted_if_its_form_is_plain(
    text: str, target: str, value: LiteralValue | None
) -> None:
    hive_type = HiveType.parse(target)
    argument = Literal(_STRING, text)

    result = registry.evaluate(Call("cast", hive_type, (argument,)), (argument,))

    assert result == (None if value is None else Literal(hive_type, value))
