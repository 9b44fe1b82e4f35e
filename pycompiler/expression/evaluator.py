"""The reference evaluator: which files an expression keeps (docs/format.md, section 2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from pycompiler.expression.model import NULL_TESTS, Group, HudiExpression, Leaf, Never, Operator, Unknown
from pycompiler.expression.statistics import ColumnStatistics
from pycompiler.types import ValueKind, reads_without_loss

FileStatistics: TypeAlias = Mapping[str, ColumnStatistics]
"""Statistics of one file by column name; a column that is missing says nothing."""


def evaluate(expression: HudiExpression, files: Sequence[FileStatistics]) -> list[bool]:
    """Tells for each file whether it is kept: False only if no row of it can make the filter TRUE."""
    return evaluate_nodes(expression, files)[-1]


def evaluate_nodes(expression: HudiExpression, files: Sequence[FileStatistics]) -> list[list[bool]]:
    """Tells for each node, in the expression's order, which files the subtree below it keeps."""
    kept: list[list[bool]] = []
    roots: list[int] = []
    for node in expression.nodes:
        match node:
            case Leaf():
                votes = [leaf_keeps(node, statistics.get(node.column)) for statistics in files]
            case Unknown():
                votes = [True] * len(files)
            case Never():
                votes = [False] * len(files)
            case Group():
                # A row that makes AND TRUE makes every child TRUE, one that makes OR TRUE makes a child TRUE;
                # and that child keeps its file.
                join = all if node.operator is Operator.AND else any
                children = [kept[root] for root in roots[len(roots) - node.arity :]]
                del roots[len(roots) - node.arity :]
                votes = [join(of_file) for of_file in zip(*children, strict=True)]
        roots.append(len(kept))
        kept.append(votes)
    return kept


def leaf_keeps(leaf: Leaf, statistics: ColumnStatistics | None) -> bool:
    """Tells whether a leaf keeps a file with these statistics of its column."""
    if statistics is None or not reads_without_loss(statistics.type, leaf.type):
        return True
    if leaf.operator is Operator.IS_NULL:
        return statistics.null_count != 0
    if statistics.all_null:
        # No other test is TRUE for NULL.
        return False
    if leaf.operator in NULL_TESTS:
        return True
    lower, upper = _bounds(leaf, statistics)
    return _may_hold(leaf, lower, upper)


def _bounds(leaf: Leaf, statistics: ColumnStatistics) -> tuple[bytes | None, bytes | None]:
    if leaf.type.kind is ValueKind.FLOAT and statistics.nan_count != 0:
        # The bounds leave NaN out, and Hive orders it in two ways.
        return None, None
    return statistics.lower, statistics.upper


def _may_hold(leaf: Leaf, lower: bytes | None, upper: bytes | None) -> bool:
    first = leaf.values[0]
    match leaf.operator:
        case Operator.EQ | Operator.IN:
            # Skipped if no value of the list lies where all values of the column lie.
            return any((lower is None or lower <= v) and (upper is None or v <= upper) for v in leaf.values)
        case Operator.NE | Operator.NOT_IN:
            # Skipped if the column has one value only, and it is in the list.
            return lower is None or lower != upper or lower not in leaf.values
        case Operator.LT:
            # Skipped if lower >= v: every value is at least lower.
            return lower is None or lower < first
        case Operator.LTEQ:
            # Skipped if lower > v: every value is at least lower.
            return lower is None or lower <= first
        case Operator.GT:
            # Skipped if upper <= v: no value is above upper.
            return upper is None or upper > first
        case Operator.GTEQ:
            # Skipped if upper < v: no value is above upper.
            return upper is None or upper >= first
    raise AssertionError(f"not a test of values: {leaf.operator.name}")
