"""`%` and `pmod` by brute force; `number_function_values.json` holds Hive to the same results."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pycompiler.compile.predicate.model import Call, Column, Literal
from pycompiler.compile.values.encoding import encode_value
from pycompiler.compile.values.outcomes import Outcomes
from pycompiler.compile.values.range_set import End, Range, RangeSet
from pycompiler.compile.values.types import HiveType

from .preimages import member_of

_BITS = {"tinyint": 8, "int": 32, "bigint": 64}
_DIVISORS = (1, -1, 2, 7, -7, 10, 100, 86_400, 1_000_000, 2**31 - 1, -(2**31), 2**40, 2**63 - 1, -(2**63))


def _call(name: str, source: str, divisor: int) -> Call:
    result = "bigint" if source == "bigint" or not -(2**31) <= divisor < 2**31 else "int"
    hive_type = HiveType(result)
    return Call(name, hive_type, (Column("x", HiveType(source)), Literal(hive_type, divisor)))


def _in_hive(name: str, number: int, divisor: int) -> int:
    remainder = int(math.copysign(1, number)) * (abs(number) % abs(divisor))
    if name == "%":
        return remainder
    total = remainder + divisor
    return int(math.copysign(1, total)) * (abs(total) % abs(divisor))


@st.composite
def _cases(draw: st.DrawFn) -> tuple[str, int, int, RangeSet]:
    source = draw(st.sampled_from(sorted(_BITS)))
    divisor = draw(st.sampled_from(_DIVISORS) | st.integers(1, 2000))
    least, most = -(1 << (_BITS[source] - 1)), (1 << (_BITS[source] - 1)) - 1
    near = st.integers(-300, 300).map(lambda blocks: min(max(blocks * divisor, least), most))
    number = draw(st.integers(least, most) | st.integers(-120, 120) | near | st.just(least) | st.just(most))
    results = st.integers(-abs(divisor) - 1, abs(divisor) + 1) | st.integers(-12, 12)
    low, high = sorted((draw(results), draw(results)))
    low, high = (min(max(end, -(2**63)), 2**63 - 1) for end in (low, high))
    ends = (End(encode_value(HiveType("bigint"), end), draw(st.booleans())) for end in (low, high))
    values = RangeSet.of([Range(*ends)])
    return source, divisor, number, draw(st.sampled_from([values, values.complement()]))


@given(_cases(), st.sampled_from(["%", "pmod"]))
def test_an_integer_with_a_wanted_remainder_is_kept(case: tuple[str, int, int, RangeSet], name: str) -> None:
    source, divisor, number, values = case
    call = _call(name, source, divisor)

    condition = member_of(call, Outcomes(values, False))

    if condition is None:
        assert name == "pmod", "% has a rule for every divisor"
        return
    assert divisor != 0
    stored = encode_value(HiveType(source), number)
    result = _in_hive(name, number, divisor)
    is_wanted = encode_value(call.type, result) in values
    if is_wanted:
        assert condition.outcomes.has(stored), f"{number} {name} {divisor} is {result}, and is lost"
    elif abs(number) < 100 * abs(divisor) and len(values.ranges) < 3:
        assert not condition.outcomes.has(stored), f"{number} {name} {divisor} is {result}: kept for nothing"


@pytest.mark.parametrize("divisor", [0, -7, 2**30, 2**31 - 1])
def test_pmod_has_no_rule_where_its_sum_may_overflow_or_signs_differ(divisor: int) -> None:
    wanted = Outcomes(RangeSet.point(encode_value(HiveType("int"), 3)), False)
    assert member_of(_call("pmod", "int", divisor), wanted) is None


def test_a_remainder_by_zero_is_null() -> None:
    call = _call("%", "int", 0)
    for null in (False, True):
        wanted = Outcomes(RangeSet.point(encode_value(HiveType("int"), 3)), null)
        condition = member_of(call, wanted)
        assert condition is not None and condition.operand == Literal(HiveType("int"), None)
        assert condition.outcomes == wanted


def test_a_remainder_beyond_the_divisor_is_of_no_integer() -> None:
    for name, result in (("%", 10), ("%", -10), ("pmod", -1), ("pmod", 10)):
        wanted = Outcomes(RangeSet.point(encode_value(HiveType("int"), result)), False)
        condition = member_of(_call(name, "int", 10), wanted)
        assert condition is not None and condition.outcomes.is_empty, f"{name} 10 is never {result}"
