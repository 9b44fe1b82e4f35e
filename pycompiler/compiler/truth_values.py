"""Which truth values of a predicate keep a file."""

from __future__ import annotations

from enum import IntFlag
from typing import Final

from pycompiler.predicate.model import Truth
from pycompiler.values.booleans import FALSE, TRUE
from pycompiler.values.outcomes import Outcomes
from pycompiler.values.range_set import RangeSet


class Truths(IntFlag):
    """A set of truth values, with the bits that a TERM has in the IDL."""

    NONE = 0
    TRUE = 1
    FALSE = 2
    NULL = 4
    ALL = 7

    @staticmethod
    def among(outcomes: Outcomes) -> Truths:
        """The truth values that are in a set of boolean outcomes."""
        wanted = Truths.NULL if outcomes.null else Truths.NONE
        if TRUE in outcomes.values:
            wanted |= Truths.TRUE
        if FALSE in outcomes.values:
            wanted |= Truths.FALSE
        return wanted

    @property
    def opposite(self) -> Truths:
        """What NOT makes of them: NULL stays NULL."""
        swapped = self & Truths.NULL
        if self & Truths.TRUE:
            swapped |= Truths.FALSE
        if self & Truths.FALSE:
            swapped |= Truths.TRUE
        return swapped

    def outcomes(self) -> Outcomes:
        """The same as outcomes of boolean type."""
        values = [value for bit, value in ((Truths.FALSE, FALSE), (Truths.TRUE, TRUE)) if self & bit]
        return Outcomes(RangeSet.points(values), bool(self & Truths.NULL))

    def has(self, truth: Truth) -> bool:
        """Whether a truth value is among them."""
        return bool(self & _BITS[truth])


_BITS: Final = {Truth.TRUE: Truths.TRUE, Truth.FALSE: Truths.FALSE, Truth.NULL: Truths.NULL}
