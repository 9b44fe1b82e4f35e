import math
import random
from collections.abc import Iterator

import pytest

from pycompiler.compile.functions import registry
from pycompiler.compile.predicate.model import Call, Column, Literal
from pycompiler.compile.values.encoding import encode_value
from pycompiler.compile.values.outcomes import Outcomes
from pycompiler.compile.values.range_set import RangeSet
from pycompiler.compile.values.types import HiveType, ValueKind

from .numbers import Case, cases, numbers_of
from .preimages import member_of, preimage, random_sets

pytestmark = pytest.mark.slow

_CASES = list(cases())
_BIGINT = HiveType.parse("bigint")
_NAN = RangeSet.point(encode_value(HiveType.parse("double"), math.nan))


def _wanted(results: list[bytes], seed: int, *, is_float: bool) -> Iterator[Outcomes]:
    """Sets of results, with NULL and without."""
    chosen = random.Random(seed)
    for _ in range(6):
        for values in random_sets(results, chosen):
            # NaN is wanted whatever numbers are: Hive compares it in two ways.
            outcomes = Outcomes(values | _NAN if is_float else values, chosen.random() < 0.3)
            if not outcomes.is_empty:
                yield outcomes


@pytest.mark.parametrize("case", _CASES, ids=str)
def test_every_number_whose_result_is_wanted_is_in_the_preimage(case: Case) -> None:
    pairs = []
    for number in numbers_of(case.source):
        result = case.in_hive(number)
        assert number is not None
        encoded = None if result is None else encode_value(case.call.type, result)
        pairs.append((number, encode_value(case.source, number), encoded))
    results = [encoded for _, _, encoded in pairs if encoded is not None]
    if not results:
        return
    for wanted in _wanted(results, len(results), is_float=case.call.type.kind is ValueKind.FLOAT):
        condition = member_of(case.call, wanted)
        if condition is None or isinstance(condition.operand, Literal):
            continue
        for number, stored, of_number in pairs:
            if wanted.has(of_number):
                assert condition.outcomes.has(stored), f"{number} is lost of {wanted}: {condition.outcomes}"


def test_the_preimage_of_a_bigint_that_wraps_has_both_ends_of_the_type() -> None:
    call = Call("+", _BIGINT, (Column("x", _BIGINT), Literal(_BIGINT, 1)))

    kept = preimage(call, Outcomes(RangeSet.below(encode_value(_BIGINT, 0), included=False), False))

    for number, expected in ((-2, True), (-1, False), (5, False), (2**63 - 1, True), (-(2**63), True)):
        assert kept.has(encode_value(_BIGINT, number)) is expected, f"{number} + 1 < 0"


def test_a_factor_with_more_wraps_than_can_be_counted_keeps_every_overflow() -> None:
    call = Call("*", _BIGINT, (Column("x", _BIGINT), Literal(_BIGINT, -(2**63))))
    kept = preimage(call, Outcomes(RangeSet.point(encode_value(_BIGINT, 5)), False))
    assert [kept.has(encode_value(_BIGINT, number)) for number in (0, 1, 3)] == [False, False, True]


def test_constants_are_added_as_hive_adds_them() -> None:
    arguments = (Literal(_BIGINT, 2), Literal(_BIGINT, 3))

    result = registry.evaluate(Call("-", _BIGINT, arguments), arguments)

    assert result == Literal(_BIGINT, -1)


def test_a_double_as_float_is_found_rounded_and_as_it_is() -> None:
    double, float_ = HiveType("double"), HiveType("float")
    near, nearest = 0.1, 0.10000000149011612
    call = Call("cast", float_, (Column("x", double),))
    for values in (
        RangeSet.point(encode_value(float_, nearest)),
        RangeSet.below(encode_value(float_, nearest), included=False),
    ):
        for wanted in (values, values.complement()):
            kept = preimage(call, Outcomes(wanted, False))
            in_rows, in_vectors = (
                encode_value(float_, nearest) in wanted,
                encode_value(double, near) in wanted,
            )
            assert kept.has(encode_value(double, near)) or not (in_rows or in_vectors), wanted
