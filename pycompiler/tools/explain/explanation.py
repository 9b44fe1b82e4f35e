"""Why a filter keeps or skips the file slices of a table, by the statistics that a query would use."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from pycompiler.compile.compiler.compile import Unused, compile_predicate
from pycompiler.compile.compiler.trace import Rewrite
from pycompiler.compile.expression.evaluator import evaluate_nodes
from pycompiler.compile.expression.model import Group, HudiExpression, Node
from pycompiler.compile.planner.keys import key_layout
from pycompiler.compile.predicate.build import is_not_true
from pycompiler.compile.predicate.model import Predicate
from pycompiler.compile.sql.from_sql import Dialect, QueryConstants, from_sql
from pycompiler.index.file_systems.location import Location
from pycompiler.tools.explain.advice import MUCH, Advice, Adviser, on_unused
from pycompiler.tools.explain.known_table import KnownTable
from pycompiler.tools.explain.open_table import OpenTable, open_table
from pycompiler.tools.explain.partitions import PartitionVerdict, partition_verdict
from pycompiler.tools.explain.sample import ColumnReader
from pycompiler.tools.explain.verdicts import FileVerdict, SliceVerdict


@dataclass(frozen=True, slots=True)
class NodeVerdict:
    """A node of the expression.

    Attributes:
        depth: 0 for the root.
        kept: Number of slices with a file that the node's subtree keeps.
    """

    node: Node
    depth: int
    kept: int


@dataclass(frozen=True, slots=True)
class Explanation:
    """A filter applied to a table.

    Attributes:
        known: The table's files and the source of the statistics. Files that are not indexed are always kept.
        obstacles: Why Hudi's own statistics of a column are not used, or not for each file, by column; for a
            table without an index.
        predicate: The filter as understood.
        nodes: The expression from the root down, children after their parent.
        unused: Terms that skip nothing.
        rewrites: The compilation steps, constant folding first.
        reads_clock: Whether the filter uses the time of the query.
        slices: The verdict on each current file slice, by path of its first file.
        mixing: The table property by which a row may combine several records, so that no slice with logs is
            skipped; empty if every row is one record.
        slices_covered: Number of slices that are kept and in which every row matches: with
            `hudi.skipping.counts`, a query that only counts rows does not open them.
        advice: Why parts of the filter keep many files, if they do.
        partitions: Which partitions the filter can match; None for a table without partitions or an index.
    """

    known: KnownTable
    obstacles: Mapping[str, str]
    predicate: Predicate
    expression: HudiExpression
    nodes: tuple[NodeVerdict, ...]
    unused: tuple[Unused, ...]
    rewrites: tuple[Rewrite, ...]
    reads_clock: bool
    slices: Mapping[str, SliceVerdict]
    mixing: str
    slices_covered: int
    advice: tuple[Advice, ...]
    partitions: PartitionVerdict | None

    @property
    def slices_kept(self) -> int:
        """Number of file slices that a query would read."""
        return sum(verdict.kept for verdict in self.slices.values())

    @property
    def slices_not_indexed(self) -> int:
        """Number of slices whose current files are not all indexed; queries always read them."""
        return sum(not verdict.slice.indexed for verdict in self.slices.values())


def explain_filter(
    table: Location, where: str, dialect: Dialect, now: datetime, *, is_read_optimized: bool = False
) -> Explanation:
    """Explains a condition on a table.

    If the table has no index, a Java process reads Hudi's own column statistics, as a query does.

    Args:
        table: Root of the table.
        where: The condition, without the word WHERE.
        dialect: The SQL dialect of the condition.
        now: When the query begins, in the time zone of Hive's session.
        is_read_optimized: Whether to ignore log files, as tables named `…_ro` by hive sync do.

    Raises the errors of `open_table`, and:

    Raises:
        SqlPredicateError: The condition is invalid, or names an unknown column.
        FilterTooLargeError: The condition is too long.
    """
    with open_table(table, is_read_optimized=is_read_optimized) as opened:
        return _explain(table, opened, where, dialect, now)


def _explain(table: Location, opened: OpenTable, where: str, dialect: Dialect, now: datetime) -> Explanation:
    known, mixing = opened.known, opened.properties.mixing
    has_index = known.generation is not None
    query = QueryConstants(now)
    predicate = from_sql(where, opened.schema, dialect=dialect, query=query)
    compilation = compile_predicate(predicate, trace=True)
    expression = compilation.expression
    read = known.statistics(expression.columns())
    votes = [
        dict(zip(read.by_file, vote, strict=True))
        for vote in evaluate_nodes(expression, list(read.by_file.values()))
    ]
    keeps = votes[-1]
    verdicts = {
        each.path: SliceVerdict(
            each,
            opened.keeps(each, keeps),
            tuple(FileVerdict(file, keeps[file], read.by_file[file]) for file in each.files),
        )
        for each in known.slices
    }
    advice: list[Advice] = []
    if sum(verdict.kept for verdict in verdicts.values()) > MUCH * len(verdicts):
        skippable = [
            each for each in verdicts.values() if each.slice.indexed and not (each.slice.logs and mixing)
        ]
        adviser = Adviser(skippable, str(table), ColumnReader(table), has_index=has_index)
        advice = [*adviser.on_leaves(expression.leaves()), *on_unused(compilation.unused)]
    layout = key_layout(opened.properties.partition_columns, opened.schema)
    partitions = None
    # Without an index, a query makes no plan.
    if layout is not None and has_index:
        of_keys = known.statistics(frozenset(column.name for column in layout.columns)).by_file
        partitions = partition_verdict(expression, layout, known.slices, of_keys, is_mixing=bool(mixing))
    return Explanation(
        known=known,
        obstacles=read.obstacles,
        predicate=predicate,
        expression=expression,
        nodes=_from_the_root(
            expression,
            [sum(any(vote[file] for file in each.files) for each in known.slices) for vote in votes],
        ),
        unused=compilation.unused,
        rewrites=(
            *(Rewrite("constant", step.call, step.constant) for step in query.steps),
            *compilation.rewrites,
        ),
        reads_clock=query.uses_current_time,
        slices=verdicts,
        mixing=mixing,
        slices_covered=_covered(predicate, known, verdicts) if has_index else 0,
        advice=tuple(advice),
        partitions=partitions,
    )


def _covered(predicate: Predicate, known: KnownTable, verdicts: Mapping[str, SliceVerdict]) -> int:
    """How many slices are kept, have no logs, and are excluded by `predicate IS NOT TRUE`."""
    opposite = compile_predicate(is_not_true(predicate)).expression
    may_not_match = known.statistics(opposite.columns()).keeps(opposite)
    return sum(
        verdicts[each.path].kept
        and each.indexed
        and not each.logs
        and not any(may_not_match[file] for file in each.files)
        for each in known.slices
    )


def _from_the_root(expression: HudiExpression, kept: Sequence[int]) -> tuple[NodeVerdict, ...]:
    """Reverses the post-order list, so that it runs from the root down and from left to right."""
    subtrees: list[int] = []
    children: list[list[int]] = []
    for position, node in enumerate(expression.nodes):
        arity = node.arity if isinstance(node, Group) else 0
        children.append(subtrees[len(subtrees) - arity :])
        del subtrees[len(subtrees) - arity :]
        subtrees.append(position)
    verdicts = []
    waiting = [(subtrees[0], 0)]
    while waiting:
        position, depth = waiting.pop()
        verdicts.append(NodeVerdict(expression.nodes[position], depth, kept[position]))
        waiting.extend((child, depth + 1) for child in reversed(children[position]))
    return tuple(verdicts)
