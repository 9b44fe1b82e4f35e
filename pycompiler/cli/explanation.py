"""Why a filter keeps or skips the files of a table, worked out from the index alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.parquet as pq

from pycompiler.compiler.compile import Unused, compile_predicate
from pycompiler.compiler.trace import Rewrite
from pycompiler.expression.evaluator import FileStatistics, evaluate_nodes, leaf_keeps
from pycompiler.expression.model import ColumnTest, Group, HudiExpression, Node
from pycompiler.expression.statistics import ColumnStatistics
from pycompiler.index.errors import FooterError
from pycompiler.index.footer import read_records
from pycompiler.index.index import StatisticsIndex
from pycompiler.index.location import Location
from pycompiler.index.opening import open_source
from pycompiler.index.records import IndexedFile, WriteStatus
from pycompiler.predicate.from_sql import Dialect, from_sql
from pycompiler.predicate.model import Predicate
from pycompiler.types import HiveType


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
        path: Path relative to the table.
        kept: Whether a query would open it.
        expression: The expression that decides.
        statistics: Statistics of the file, by column.
    """

    path: str
    kept: bool
    expression: HudiExpression
    statistics: FileStatistics

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
        instant: Last instant that the index has seen; files written later are always kept.
        predicate: The filter as it was understood.
        expression: What it was compiled to.
        nodes: The expression from the root down, children after their parent.
        unused: Terms that skip nothing.
        rewrites: The steps of the compilation.
        files_live: Base files that the table had at `instant`.
        files: Verdict for each file, by path.
    """

    generation: int
    instant: str
    predicate: Predicate
    expression: HudiExpression
    nodes: tuple[NodeVerdict, ...]
    unused: tuple[Unused, ...]
    rewrites: tuple[Rewrite, ...]
    files_live: int
    files: Mapping[str, FileVerdict]

    @property
    def files_kept(self) -> int:
        """How many files a query would open."""
        return sum(verdict.kept for verdict in self.files.values())


def explain_filter(table: Location, where: str, dialect: Dialect) -> Explanation:
    """Explains a condition over a table.

    Args:
        table: Root of the table.
        where: The condition, without the word WHERE.
        dialect: Whose SQL it is.

    Raises:
        IndexUnavailableError: There is no index, or it cannot be used.
        ExplanationError: The table has no files.
        SqlPredicateError: The condition is not one, or names an unknown column.
        FilterTooLargeError: The condition is too long.
    """
    index = StatisticsIndex.open(str(table))
    files = _latest(table, index.files().values())
    if not files:
        raise ExplanationError(f"none of the files that the index of {table} knows is there")
    predicate = from_sql(where, _schema(table, files), dialect=dialect)
    compilation = compile_predicate(predicate, trace=True)
    expression = compilation.expression
    statistics = _statistics(index, files, expression.columns())
    votes = evaluate_nodes(expression, statistics)
    return Explanation(
        generation=index.generation,
        instant=index.manifest.instant,
        predicate=predicate,
        expression=expression,
        nodes=_from_the_root(expression, [sum(vote) for vote in votes]),
        unused=compilation.unused,
        rewrites=compilation.rewrites,
        files_live=index.manifest.live.files,
        files={
            file.path: FileVerdict(file.path, keep, expression, of_file)
            for file, keep, of_file in zip(files, votes[-1], statistics, strict=True)
        },
    )


def _latest(table: Location, files: Iterable[IndexedFile]) -> list[IndexedFile]:
    """The newest file of each file group, if it is there with the size that the index knows."""
    newest: dict[tuple[str, str], IndexedFile] = {}
    for file in files:
        group = (file.partition, file.file_id)
        if group not in newest or newest[group].commit_time < file.commit_time:
            newest[group] = file
    there = [file for file in newest.values() if _size(table.child(file.path)) == file.size]
    return sorted(there, key=lambda file: file.path)


def _size(file: Location) -> int | None:
    try:
        with open_source(str(file)) as source:
            size: int = source.size()
            return size
    except FileNotFoundError:
        return None


def _schema(table: Location, files: Sequence[IndexedFile]) -> dict[str, HiveType]:
    """The columns of the newest file, indexed or not; one that is never indexed has Arrow's type name."""
    newest = max(files, key=lambda file: file.commit_time)
    path = str(table.child(newest.path))
    status = WriteStatus(newest.partition, newest.file_id, path, newest.size, newest.commit_time)
    try:
        with open_source(path) as source:
            fields = pq.read_schema(source)
        records = read_records(status)
    except (OSError, pa.ArrowException, FooterError) as error:
        raise ExplanationError(f"cannot read the columns of {path}: {error}") from error
    declared = {field.name.lower(): HiveType(str(field.type)) for field in fields}
    return declared | {record.column: record.type for record in records}


def _statistics(
    index: StatisticsIndex, files: Sequence[IndexedFile], columns: frozenset[str]
) -> list[FileStatistics]:
    found = index.statistics(columns)
    return [
        {
            column: of_file[file.path].statistics
            for column, of_file in found.items()
            if file.path in of_file and of_file[file.path].file_size == file.size
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
