"""Reads a column of single files, for estimates of what an index or another layout would save."""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import pyarrow as pa
import pyarrow.parquet as pq

from pycompiler.compile.values.types import HiveType
from pycompiler.index.collect.errors import FooterError
from pycompiler.index.collect.indexed_columns import IndexedColumnFinder
from pycompiler.index.collect.pages import read_value_counts
from pycompiler.index.file_systems.factory import open_source
from pycompiler.index.file_systems.location import Location
from pycompiler.index.options import IndexOptions

MAX_ROWS: Final = 4_000_000
"""A file with more rows is not read: people wait for the answer."""


@dataclass(frozen=True, slots=True)
class ColumnSample:
    """A column of a file.

    Attributes:
        type: The type that the file stores.
        rows: Rows of the file, including NULLs.
        counts: Rows of each encoded value, without NULL and NaN.
    """

    type: HiveType
    rows: int
    counts: Mapping[bytes, int]


def spread(count: int, most: int, chance: random.Random) -> list[int]:
    """Positions in a list of so many items, at most so many: one by chance in each part."""
    parts = min(count, most)
    ends = [count * part // max(parts, 1) for part in range(parts + 1)]
    return [chance.randrange(start, end) for start, end in pairwise(ends)]


class ColumnReader:
    """Reads columns of a table's base files."""

    def __init__(self, table: Location) -> None:
        self._table = table
        self._finder = IndexedColumnFinder(IndexOptions())

    def __call__(self, path: str, column: str) -> ColumnSample | None:
        """Reads a column of a file; None if it cannot be read, or if a value of it has no encoding."""
        try:
            with open_source(str(self._table.child(path))) as source:
                metadata = pq.read_metadata(source)
                columns = self._finder.find(metadata.schema).columns
                found = next((each for each in columns if each.name == column), None)
                if found is None or metadata.num_rows > MAX_ROWS:
                    return None
                counts = read_value_counts(source, metadata, found.position, found.stored)
        except (OSError, pa.ArrowException, FooterError):
            # Cleaned since it was listed, for example; other files tell enough.
            return None
        return None if counts is None else ColumnSample(found.stored.hive_type, metadata.num_rows, counts)
