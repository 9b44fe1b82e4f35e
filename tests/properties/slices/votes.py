"""Looks up statistics of slices' files in the index, and evaluates filters over them."""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from pycompiler.compile.expression.evaluator import FileStatistics, evaluate
from pycompiler.compile.expression.model import HudiExpression
from pycompiler.compile.expression.statistics import ColumnStatistics
from pycompiler.index.index import IndexedStatistics, StatisticsIndex

from .handler import File, Slice
from .rule import Votes

Known: TypeAlias = Mapping[File, FileStatistics]
"""Statistics of files. Those of files that the index does not cover in their current size are empty."""


def known_files(table: Path, slices: Sequence[Slice], columns: Collection[str]) -> Known:
    """Returns the index's statistics of the files of slices."""
    by_column = StatisticsIndex.open(table).statistics(columns)
    files = [file for each in slices for file in _files(each)]
    return {file: _of_file(by_column, file) for file in files}


def votes(expression: HudiExpression, slices: Sequence[Slice], known: Known, is_whole: bool) -> list[Votes]:
    """Evaluates a filter over the files of each slice.

    Args:
        expression: The filter.
        slices: The slices.
        known: Statistics of their files.
        is_whole: Whether every row of this table is a whole record.
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
