from hypothesis import given, settings
from hypothesis import strategies as st

from pycompiler.compile.values.outcomes import ANYTHING, NOT_NULL, NOTHING, NULL_ONLY, Outcomes

from .test_range_set import PROBES, sets

PROPERTY = settings(max_examples=300)
outcomes = st.builds(Outcomes, sets, st.booleans())


def members(drawn: Outcomes) -> list[bool]:
    return [drawn.has(value) for value in (None, *PROBES)]


@PROPERTY
@given(st.lists(outcomes, min_size=1, max_size=3))
def test_outcomes_combine_by_value_and_null(drawn: list[Outcomes]) -> None:
    each = list(zip(*map(members, drawn), strict=True))
    assert members(Outcomes.any_of(drawn)) == [any(of_value) for of_value in each]
    assert members(Outcomes.all_of(drawn)) == [all(of_value) for of_value in each]
    assert drawn[0] | drawn[-1] == Outcomes.any_of([drawn[0], drawn[-1]])
    assert drawn[0] & drawn[-1] == Outcomes.all_of([drawn[0], drawn[-1]])


@PROPERTY
@given(outcomes)
def test_empty_and_full_outcomes_are_recognized(drawn: Outcomes) -> None:
    assert drawn.is_empty is (drawn == NOTHING)
    assert drawn.is_full is (drawn == ANYTHING)


def test_null_is_not_a_value() -> None:
    assert members(NULL_ONLY) == [True] + [False] * len(PROBES)
    assert NULL_ONLY | NOT_NULL == ANYTHING
