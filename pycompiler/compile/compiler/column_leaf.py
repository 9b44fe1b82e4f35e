"""The simplest leaf for the values that a column may have."""

from dataclasses import dataclass, replace
from typing import Final

from pycompiler.compile.expression.model import Group, Leaf, Never, Node, Operator, Ranges, Unknown
from pycompiler.compile.values.ordinals import ordinals_of
from pycompiler.compile.values.outcomes import Outcomes
from pycompiler.compile.values.range_set import RangeSet
from pycompiler.compile.values.types import HiveType, ValueKind

TRUE_FOR_EVERY_ROW: Final = Unknown("the filter is true for every row")
_COUNTED: Final = (ValueKind.INTEGER, ValueKind.BOOLEAN, ValueKind.DATE, ValueKind.DECIMAL)


@dataclass(frozen=True, slots=True)
class Membership:
    """A column's stored value, or NULL, is one of the outcomes.

    In a conjunction, all memberships of a column apply to one value of a row, so they can be intersected; in
    a disjunction they can be united.

    Attributes:
        in_any_type: The values to keep in files that store a wider type. If `outcomes` comes from inverting a
            function on the column's own type, this is everything, because other values of the wider type may
            match too.
    """

    column: str
    type: HiveType
    outcomes: Outcomes
    in_any_type: Outcomes

    @property
    def is_impossible(self) -> bool:
        """Whether no row can have one of the outcomes. NaN is in no set, and may match any test."""
        return self.in_any_type.is_empty and self.type.kind is not ValueKind.FLOAT

    def nodes(self) -> tuple[Node, ...]:
        """The membership as post-order nodes of an expression."""
        outcomes = replace(self.outcomes, values=_without_gaps(self.type, self.outcomes.values))
        if outcomes.is_full:
            return (TRUE_FOR_EVERY_ROW,)
        if self.is_impossible:
            return (Never(),)
        if not outcomes.null:
            return (self._test(outcomes.values),)
        is_null = Leaf(Operator.IS_NULL, self.column, self.type)
        if outcomes.values.is_empty and self.type.kind is not ValueKind.FLOAT:
            return (is_null,)
        return (self._test(outcomes.values), is_null, Group(Operator.OR, 2))

    def _test(self, values: RangeSet) -> Node:
        if values.is_full:
            return Leaf(Operator.IS_NOT_NULL, self.column, self.type)
        points = values.as_points
        if points:
            return self._leaf(Operator.EQ if len(points) == 1 else Operator.IN, *points)
        points = values.complement().as_points
        if points:
            return self._leaf(Operator.NE if len(points) == 1 else Operator.NOT_IN, *points)
        if len(values.cuts) == 1:
            (cut,) = values.cuts
            if values.from_the_start:
                return self._leaf(Operator.LTEQ if cut.above else Operator.LT, cut.value)
            return self._leaf(Operator.GT if cut.above else Operator.GTEQ, cut.value)
        return Ranges(self.column, self.type, values)

    def _leaf(self, operator: Operator, *values: bytes) -> Leaf:
        return Leaf(operator, self.column, self.type, values)


def _without_gaps(hive_type: HiveType, values: RangeSet) -> RangeSet:
    """Drops ranges between adjacent values, such as integers above 3 and below 4.

    Proof: the leaf is tested only if the file's values have the column's type, which has no values in such a
    range.
    """
    ordinals = ordinals_of(hive_type)
    if ordinals is None or hive_type.kind not in _COUNTED:
        return values
    if hive_type.kind is not ValueKind.DECIMAL and values.as_points is not None:
        return values
    kept = [
        range_
        for range_ in values.ranges
        if range_.low is None or range_.high is None or ordinals.has_value_in(range_)
    ]
    return values if len(kept) == len(values.ranges) else RangeSet.of(kept)
