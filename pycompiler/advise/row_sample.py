"""A sample of a table's rows, with the columns that conditions test."""

import random
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from pycompiler.advise.errors import AdviceError
from pycompiler.collect.errors import FooterError
from pycompiler.collect.indexed_columns import IndexedColumnFinder
from pycompiler.collect.pages import read_row_group
from pycompiler.index.file_systems.factory import open_source
from pycompiler.index.file_systems.location import Location
from pycompiler.index.options import IndexOptions
from pycompiler.table.files import TableFile
from pycompiler.values.encoding import encode_values
from pycompiler.values.types import HiveType, ValueKind

MAX_FILES: Final = 1_000
"""Number of files that are sampled; in a larger table, one chosen at random from each part."""

MAX_ROWS: Final = 200_000
"""Number of rows in a sample."""

NULL: Final = -1
"""Code of NULL."""

Codes: TypeAlias = npt.NDArray[np.int64]
"""For each row, a position in a list, or a negative number."""


@dataclass(frozen=True, slots=True)
class SampledColumn:
    """A column of the sampled rows.

    Attributes:
        type: Its type in the files.
        values: Its different values, encoded and ascending, without NULL and NaN.
        codes: For each row the position of its value, `NULL`, or for NaN the number of values.
    """

    type: HiveType
    values: Sequence[bytes]
    codes: Codes


@dataclass(frozen=True, slots=True)
class RowSample:
    """Rows of a table.

    Attributes:
        partitions: For each row a number that stands for its partition.
        columns: The columns that could be read, by lower-case name.
        files: Number of files from which the rows are.
    """

    partitions: Codes
    columns: Mapping[str, SampledColumn]
    files: int

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(self.partitions)

    def part(self, chosen: npt.NDArray[np.bool_] | Codes) -> "RowSample":
        """The chosen rows: those for which there is True, or those at some positions, in their order."""
        return RowSample(
            self.partitions[chosen],
            {
                name: SampledColumn(column.type, column.values, column.codes[chosen])
                for name, column in self.columns.items()
            },
            self.files,
        )


_Block: TypeAlias = Mapping[str, tuple[HiveType, pa.ChunkedArray]]
"""Columns of some rows of a file, with their types."""


def sample_rows(
    table: Location,
    files: Sequence[TableFile],
    columns: Collection[str],
    progress: Callable[[int, int], None],
    *,
    max_rows: int = MAX_ROWS,
) -> RowSample:
    """Reads some rows of a table, the same ones in each run.

    Of each file rows are taken in proportion to its bytes, all from one row group.

    Args:
        table: Root of the table.
        files: Its base files.
        columns: Lower-case names of columns.
        progress: Called with the number of files read and in total.
        max_rows: About how many rows are read.

    Raises:
        AdviceError: No file can be read.
    """
    chance = random.Random(len(files))
    chosen = [files[position] for position in _spread(len(files), chance)]
    size = sum(file.size for file in chosen)
    finder = IndexedColumnFinder(IndexOptions())
    blocks: list[tuple[str, _Block]] = []
    for number, file in enumerate(chosen):
        progress(number, len(chosen))
        wanted = max(1, round(max_rows * file.size / size))
        try:
            block = _read(str(table.child(file.path)), finder, columns, wanted, chance)
        except (OSError, pa.ArrowException, FooterError):
            continue  # Cleaned since it was listed, for example; other files tell enough.
        if block:
            blocks.append((file.path.rpartition("/")[0], block))
    if not blocks:
        raise AdviceError(f"no file of {table} has a column that the queries test, or none can be read")
    return _joined(blocks, columns)


def _spread(count: int, chance: random.Random) -> Iterator[int]:
    """Positions in a list, at most `MAX_FILES`: one by chance in each part."""
    parts = min(count, MAX_FILES)
    ends = [count * part // parts for part in range(parts + 1)]
    return (chance.randrange(start, end) for start, end in pairwise(ends))


def _read(
    path: str, finder: IndexedColumnFinder, columns: Collection[str], wanted: int, chance: random.Random
) -> _Block:
    with open_source(path) as source:
        metadata = pq.read_metadata(source)
        found = [each for each in finder.find(metadata.schema).columns if each.name in columns]
        rows = [metadata.row_group(number).num_rows for number in range(metadata.num_row_groups)]
        if not found or not any(rows):
            return {}
        (group,) = chance.choices(range(len(rows)), rows)
        read = read_row_group(source, metadata, [(each.position, each.stored) for each in found], group)
    taken = sorted(chance.sample(range(rows[group]), min(wanted, rows[group])))
    return {
        each.name: (each.stored.hive_type, values.take(taken))
        for each, values in zip(found, read, strict=True)
        if values is not None
    }


def _joined(blocks: Sequence[tuple[str, _Block]], columns: Collection[str]) -> RowSample:
    """The rows of all blocks that have each column which the last block has, with the same type."""
    _, last = blocks[-1]
    types = {name: last[name][0] for name in columns if name in last}
    alike = [
        (partition, block)
        for partition, block in blocks
        if all(name in block and block[name][0] == of_type for name, of_type in types.items())
    ]
    numbers = {partition: number for number, partition in enumerate(sorted({name for name, _ in alike}))}
    return RowSample(
        np.concatenate(
            [np.full(len(next(iter(block.values()))[1]), numbers[name], np.int64) for name, block in alike]
        ),
        {
            name: _column(
                of_type,
                pa.chunked_array([chunk for _, block in alike for chunk in block[name][1].chunks]),
            )
            for name, of_type in types.items()
        },
        len(alike),
    )


def _column(hive_type: HiveType, values: pa.ChunkedArray) -> SampledColumn:
    column = values.combine_chunks()
    is_nan = pc.fill_null(pc.is_nan(column), False) if hive_type.kind is ValueKind.FLOAT else None
    known = column if is_nan is None else pc.if_else(is_nan, None, column)
    distinct = known.unique().drop_null()
    encoded = encode_values(hive_type, distinct.to_pylist())
    ascending = sorted(set(encoded))
    position = {value: number for number, value in enumerate(ascending)}
    of_distinct = np.array([position[value] for value in encoded], np.int64)
    indices = pc.fill_null(pc.index_in(known, distinct), NULL).to_numpy(zero_copy_only=False)
    codes = np.where(indices < 0, NULL, of_distinct[indices] if len(of_distinct) else NULL).astype(np.int64)
    if is_nan is not None:
        codes[is_nan.to_numpy(zero_copy_only=False)] = len(ascending)
    return SampledColumn(hive_type, ascending, codes)
