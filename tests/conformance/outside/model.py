"""A vector from outside, as read: nothing of it is believed but what it says about itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

Json: TypeAlias = "None | bool | int | float | str | list[Json] | dict[str, Json]"
Scalar: TypeAlias = bool | int | float | str
Row: TypeAlias = Mapping[str, Json]
"""Values by column name; a column that is left out is NULL."""


@dataclass(frozen=True, slots=True)
class TableColumn:
    """A column of the vector's table, with its Hive type as written."""

    name: str
    type: str


@dataclass(frozen=True, slots=True)
class GivenStatistics:
    """What a vector says about a column of a file. None is "not known" throughout.

    Attributes:
        lower: Bound that no value is below.
        upper: Bound that no value is above.
        nulls: Rows that are NULL.
        rows: Rows of the file, NULLs included.
        nans: Rows that are NaN.
        values: Rows that are not NULL.
        bloom: All values that a bloom filter of the column was made from.
    """

    lower: Scalar | None = None
    upper: Scalar | None = None
    nulls: int | None = None
    rows: int | None = None
    nans: int | None = None
    values: int | None = None
    bloom: tuple[Scalar, ...] | None = None


FileContent: TypeAlias = "tuple[Row, ...] | Mapping[str, GivenStatistics]"
"""A file: its rows, or statistics by column name."""


@dataclass(frozen=True, slots=True)
class Vector:
    """One case.

    Attributes:
        id: Its name.
        columns: Of the table.
        files: All given as rows, or all as statistics.
        where: The filter, in Hive's dialect.
        must_keep: Positions of the files that hold a matching row, or may as far as their statistics tell.
        source_skips: Positions of the files that the source's own test expects to be skipped, wrongly or not.
    """

    id: str
    columns: tuple[TableColumn, ...]
    files: tuple[FileContent, ...]
    where: str
    must_keep: frozenset[int]
    source_skips: frozenset[int]


@dataclass(frozen=True, slots=True)
class Source:
    """The vectors of one project."""

    project: str
    path: Path
    vectors: tuple[Vector, ...]
