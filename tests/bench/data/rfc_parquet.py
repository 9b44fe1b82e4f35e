"""The rows as the RFC lays them out in plain Parquet: text of the bounds, one row per column and file."""

from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from .table import BaseFiles, ColumnBounds, ColumnKind, column_bounds

_REQUIRED: Final = {
    **dict.fromkeys(("partition", "file_name"), pa.string()),
    "file_size": pa.int64(),
    **dict.fromkeys(("column", "type"), pa.string()),
}
SCHEMA: Final = pa.schema(
    [
        *(pa.field(name, kind, nullable=False) for name, kind in _REQUIRED.items()),
        *(pa.field(name, pa.string()) for name in ("min_value", "max_value")),
        *(pa.field(name, pa.int64(), nullable=False) for name in ("null_count", "value_count")),
    ]
)
_COLUMNS_PER_WRITE: Final = 200


def write(path: Path, files: BaseFiles, columns: Sequence[ColumnKind]) -> None:
    """Writes one file sorted by column and file, with page indexes: the best case for its readers."""
    with pq.ParquetWriter(path, SCHEMA, compression="snappy", write_page_index=True) as writer:
        tables = (_table(files, bounds) for bounds in column_bounds(files, columns))
        while group := list(islice(tables, _COLUMNS_PER_WRITE)):
            writer.write_table(pa.concat_tables(group), row_group_size=_COLUMNS_PER_WRITE * len(files))


def _table(files: BaseFiles, bounds: ColumnBounds) -> pa.Table:
    name, kind = (pa.repeat(pa.scalar(text), len(files)) for text in (bounds.name, bounds.hive_type))
    of_files = [pa.array(values) for values in (files.partitions, files.names, files.sizes)]
    texts = [_text(values, bounds.filled) for values in (bounds.lower, bounds.upper)]
    counts = [pa.array(bounds.null_counts), pa.array(files.rows)]
    return pa.Table.from_arrays([*of_files, name, kind, *texts, *counts], schema=SCHEMA)


def _text(values: npt.NDArray[Any], filled: npt.NDArray[np.bool_]) -> pa.Array:
    array = pa.array(values, mask=~filled)
    return array if pa.types.is_string(array.type) else array.cast(pa.string())
