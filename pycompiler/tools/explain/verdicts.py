"""Whether a filter keeps a file slice, and which of its files."""

from dataclasses import dataclass

from pycompiler.compile.expression.evaluator import FileStatistics
from pycompiler.table.files import FileSlice, TableFile


@dataclass(frozen=True, slots=True)
class FileVerdict:
    """Whether the expression keeps a file by its statistics."""

    file: TableFile
    kept: bool
    statistics: FileStatistics


@dataclass(frozen=True, slots=True)
class SliceVerdict:
    """Whether a file slice is kept; it can be although none of its files is."""

    slice: FileSlice
    kept: bool
    files: tuple[FileVerdict, ...]
