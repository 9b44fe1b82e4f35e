"""What the index knows of the files of slices, and which of them a filter excludes by it."""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from pycompiler.expression.evaluator import FileStatistics, evaluate
from pycompiler.expression.model import HudiExpression
from pycompiler.expression.statistics import ColumnStatistics
from pycompiler.index.index import IndexedStatistics, StatisticsIndex

from .handler import File, Slice
from .rule import Votes

Known: TypeAlias = Mapping[File, FileStatistics]
"""Statistics of files; those of files that the index does not know as they are say nothing."""


def known_files(table: Path, slices: Sequence[Slice], columns: Collection[str]) -> Known:
    """What the table's index says of the files of some slices."""
    by_column = StatisticsIndex.open(table).statistics(columns)
    files = [file for each in slices for file in _files(each)]
    return {file: _of_file(by_column, file) for file in files}


def votes(expression: HudiExpression, slices: Sequence[Slice], known: Known, is_whole: bool) -> list[Votes]:
    """What is known of each slice under a filter.

    Args:
        expression: The filter.
        slices: The slices.
        known: What is known of their files.
        is_whole: Whether rows are whole records in this table.
    """
    files = list(known)
    may_match = dict(zip(files, evaluate(expression, [known[file] for file in files]), strict=True))
    return [
        Votes(
            is_whole,
            None if each.base is None else may_match[each.base],
            tuple(may_match[log] for log in each.logs),
            tuple(not known[log] for log in each.logs),
        )
        for each in slices
    ]


def _of_file(by_column: Mapping[str, Mapping[str, IndexedStatistics]], file: File) -> FileStatistics:
    found: dict[str, ColumnStatistics] = {}
    for column, by_path in by_column.items():
        entry = by_path.get(file.path)
        if entry is not None and entry.file_size == file.size:
            found[column] = entry.statistics
    return found


def _files(of: Slice) -> tuple[File, ...]:
    return of.logs if of.base is None else (of.base, *of.logs)
