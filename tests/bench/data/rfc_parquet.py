"""The rows as the RFC lays them out in plain Parquet: text of the bounds, one row per column and file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from .table import BaseFiles, ColumnBounds, ColumnKind, column_bounds

SCHEMA: Final = pa.schema(
    [
        pa.field("partition", pa.string(), nullable=False),
        pa.field("file_name", pa.string(), nullable=False),
        pa.field("file_size", pa.int64(), nullable=False),
        pa.field("column", pa.string(), nullable=False),
        pa.field("type", pa.string(), nullable=False),
        pa.field("min_value", pa.string()),
        pa.field("max_value", pa.string()),
        pa.field("null_count", pa.int64(), nullable=False),
        pa.field("value_count", pa.int64(), nullable=False),
    ]
)
_COLUMNS_PER_WRITE: Final = 200


def write(path: Path, files: BaseFiles, columns: Sequence[ColumnKind]) -> int:
    """Writes one file, sorted by column and then file, with page indexes: the best case for its readers.

    Compressed as Spark does it by default.

    Returns:
        Bytes on disk.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    rows_per_group = _COLUMNS_PER_WRITE * len(files)
    with pq.ParquetWriter(path, SCHEMA, compression="snappy", write_page_index=True) as writer:
        pending = []
        for bounds in column_bounds(files, columns):
            pending.append(_table(files, bounds))
            if len(pending) == _COLUMNS_PER_WRITE:
                writer.write_table(pa.concat_tables(pending), row_group_size=rows_per_group)
                pending = []
        if pending:
            writer.write_table(pa.concat_tables(pending), row_group_size=rows_per_group)
    return path.stat().st_size


def _table(files: BaseFiles, bounds: ColumnBounds) -> pa.Table:
    count = len(files)
    return pa.Table.from_arrays(
        [
            pa.array(files.partitions),
            pa.array(files.names),
            pa.array(files.sizes),
            pa.repeat(pa.scalar(bounds.name), count),
            pa.repeat(pa.scalar(bounds.hive_type), count),
            _text(bounds.lower, bounds.filled),
            _text(bounds.upper, bounds.filled),
            pa.array(bounds.null_counts),
            pa.array(files.rows),
        ],
        schema=SCHEMA,
    )


def _text(values: npt.NDArray[Any], filled: npt.NDArray[np.bool_]) -> pa.Array:
    array = pa.array(values, mask=~filled)
    return array if pa.types.is_string(array.type) else array.cast(pa.string())
