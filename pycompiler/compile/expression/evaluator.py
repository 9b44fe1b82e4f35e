"""The reference evaluator: decides which files an expression keeps (docs/inside/formats.md, section 2)."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from pycompiler.compile.expression.column_difference import difference_may_be_wanted
from pycompiler.compile.expression.column_pair import pair_may_be_true
from pycompiler.compile.expression.model import (
    ColumnDifference,
    ColumnPair,
    ColumnTest,
    Group,
    HiveTerm,
    HudiExpression,
    KindQuestion,
    Leaf,
    Never,
    Operator,
    Ranges,
    Unknown,
)
from pycompiler.compile.expression.single_column import may_be_true
from pycompiler.compile.expression.statistics import ColumnStatistics
from pycompiler.compile.values.types import HiveType

FileStatistics: TypeAlias = Mapping[str, ColumnStatistics]
"""One file's statistics by column name; a missing column tells nothing."""


def evaluate(expression: HudiExpression, files: Sequence[FileStatistics]) -> list[bool]:
    """For each file, whether it is kept: False only if no row can make the filter TRUE."""
    return evaluate_nodes(expression, files)[-1]


def evaluate_nodes(expression: HudiExpression, files: Sequence[FileStatistics]) -> list[list[bool]]:
    """For each node, in the expression's order, which files its subtree keeps."""
    kept: list[list[bool]] = []
    roots: list[int] = []
    for node in expression.nodes:
        match node:
            case Leaf() | Ranges() | ColumnPair() | ColumnDifference() | HiveTerm() | KindQuestion():
                votes = [leaf_keeps(node, statistics) for statistics in files]
            case Unknown():
                votes = [True] * len(files)
            case Never():
                votes = [False] * len(files)
            case Group():
                # A row that makes AND TRUE makes every child TRUE; one that makes OR TRUE makes some child
                # TRUE, which keeps the file.
                join = all if node.operator is Operator.AND else any
                children = [kept[root] for root in roots[len(roots) - node.arity :]]
                del roots[len(roots) - node.arity :]
                votes = [join(of_file) for of_file in zip(*children, strict=True)]
        roots.append(len(kept))
        kept.append(votes)
    return kept


def readable_statistics(
    statistics: FileStatistics, column: str, read_as: HiveType
) -> ColumnStatistics | None:
    """A column's statistics if they bound its values as they are read; None if nothing is known of these."""
    known = statistics.get(column)
    return None if known is None else known.read_as(read_as)


def leaf_keeps(leaf: ColumnTest, statistics: FileStatistics) -> bool:
    """Whether a leaf keeps a file with these statistics."""
    readable = []
    for column, read_as in leaf.columns:
        of_column = readable_statistics(statistics, column, read_as)
        if of_column is None:
            return True
        readable.append(of_column)
    match leaf:
        case Leaf() | Ranges():
            return may_be_true(leaf, readable[0])
        case ColumnPair():
            return pair_may_be_true(leaf, *readable)
        case ColumnDifference():
            return difference_may_be_wanted(leaf, *readable)
        case HiveTerm():
            # Only Hive can evaluate the term.
            return True
        case KindQuestion():
            if any(of_column.all_null for of_column in readable):
                # No row with a NULL in one of the question's columns matches.
                return False
            known = readable[-1]
            content = known.contents.get(leaf.kind)
            # A kind has seen instants where a timestamp is read as a number, so its answer is not about that.
            is_other = known.type.kind is not leaf.subject[1].kind
            # Skipped if the kind denies a match for all rows of the file.
            return is_other or content is None or content.may_match(leaf.question)
