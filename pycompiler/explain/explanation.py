"""Why a filter keeps or skips the file slices of a table, by its index and its timeline alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from pycompiler.compiler.compile import Unused, compile_predicate
from pycompiler.compiler.trace import Rewrite
from pycompiler.explain.advice import MUCH, Advice, advice
from pycompiler.explain.columns import schema_of
from pycompiler.explain.partitions import PartitionVerdict, partition_verdict
from pycompiler.expression.evaluator import FileStatistics, evaluate_nodes, leaf_keeps
from pycompiler.expression.model import ColumnTest, Group, HudiExpression, Node
from pycompiler.expression.statistics import ColumnStatistics
from pycompiler.index.index import StatisticsIndex
from pycompiler.index.storage.location import Location
from pycompiler.planner.keys import KeyLayout, key_layout
from pycompiler.predicate.model import Predicate
from pycompiler.sql.from_sql import Dialect, QueryConstants, from_sql
from pycompiler.table.files import FileSlice, TableFile, TableSlices, table_slices
from pycompiler.table.properties import TableProperties
from pycompiler.table.timeline import Timeline

CONSTANT_RULE = "constant"
"""What the steps are called in which constants of the query become one."""


@dataclass(frozen=True, slots=True)
class NodeVerdict:
    """A node of the expression.

    Attributes:
        node: The node.
        depth: 0 for the root.
        kept: Slices of which the subtree of the node keeps a file.
    """

    node: Node
    depth: int
    kept: int


@dataclass(frozen=True, slots=True)
class LeafVerdict:
    """What one leaf says about one file.

    Attributes:
        leaf: The leaf.
        statistics: What the index has on the leaf's first column; None if nothing.
        keeps: Whether the leaf keeps the file.
    """

    leaf: ColumnTest
    statistics: Mapping[str, ColumnStatistics | None]
    keeps: bool


@dataclass(frozen=True, slots=True)
class FileVerdict:
    """What the expression says about a file, and why.

    Attributes:
        file: The file.
        kept: Whether it may have a row that matches.
        expression: The expression that decides.
        statistics: Statistics of the file, by column.
    """

    file: TableFile
    kept: bool
    expression: HudiExpression
    statistics: FileStatistics

    @property
    def path(self) -> str:
        """Path relative to the table."""
        return self.file.path

    @property
    def says_nothing(self) -> bool:
        """Whether the index knows the file, and nothing of the columns of the expression in it."""
        return self.file.indexed and not self.statistics

    def leaves(self) -> list[LeafVerdict]:
        """What each leaf of the expression says about the file."""
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
    """Whether a file slice is kept, and why.

    Attributes:
        slice: The slice.
        kept: Whether a query would read it.
        files: The verdict on each of its files, the base file first.
    """

    slice: FileSlice
    kept: bool
    files: tuple[FileVerdict, ...]

    @property
    def path(self) -> str:
        """Path of its first file, relative to the table."""
        return self.slice.path


@dataclass(frozen=True, slots=True)
class Explanation:
    """A filter over a table.

    Attributes:
        generation: Generation of the index.
        instant: Last instant that the index has seen; files that it does not know are always kept.
        predicate: The filter as it was understood.
        expression: What it was compiled to.
        nodes: The expression from the root down, children after their parent.
        unused: Terms that skip nothing.
        rewrites: The steps of the compilation, those that fold constants first.
        reads_clock: Whether the filter asks for the time of the query.
        files_live: Files that the table had at `instant`.
        slices: Verdict for each file slice that the table has now, by path of its first file.
        complete: False if the table may have more slices: commits that the index has not seen are archived.
        mixing: The property of the table by which one row may be made of several records, so that no slice
            with logs is skipped; empty if every row is one record.
        advice: Why parts of the filter keep many files, if the filter does.
        partitions: Which partitions the filter can match; None for a table without partition columns.
    """

    generation: int
    instant: str
    predicate: Predicate
    expression: HudiExpression
    nodes: tuple[NodeVerdict, ...]
    unused: tuple[Unused, ...]
    rewrites: tuple[Rewrite, ...]
    reads_clock: bool
    files_live: int
    slices: Mapping[str, SliceVerdict]
    complete: bool
    mixing: str
    advice: tuple[Advice, ...]
    partitions: PartitionVerdict | None

    @property
    def slices_kept(self) -> int:
        """How many file slices a query would read."""
        return sum(verdict.kept for verdict in self.slices.values())

    @property
    def slices_not_indexed(self) -> int:
        """How many slices the index does not know as they are; a query reads them all."""
        return sum(not verdict.slice.indexed for verdict in self.slices.values())

    @property
    def slices_with_logs(self) -> int:
        """How many slices have log files."""
        return sum(bool(verdict.slice.logs) for verdict in self.slices.values())

    @property
    def slices_kept_by_silent_logs(self) -> int:
        """How many slices are kept because the index has no statistics of a log file that it knows."""
        return sum(
            any(file.says_nothing for file in verdict.files if file.file in verdict.slice.logs)
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
    """Explains a condition over a table.

    Args:
        table: Root of the table.
        where: The condition, without the word WHERE.
        dialect: Whose SQL it is.
        now: When the query begins, in the time zone of Hive's session.
        is_read_optimized: Whether log files are left out, as through a table that hive sync calls `…_ro`.

    Raises:
        IndexUnavailableError: There is no index, or it cannot be used.
        TableUnreadableError: The table's properties or timeline cannot be read, or have what is not known to
            this release.
        ExplanationError: The newest file of the table cannot be read.
        SqlPredicateError: The condition is not one, or names an unknown column.
        FilterTooLargeError: The condition is too long.
    """
    properties = TableProperties.read(table)
    properties.require_readable(table)
    index = StatisticsIndex.open(str(table))
    # The timeline after the index: what an update publishes meanwhile is then at worst seen as not indexed.
    manifest = index.manifest
    timeline = Timeline(table, properties)
    found = table_slices(table, timeline, index.files().values(), manifest.instant, manifest.timeline)
    slices = _base_files(found) if is_read_optimized else found.slices
    query = QueryConstants(now)
    schema = schema_of(table, timeline, slices)
    predicate = from_sql(where, schema, dialect=dialect, query=query)
    compilation = compile_predicate(predicate, trace=True)
    expression = compilation.expression
    files = [(place, file) for place, each in enumerate(slices) for file in each.files]
    statistics = _statistics(index, [file for _, file in files], expression.columns())
    votes = evaluate_nodes(expression, statistics)
    verdicts: list[list[FileVerdict]] = [[] for _ in slices]
    for (place, file), keep, of_file in zip(files, votes[-1], statistics, strict=True):
        verdicts[place].append(FileVerdict(file, keep, expression, of_file))
    # Sound where each row of the slice is a row of one of its files (docs/format.md, section 2).
    kept = [
        bool(each.logs and properties.mixing) or any(file.kept for file in of_slice)
        for each, of_slice in zip(slices, verdicts, strict=True)
    ]
    layout = key_layout(properties.partition_columns, schema)
    known = [of_file for (_, file), of_file in zip(files, statistics, strict=True) if file.indexed]
    return Explanation(
        generation=index.generation,
        instant=manifest.instant,
        predicate=predicate,
        expression=expression,
        nodes=_from_the_root(expression, [_slices_kept(files, vote) for vote in votes]),
        unused=compilation.unused,
        rewrites=(
            *(Rewrite(CONSTANT_RULE, step.call, step.constant) for step in query.steps),
            *compilation.rewrites,
        ),
        reads_clock=query.is_asked_for_time,
        files_live=manifest.live.files,
        slices={
            each.path: SliceVerdict(each, keep, tuple(of_slice))
            for each, keep, of_slice in zip(slices, kept, verdicts, strict=True)
        },
        complete=found.complete,
        mixing=properties.mixing,
        advice=advice(expression.leaves(), compilation.unused, known, str(table), manifest.kinds)
        if sum(kept) > MUCH * len(slices)
        else (),
        partitions=None if layout is None else _partitions(index, expression, layout, slices, properties),
    )


def _base_files(found: TableSlices) -> tuple[FileSlice, ...]:
    return tuple(FileSlice(each.base) for each in found.slices if each.base is not None)


def _partitions(
    index: StatisticsIndex,
    expression: HudiExpression,
    layout: KeyLayout,
    slices: Sequence[FileSlice],
    properties: TableProperties,
) -> PartitionVerdict:
    files = [file for each in slices for file in each.files]
    statistics = _statistics(index, files, frozenset(column.name for column in layout.columns))
    known = dict(zip(files, statistics, strict=True))
    return partition_verdict(expression, layout, slices, known, is_mixing=bool(properties.mixing))


def _slices_kept(files: Sequence[tuple[int, TableFile]], votes: Sequence[bool]) -> int:
    return len({place for (place, _), keep in zip(files, votes, strict=True) if keep})


def _statistics(
    index: StatisticsIndex, files: Sequence[TableFile], columns: frozenset[str]
) -> list[FileStatistics]:
    found = index.statistics(columns)
    return [
        {
            column: of_file[file.path].statistics
            for column, of_file in found.items()
            if file.indexed and file.path in of_file and of_file[file.path].file_size == file.size
        }
        for file in files
    ]


def _from_the_root(expression: HudiExpression, kept: Sequence[int]) -> tuple[NodeVerdict, ...]:
    """Turns the post-order list round, so that it reads from the root down and from left to right."""
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
