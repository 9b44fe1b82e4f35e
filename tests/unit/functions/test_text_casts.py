from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pycompiler.functions import registry
from pycompiler.predicate.model import Call, Column, Literal, LiteralValue
from pycompiler.values.encoding import encode_value
from pycompiler.values.outcomes import Outcomes
from pycompiler.values.range_set import RangeSet
from pycompiler.values.types import HiveType

from .preimages import member_of

_STRING, _BIGINT, _DATE = HiveType("string"), HiveType("bigint"), HiveType("date")
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


def test_a_range_of_texts_says_nothing_of_integers() -> None:
    assert _preimage(_BIGINT, Outcomes(RangeSet.above(b"5", included=True), False)) is None


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
