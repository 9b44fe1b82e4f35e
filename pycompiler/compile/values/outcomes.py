"""The possible outcomes of an expression: a set of values, with or without NULL."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pycompiler.compile.values.range_set import EMPTY, FULL, RangeSet


@dataclass(frozen=True, slots=True)
class Outcomes:
    """A set of values of one expression."""

    values: RangeSet
    null: bool

    @property
    def is_empty(self) -> bool:
        """Whether the set is empty."""
        return self.values.is_empty and not self.null

    @property
    def is_full(self) -> bool:
        """Whether the set holds every value and NULL."""
        return self.values.is_full and self.null

    def has(self, value: bytes | None) -> bool:
        """Whether a value, or NULL, is in the set."""
        return self.null if value is None else value in self.values

    def __or__(self, other: Outcomes) -> Outcomes:
        return Outcomes(self.values | other.values, self.null or other.null)

    def __and__(self, other: Outcomes) -> Outcomes:
        return Outcomes(self.values & other.values, self.null and other.null)

    @staticmethod
    def any_of(sets: Sequence[Outcomes]) -> Outcomes:
        """The union."""
        return Outcomes(RangeSet.any_of([part.values for part in sets]), any(part.null for part in sets))

    @staticmethod
    def all_of(sets: Sequence[Outcomes]) -> Outcomes:
        """The intersection of at least one set."""
        return Outcomes(RangeSet.all_of([part.values for part in sets]), all(part.null for part in sets))


NOTHING = Outcomes(EMPTY, False)
ANYTHING = Outcomes(FULL, True)
NULL_ONLY = Outcomes(EMPTY, True)
NOT_NULL = Outcomes(FULL, False)
