"""The truth values of a predicate that keep a file."""

from __future__ import annotations

from enum import IntFlag

from pycompiler.compile.values.booleans import FALSE, TRUE
from pycompiler.compile.values.outcomes import Outcomes
from pycompiler.compile.values.range_set import RangeSet


class Truths(IntFlag):
    """A set of truth values, with the bits of a TERM in the IDL."""

    NONE = 0
    TRUE = 1
    FALSE = 2
    NULL = 4
    ALL = 7

    @staticmethod
    def among(outcomes: Outcomes) -> Truths:
        """The truth values in a set of boolean outcomes."""
        wanted = Truths.NULL if outcomes.null else Truths.NONE
        if TRUE in outcomes.values:
            wanted |= Truths.TRUE
        if FALSE in outcomes.values:
            wanted |= Truths.FALSE
        return wanted

    @property
    def opposite(self) -> Truths:
        """The truth values after NOT; NULL stays NULL."""
        if_true = Truths.FALSE if self & Truths.TRUE else Truths.NONE
        if_false = Truths.TRUE if self & Truths.FALSE else Truths.NONE
        return self & Truths.NULL | if_true | if_false

    def outcomes(self) -> Outcomes:
        """The truth values as boolean outcomes."""
        values = [value for bit, value in ((Truths.FALSE, FALSE), (Truths.TRUE, TRUE)) if self & bit]
        return Outcomes(RangeSet.points(values), bool(self & Truths.NULL))

    def has(self, truth: bool | None) -> bool:
        """Whether the set has a truth value; None is NULL."""
        if truth is None:
            return bool(self & Truths.NULL)
        return bool(self & (Truths.TRUE if truth else Truths.FALSE))
