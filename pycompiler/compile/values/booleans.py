"""Outcomes of boolean functions and conditions."""

from typing import Final

from pycompiler.compile.values.outcomes import NOTHING, NULL_ONLY, Outcomes
from pycompiler.compile.values.range_set import RangeSet

FALSE: Final = b"\x00"
TRUE: Final = b"\x01"

IS_TRUE: Final = Outcomes(RangeSet.point(TRUE), False)
IS_FALSE: Final = Outcomes(RangeSet.point(FALSE), False)
NOT_TRUE: Final = IS_FALSE | NULL_ONLY
NOT_FALSE: Final = IS_TRUE | NULL_ONLY


def chosen(
    wanted: Outcomes, if_true: Outcomes, if_false: Outcomes, if_null: Outcomes = NULL_ONLY
) -> Outcomes:
    """The argument outcomes that allow a wanted boolean result, given those that allow each result."""
    parts = ((TRUE, if_true), (FALSE, if_false), (None, if_null))
    return Outcomes.any_of([NOTHING, *(part for value, part in parts if wanted.has(value))])
