"""Reads a sample of a table's rows."""

import random
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from pycompiler.compile.values.encoding import encode_values
from pycompiler.compile.values.types import HiveType, ValueKind, read_by_default
from pycompiler.index.collect.errors import FooterError
from pycompiler.index.collect.indexed_columns import IndexedColumnFinder
from pycompiler.index.collect.pages import read_row_group
from pycompiler.index.file_systems.factory import open_source
from pycompiler.index.file_systems.location import Location
from pycompiler.index.options import IndexOptions
from pycompiler.table.files import TableFile
from pycompiler.tools.advise.errors import AdviceError
from pycompiler.tools.advise.row_sample import NULL, RowSample, SampledColumn
from pycompiler.tools.explain.sample import spread

MAX_FILES: Final = 1_000
"""Number of files that are sampled; in a larger table, one chosen at random from each part."""

MAX_ROWS: Final = 200_000
"""Number of rows in a sample."""

_Columns: TypeAlias = Mapping[str, tuple[HiveType, pa.ChunkedArray]]
"""Columns of some rows of a file, with their types."""


@dataclass(frozen=True, slots=True)
class _Block:
    """Rows by chance of a row group of a file, and the number of all rows of the file."""

    file: TableFile
    file_rows: int
    columns: _Columns

    @property
    def partition(self) -> str:
        return self.file.path.rpartition("/")[0]


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
    chosen = [files[position] for position in spread(len(files), MAX_FILES, chance)]
    size = sum(file.size for file in chosen)
    finder = IndexedColumnFinder(IndexOptions())
    blocks: list[_Block] = []
    for number, file in enumerate(chosen):
        progress(number, len(chosen))
        wanted = max(1, round(max_rows * file.size / size))
        try:
            block = _read(str(table.child(file.path)), file, wanted, columns, finder, chance)
        except (OSError, pa.ArrowException, FooterError):
            continue  # Cleaned since it was listed, for example; other files tell enough.
        if block is not None:
            blocks.append(block)
    if not blocks:
        raise AdviceError(f"no file of {table} has a column that the queries test, or none can be read")
    return _joined(blocks, columns, sum(file.size for file in files))


def _read(
    source_path: str,
    file: TableFile,
    wanted: int,
    columns: Collection[str],
    finder: IndexedColumnFinder,
    chance: random.Random,
) -> _Block | None:
    """Reads rows of a row group of a file; None if it has none, or none of the columns."""
    with open_source(source_path) as source:
        metadata = pq.read_metadata(source)
        indexed = finder.find(metadata.schema).columns
        found = [each for each in indexed if each.name in columns]
        rows = [metadata.row_group(number).num_rows for number in range(metadata.num_row_groups)]
        if not found or not any(rows):
            return None
        (group,) = chance.choices(range(len(rows)), rows)
        read = read_row_group(source, metadata, [(each.position, each.stored) for each in found], group)
    taken = sorted(chance.sample(range(rows[group]), min(wanted, rows[group])))
    return _Block(
        file,
        sum(rows),
        {
            each.name: (read_by_default(each.stored.hive_type), values.take(taken))
            for each, values in zip(found, read, strict=True)
            if values is not None
        },
    )


def _joined(blocks: Sequence[_Block], columns: Collection[str], size: int) -> RowSample:
    """The rows of all blocks that have each column which the last block has, with the same type.

    `size` are the bytes of all files of the table.
    """
    types = {name: blocks[-1].columns[name][0] for name in columns if name in blocks[-1].columns}
    alike = [
        block
        for block in blocks
        if all(name in block.columns and block.columns[name][0] == of for name, of in types.items())
    ]
    lengths = [len(next(iter(block.columns.values()))[1]) for block in alike]
    numbers = {name: number for number, name in enumerate(sorted({block.partition for block in alike}))}
    of_files = sum(block.file_rows for block in alike)
    table_rows = round(of_files * size / sum(block.file.size for block in alike))
    return RowSample(
        np.repeat(np.array([numbers[block.partition] for block in alike], np.int64), lengths),
        {
            name: _column(
                of_type,
                pa.chunked_array([chunk for block in alike for chunk in block.columns[name][1].chunks]),
            )
            for name, of_type in types.items()
        },
        len(alike),
        share=min(1.0, sum(lengths) / max(table_rows, 1)),
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
