"""Which truth values of a predicate keep a file."""

from __future__ import annotations

from enum import IntFlag
from typing import Final

from pycompiler.predicate.model import Truth
from pycompiler.values.outcomes import Outcomes
from pycompiler.values.range_set import RangeSet

_FALSE, _TRUE = b"\x00", b"\x01"


class Wanted(IntFlag):
    """A set of truth values, with the bits that a TERM has in the IDL."""

    NONE = 0
    TRUE = 1
    FALSE = 2
    NULL = 4
    ALL = 7

    @staticmethod
    def among(outcomes: Outcomes) -> Wanted:
        """The truth values that are in a set of boolean outcomes."""
        wanted = Wanted.NULL if outcomes.null else Wanted.NONE
        if _TRUE in outcomes.values:
            wanted |= Wanted.TRUE
        if _FALSE in outcomes.values:
            wanted |= Wanted.FALSE
        return wanted

    @property
    def opposite(self) -> Wanted:
        """What NOT makes of them: NULL stays NULL."""
        swapped = self & Wanted.NULL
        if self & Wanted.TRUE:
            swapped |= Wanted.FALSE
        if self & Wanted.FALSE:
            swapped |= Wanted.TRUE
        return swapped

    def outcomes(self) -> Outcomes:
        """The same as outcomes of boolean type."""
        values = [value for bit, value in ((Wanted.FALSE, _FALSE), (Wanted.TRUE, _TRUE)) if self & bit]
        return Outcomes(RangeSet.points(values), bool(self & Wanted.NULL))

    def has(self, truth: Truth) -> bool:
        """Whether a truth value is among them."""
        return bool(self & _BITS[truth])


_BITS: Final = {Truth.TRUE: Wanted.TRUE, Truth.FALSE: Wanted.FALSE, Truth.NULL: Wanted.NULL}
