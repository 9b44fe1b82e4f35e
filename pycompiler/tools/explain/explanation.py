"""Why a filter keeps or skips the file slices of a table, by the statistics that a query would use."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from pycompiler.compile.compiler.compile import Unused, compile_predicate
from pycompiler.compile.compiler.trace import Rewrite
from pycompiler.compile.expression.evaluator import FileStatistics, evaluate_nodes, leaf_keeps
from pycompiler.compile.expression.model import ColumnTest, Group, HudiExpression, Node
from pycompiler.compile.expression.statistics import ColumnStatistics
from pycompiler.compile.planner.keys import key_layout
from pycompiler.compile.predicate.build import is_not_true
from pycompiler.compile.predicate.model import Predicate
from pycompiler.compile.sql.from_sql import Dialect, QueryConstants, from_sql
from pycompiler.index.file_systems.location import Location
from pycompiler.table.files import FileSlice, TableFile
from pycompiler.tools.explain.advice import MUCH, Advice, Adviser, IndexedSlice, on_unused
from pycompiler.tools.explain.impossible_days import impossible_days
from pycompiler.tools.explain.known_table import KnownTable
from pycompiler.tools.explain.open_table import OpenTable, open_table
from pycompiler.tools.explain.partitions import PartitionVerdict, partition_verdict
from pycompiler.tools.explain.sample import ColumnReader

CONSTANT_RULE = "constant"
"""Rule name of the steps that fold constants of the query."""


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
class LeafVerdict:
    """One leaf's verdict on one file."""

    leaf: ColumnTest
    statistics: Mapping[str, ColumnStatistics | None]
    keeps: bool


@dataclass(frozen=True, slots=True)
class FileVerdict:
    """The expression's verdict on a file."""

    file: TableFile
    kept: bool
    expression: HudiExpression
    statistics: FileStatistics

    @property
    def path(self) -> str:
        """Path relative to the table."""
        return self.file.path

    def leaves(self) -> list[LeafVerdict]:
        """Each leaf's verdict on the file."""
        return [
            LeafVerdict(
                leaf,
                {column: self.statistics.get(column) for column, _ in leaf.columns},
                leaf_keeps(leaf, self.statistics),
            )
            for leaf in self.expression.leaves()
        ]


@dataclass(frozen=True, slots=True)
class SliceVerdict:
    """Whether a file slice is kept, and why."""

    slice: FileSlice
    kept: bool
    files: tuple[FileVerdict, ...]

    @property
    def path(self) -> str:
        """Path of its first file, relative to the table."""
        return self.slice.path


@dataclass(frozen=True, slots=True)
class Explanation:
    """A filter applied to a table.

    Attributes:
        source: Where the statistics come from, in the words of the handler's log.
        has_statistics: Whether the source has any.
        generation: Generation of the index; None if the table has no index.
        instant: Last instant that the source has seen; files that are not indexed are always kept.
        obstacles: Why Hudi's own statistics of a column are not used, or not for each file, by column; for a
            table without an index.
        predicate: The filter as understood.
        expression: The compiled filter.
        nodes: The expression from the root down, children after their parent.
        unused: Terms that skip nothing.
        rewrites: The compilation steps, constant folding first.
        reads_clock: Whether the filter uses the time of the query.
        impossible_days: Constants of the filter that Hive reads as NULL, because they name no day.
        files_live: Number of files that the table had at `instant`.
        slices: The verdict on each current file slice, by path of its first file.
        complete: False if there may be more slices, because the index does not cover archived commits.
        mixing: The table property by which a row may combine several records, so that no slice with logs is
            skipped; empty if every row is one record.
        slices_covered: Number of slices that are kept and in which every row matches: with
            `hudi.skipping.counts`, a query that only counts rows does not open them.
        advice: Why parts of the filter keep many files, if they do.
        partitions: Which partitions the filter can match; None for a table without partitions or an index.
    """

    source: str
    has_statistics: bool
    generation: int | None
    instant: str
    obstacles: Mapping[str, str]
    predicate: Predicate
    expression: HudiExpression
    nodes: tuple[NodeVerdict, ...]
    unused: tuple[Unused, ...]
    rewrites: tuple[Rewrite, ...]
    reads_clock: bool
    impossible_days: tuple[str, ...]
    files_live: int
    slices: Mapping[str, SliceVerdict]
    complete: bool
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

    @property
    def slices_with_logs(self) -> int:
        """Number of slices with log files."""
        return sum(bool(verdict.slice.logs) for verdict in self.slices.values())

    @property
    def slices_with_logs_without_statistics(self) -> int:
        """Number of slices kept because an indexed log file has no statistics."""
        return sum(
            any(
                of_file.file.indexed and not of_file.statistics
                for of_file in verdict.files
                if of_file.file in verdict.slice.logs
            )
            for verdict in self.slices.values()
        )

    @property
    def bytes_kept(self) -> int:
        """Bytes of the slices that a query would read."""
        return sum(verdict.slice.size for verdict in self.slices.values() if verdict.kept)

    @property
    def bytes_total(self) -> int:
        """Bytes of all slices."""
        return sum(verdict.slice.size for verdict in self.slices.values())


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

    Raises:
        IndexUnavailableError: The index is unusable.
        TableUnreadableError: The table's properties or timeline cannot be read, or need a newer release.
        ExplanationError: The newest file of the table cannot be read; or the table has no index, and Java,
            PySpark or the handler's jar is missing, or the metadata table cannot be read.
        SqlPredicateError: The condition is invalid, or names an unknown column.
        FilterTooLargeError: The condition is too long.
    """
    with open_table(table, is_read_optimized=is_read_optimized) as opened:
        return _explain(table, opened, where, dialect, now)


def _explain(table: Location, opened: OpenTable, where: str, dialect: Dialect, now: datetime) -> Explanation:
    properties, known = opened.properties, opened.known
    slices = known.slices
    has_index = known.generation is not None
    query = QueryConstants(now)
    schema = opened.schema
    predicate = from_sql(where, schema, dialect=dialect, query=query)
    compilation = compile_predicate(predicate, trace=True)
    expression = compilation.expression
    read = known.statistics(expression.columns())
    statistics = read.by_file
    votes = evaluate_nodes(expression, list(statistics.values()))
    kept_by = [dict(zip(statistics, vote, strict=True)) for vote in votes]
    verdicts = {}
    for each in slices:
        files = tuple(
            FileVerdict(file, kept_by[-1][file], expression, statistics[file]) for file in each.files
        )
        verdicts[each.path] = SliceVerdict(each, opened.keeps(each, kept_by[-1]), files)
    slices_kept = [sum(any(of_node[file] for file in each.files) for each in slices) for of_node in kept_by]
    impossible = impossible_days(predicate)
    advice: list[Advice] = []
    if sum(verdict.kept for verdict in verdicts.values()) > MUCH * len(slices):
        skippable = [
            IndexedSlice(each, tuple(statistics[file] for file in each.files))
            for each in slices
            if each.indexed and not (each.logs and properties.mixing)
        ]
        adviser = Adviser(skippable, str(table), ColumnReader(table), has_index=has_index)
        advice = [
            *adviser.on_leaves(expression.leaves()),
            *on_unused(compilation.unused, impossible),
        ]
    layout = key_layout(properties.partition_columns, schema)
    partitions = None
    # Without an index, a query makes no plan.
    if layout is not None and has_index:
        of_keys = known.statistics(frozenset(column.name for column in layout.columns)).by_file
        partitions = partition_verdict(expression, layout, slices, of_keys, is_mixing=bool(properties.mixing))
    return Explanation(
        source=known.source,
        has_statistics=known.has_statistics,
        generation=known.generation,
        instant=known.instant,
        obstacles=read.obstacles,
        predicate=predicate,
        expression=expression,
        nodes=_from_the_root(expression, slices_kept),
        unused=compilation.unused,
        rewrites=(
            *(Rewrite(CONSTANT_RULE, step.call, step.constant) for step in query.steps),
            *compilation.rewrites,
        ),
        reads_clock=query.uses_current_time,
        impossible_days=impossible,
        files_live=known.files_live,
        slices=verdicts,
        complete=known.complete,
        mixing=properties.mixing,
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
