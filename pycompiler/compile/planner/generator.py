"""Turns a filter's expression into its plan."""

from functools import reduce

from pycompiler.compile.expression.model import (
    ColumnDifference,
    ColumnPair,
    ColumnTest,
    Group,
    HiveTerm,
    HudiExpression,
    Leaf,
    Never,
    Node,
    Operator,
    Ranges,
)
from pycompiler.compile.planner.keys import KeyLayout
from pycompiler.compile.planner.plans import FilterPlan, ScanPlan, union
from pycompiler.compile.values.outcomes import NOT_NULL, NULL_ONLY, Outcomes
from pycompiler.compile.values.range_set import RangeSet


class PartitionFilterGenerator:
    """Plans the leaves of an expression, and combines them by AND and OR.

    Proof: the expression keeps a file whenever one of its rows makes the filter TRUE, for any true statistics
        of the file. If the files of a partition have one value in each partition column, these values are
        such statistics, so a partition that they exclude has no such row. Leaves on other columns exclude
        nothing.
    """

    def __init__(self, layout: KeyLayout) -> None:
        self._layout = layout
        self._columns = {column.name: place for place, column in enumerate(layout.columns)}

    def plan(self, expression: HudiExpression) -> FilterPlan:
        """The partitions that the expression keeps by their key values."""
        plans: list[FilterPlan] = []
        for node in expression.nodes:
            if isinstance(node, Group):
                parts = plans[len(plans) - node.arity :]
                del plans[len(plans) - node.arity :]
                plans.append(self._group(node.operator, parts))
            else:
                plans.append(self._leaf(node))
        (root,) = plans
        return root

    def _group(self, operator: Operator, parts: list[FilterPlan]) -> FilterPlan:
        if operator is Operator.AND:
            # Narrow plans first: then many pairs with the others are empty.
            return reduce(FilterPlan.and_, sorted(parts, key=lambda part: len(part.members)))
        return union(self._layout, [plan for part in parts for plan in part.members])

    def _leaf(self, node: Node) -> FilterPlan:
        whole = ScanPlan.whole(self._layout)
        match node:
            case Leaf() | Ranges() if self._has(node):
                outcomes = outcomes_of(node)
                if outcomes.is_empty:
                    return FilterPlan(self._layout, ())
                place = self._columns[node.column]
                wanted = (*whole.wanted[:place], outcomes, *whole.wanted[place + 1 :])
                return FilterPlan(self._layout, (ScanPlan(self._layout, wanted),))
            case ColumnPair() | ColumnDifference() | HiveTerm() if self._has(node):
                return FilterPlan(self._layout, (ScanPlan(self._layout, whole.wanted, ((node,),)),))
            case Never():
                return FilterPlan(self._layout, ())
        return FilterPlan(self._layout, (whole,))

    def _has(self, leaf: ColumnTest) -> bool:
        """Whether all columns of a leaf are in the key, with the type that the leaf reads."""
        return all(
            name in self._columns and self._layout.columns[self._columns[name]].type == read_as
            for name, read_as in leaf.columns
        )


def outcomes_of(test: Leaf | Ranges) -> Outcomes:
    """The values for which a test of one column is TRUE."""
    if isinstance(test, Ranges):
        return Outcomes(test.ranges, False)
    match test.operator:
        case Operator.IS_NULL:
            return NULL_ONLY
        case Operator.IS_NOT_NULL:
            return NOT_NULL
        case Operator.EQ | Operator.IN:
            return Outcomes(RangeSet.points(test.values), False)
        case Operator.NE | Operator.NOT_IN:
            return Outcomes(RangeSet.points(test.values).complement(), False)
        case Operator.LT | Operator.LTEQ as operator:
            return Outcomes(RangeSet.below(test.values[0], included=operator is Operator.LTEQ), False)
        case Operator.GT | Operator.GTEQ as operator:
            return Outcomes(RangeSet.above(test.values[0], included=operator is Operator.GTEQ), False)
    raise AssertionError(f"not a test of one column: {test.operator.name}")
