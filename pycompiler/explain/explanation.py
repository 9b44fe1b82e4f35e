"""Why a filter keeps or skips the files of a table, worked out from its index and its timeline alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import pyarrow as pa
import pyarrow.parquet as pq

from pycompiler.compiler.compile import Unused, compile_predicate
from pycompiler.compiler.trace import Rewrite
from pycompiler.explain.advice import MUCH, Advice, advice
from pycompiler.expression.evaluator import FileStatistics, evaluate_nodes, leaf_keeps
from pycompiler.expression.model import ColumnTest, Group, HudiExpression, Node
from pycompiler.expression.statistics import ColumnStatistics
from pycompiler.index.index import StatisticsIndex
from pycompiler.index.records import WriteStatus
from pycompiler.index.storage.factory import open_source
from pycompiler.index.storage.location import Location
from pycompiler.predicate.model import Predicate
from pycompiler.sql.from_sql import Dialect, QueryConstants, from_sql
from pycompiler.statistics.errors import FooterError
from pycompiler.statistics.footer import read_records
from pycompiler.table.files import TableFile, table_files
from pycompiler.table.properties import TableProperties
from pycompiler.table.timeline import Timeline
from pycompiler.values.types import HiveType

CONSTANT_RULE = "constant"
"""What the steps are called in which constants of the query become one."""


class ExplanationError(Exception):
    """There is nothing that could be explained; the message says why."""


@dataclass(frozen=True, slots=True)
class NodeVerdict:
    """A node of the expression.

    Attributes:
        node: The node.
        depth: 0 for the root.
        kept: Files that the subtree of the node keeps.
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
    """Whether a file is kept, and why.

    Attributes:
        file: The file.
        kept: Whether a query would open it.
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
        files_live: Base files that the table had at `instant`.
        files: Verdict for each base file that the table has now, by path.
        complete: False if the table may have more files: commits that the index has not seen are archived.
        advice: Why parts of the filter keep many files, if the filter does.
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
    files: Mapping[str, FileVerdict]
    complete: bool
    advice: tuple[Advice, ...]

    @property
    def files_kept(self) -> int:
        """How many files a query would open."""
        return sum(verdict.kept for verdict in self.files.values())

    @property
    def files_not_indexed(self) -> int:
        """How many files the index does not know as they are; a query opens them all."""
        return sum(not verdict.file.indexed for verdict in self.files.values())

    @property
    def bytes_kept(self) -> int:
        """Bytes of the files that a query would open."""
        return sum(verdict.file.size for verdict in self.files.values() if verdict.kept)

    @property
    def bytes_total(self) -> int:
        """Bytes of all files."""
        return sum(verdict.file.size for verdict in self.files.values())


def explain_filter(table: Location, where: str, dialect: Dialect, now: datetime) -> Explanation:
    """Explains a condition over a table.

    Args:
        table: Root of the table.
        where: The condition, without the word WHERE.
        dialect: Whose SQL it is.
        now: When the query begins, in the time zone of Hive's session.

    Raises:
        IndexUnavailableError: There is no index, or it cannot be used.
        TableUnreadableError: The table's properties or timeline cannot be read.
        ExplanationError: The table is merge-on-read, or its newest file cannot be read.
        SqlPredicateError: The condition is not one, or names an unknown column.
        FilterTooLargeError: The condition is too long.
    """
    properties = TableProperties.read(table)
    if not properties.is_copy_on_write:
        raise ExplanationError(
            f"{table} is a merge-on-read table, whose file slices this command cannot list: ask Hive,"
            " with EXPLAIN or with hudi.skipping.explain=true"
        )
    index = StatisticsIndex.open(str(table))
    # The timeline after the index: what an update publishes meanwhile is then at worst seen as not indexed.
    instant = index.manifest.instant
    found = table_files(table, Timeline(table, properties), index.files().values(), instant)
    query = QueryConstants(now)
    predicate = from_sql(where, _schema(table, found.files), dialect=dialect, query=query)
    compilation = compile_predicate(predicate, trace=True)
    expression = compilation.expression
    statistics = _statistics(index, found.files, expression.columns())
    votes = evaluate_nodes(expression, statistics)
    known = [of_file for file, of_file in zip(found.files, statistics, strict=True) if file.indexed]
    keeps_much = sum(votes[-1]) > MUCH * len(found.files)
    return Explanation(
        generation=index.generation,
        instant=instant,
        predicate=predicate,
        expression=expression,
        nodes=_from_the_root(expression, [sum(vote) for vote in votes]),
        unused=compilation.unused,
        rewrites=(
            *(Rewrite(CONSTANT_RULE, step.call, step.constant) for step in query.steps),
            *compilation.rewrites,
        ),
        reads_clock=query.is_asked_for_time,
        files_live=index.manifest.live.files,
        files={
            file.path: FileVerdict(file, keep, expression, of_file)
            for file, keep, of_file in zip(found.files, votes[-1], statistics, strict=True)
        },
        complete=found.complete,
        advice=advice(expression.leaves(), compilation.unused, known, str(table), index.manifest.kinds)
        if keeps_much
        else (),
    )


def _schema(table: Location, files: Sequence[TableFile]) -> dict[str, HiveType] | None:
    """The columns of the newest file, indexed or not; one that is never indexed has Arrow's type name.

    Of a table without files they are not known.
    """
    newest = max(files, key=lambda file: file.commit_time, default=None)
    if newest is None:
        return None
    path = str(table.child(newest.path))
    partition, _, name = newest.path.rpartition("/")
    status = WriteStatus(partition, name.partition("_")[0], path, newest.size, newest.commit_time)
    try:
        with open_source(path) as source:
            fields = pq.read_schema(source)
        records = read_records(status)
    except (OSError, pa.ArrowException, FooterError) as error:
        raise ExplanationError(f"cannot read the columns of {path}: {error}") from error
    declared = {field.name.lower(): HiveType(str(field.type)) for field in fields}
    return declared | {record.column: record.type for record in records}


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
