"""From a filter to its plan. Two entries, a filter string and Hive's typed expression, and one planner."""

from __future__ import annotations

from functools import reduce

from pycompiler.compiler.compile import compile_predicate
from pycompiler.expression.model import (
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
from pycompiler.planner.keys import KeyLayout
from pycompiler.planner.plans import FilterPlan, MultiScanPlan, ScanPlan, union
from pycompiler.predicate.from_filter_tree import from_filter_tree
from pycompiler.predicate.model import Predicate
from pycompiler.predicate.schema import Schema
from pycompiler.sql.from_sql import Dialect, from_sql
from pycompiler.thrift_gen import ttypes
from pycompiler.values.outcomes import NOT_NULL, NULL_ONLY, Outcomes
from pycompiler.values.range_set import RangeSet


def plan_by_filter(
    text: str, layout: KeyLayout, schema: Schema | None = None, dialect: Dialect = Dialect.HIVE
) -> FilterPlan:
    """Plans a condition that is given as text, as `getPartitionsByFilter` does.

    Args:
        text: The condition, without the word WHERE.
        layout: How the table's keys are made.
        schema: The table's columns; None if it has none but the partition columns.
        dialect: Whose SQL it is.

    Raises:
        SqlPredicateError: The text is not one condition, or names a column that is not in the schema.
        FilterTooLargeError: The text, or an IN in it, is too long.
    """
    columns = {column.name: column.type for column in layout.columns} if schema is None else schema
    return plan_predicate(from_sql(text, columns, dialect=dialect), layout)


def plan_by_expression(
    tree: ttypes.FilterTree, layout: KeyLayout, schema: Schema | None = None
) -> FilterPlan:
    """Plans Hive's typed expression, as `getPartitionsByExpr` does, without a text in between.

    Raises:
        MalformedFilterError: It is not one well-formed tree.
        FilterTooLargeError: It exceeds a limit.
    """
    return plan_predicate(from_filter_tree(tree, schema), layout)


def plan_predicate(predicate: Predicate, layout: KeyLayout) -> FilterPlan:
    """Plans a filter."""
    return PartitionFilterGenerator(layout).plan(compile_predicate(predicate).expression)


class PartitionFilterGenerator:
    """Makes the plan of an expression: of its leaves first, then by AND and OR of what stands above them.

    Proof: the expression keeps a file whenever a row of it makes the filter TRUE, for any statistics that are
    true of the file. In a partition whose files have one value in each partition column these values are such
    statistics, so that a partition which they exclude has no such row. A leaf that is not about partition
    columns alone excludes none.
    """

    def __init__(self, layout: KeyLayout) -> None:
        self._layout = layout
        self._columns = {column.name: place for place, column in enumerate(layout.columns)}

    def plan(self, expression: HudiExpression) -> FilterPlan:
        """The partitions that the expression keeps by the values of their keys."""
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
            # The narrow ones first: many of the pairs of the others are then empty.
            return reduce(FilterPlan.and_, sorted(parts, key=lambda part: len(part.plans())))
        return union(self._layout, [plan for part in parts for plan in part.plans()])

    def _leaf(self, node: Node) -> FilterPlan:
        whole = ScanPlan.whole(self._layout)
        match node:
            case Leaf() | Ranges() if self._has(node):
                outcomes = _outcomes(node)
                if outcomes.is_empty:
                    return MultiScanPlan(self._layout, ())
                place = self._columns[node.column]
                return ScanPlan(self._layout, (*whole.wanted[:place], outcomes, *whole.wanted[place + 1 :]))
            case ColumnPair() | HiveTerm() if self._has(node):
                return ScanPlan(self._layout, whole.wanted, ((node,),))
            case Never():
                return MultiScanPlan(self._layout, ())
        return whole

    def _has(self, leaf: ColumnTest) -> bool:
        """Whether all columns of a leaf are in the key, as what the leaf reads them as."""
        return all(
            name in self._columns and self._layout.columns[self._columns[name]].type == read_as
            for name, read_as in leaf.columns
        )


def _outcomes(test: Leaf | Ranges) -> Outcomes:
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
