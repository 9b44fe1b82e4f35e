"""Writes generated statistics as an index, with the index's own writer."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from pycompiler.index.data_file import write_data_file
from pycompiler.index.file_systems.factory import open_storage
from pycompiler.index.layout import SCHEMA
from pycompiler.index.manifest import LiveTotals, SeenTimeline
from pycompiler.index.publisher import Delta, IndexPublisher
from pycompiler.index.records import FILE_SCHEMA, RANGE
from pycompiler.values.encoding import truncate_lower, truncate_upper

from .table import INSTANT, BaseFiles, ColumnBounds

_SIGN: Final = np.uint64(1 << 63)


def publish(
    table: Path, files: BaseFiles, columns: Iterable[ColumnBounds], timeline: SeenTimeline | None = None
) -> None:
    """Publishes an index of one data file, and writes a listing of the files for the Java side.

    Args:
        table: Folder of the table; its `.hoodie` is created if needed.
        files: Its base files.
        columns: Statistics of its columns, sorted by name.
        timeline: The instants after which the index has all of the table's files; None if unknown.
    """
    (table / ".hoodie").mkdir(parents=True, exist_ok=True)
    storage = open_storage(table)
    data_file = write_data_file(storage, _file_table(files), map(_rows, columns))
    assert data_file is not None
    totals = LiveTotals(len(files), int(files.rows.sum()), int(files.sizes.sum()))
    paths = files.paths()
    delta = Delta((data_file,), table.name, INSTANT, totals, frozenset(paths), None, timeline=timeline)
    IndexPublisher(storage).start_over(delta)
    lines = (f"{size}\t{path}\n" for size, path in zip(files.sizes.tolist(), paths, strict=True))
    (table / ".hoodie" / "listing.tsv").write_text("".join(lines), "utf-8")


def _file_table(files: BaseFiles) -> pa.Table:
    instants = pa.repeat(pa.scalar(INSTANT), len(files))
    arrays = [files.partitions, files.names, files.ids, instants, files.sizes, files.rows]
    return pa.Table.from_arrays([pa.array(values) for values in arrays], schema=FILE_SCHEMA)


def _rows(bounds: ColumnBounds) -> pa.Table:
    count = len(bounds.filled)
    is_float = bounds.hive_type == "double"
    known = {
        "kind": pa.repeat(pa.scalar(RANGE), count),
        "column": pa.repeat(pa.scalar(bounds.name), count),
        "file": pa.array(np.arange(count, dtype=np.int32)),
        "type": pa.repeat(pa.scalar(bounds.hive_type), count),
        "lower": _encoded(bounds, bounds.lower, cut_up=False),
        "upper": _encoded(bounds, bounds.upper, cut_up=True),
        "null_count": pa.array(bounds.null_counts),
        "nan_count": pa.array(np.zeros(count, np.int64)) if is_float else pa.nulls(count, pa.int64()),
        "flags": pa.array(np.zeros(count, np.int32)),
    }
    arrays = [known[field.name] if field.name in known else pa.nulls(count, field.type) for field in SCHEMA]
    return pa.Table.from_arrays(arrays, schema=SCHEMA)


def _encoded(bounds: ColumnBounds, values: npt.NDArray[Any], *, cut_up: bool) -> pa.Array:
    """Encodes a whole column as `pycompiler.values.encoding` encodes one value."""
    mask = ~bounds.filled
    match bounds.hive_type:
        case "string":
            cut = truncate_upper if cut_up else truncate_lower
            return pa.array([cut(value.encode()) for value in values], pa.binary(), mask=mask)
        case "double":
            bits = (values + 0.0).view(np.uint64)  # -0.0 becomes 0.0
            encoded = np.where(bits & _SIGN, ~bits, bits | _SIGN)
        case _:
            encoded = values.astype(np.int64).view(np.uint64) ^ _SIGN
    eight = pa.FixedSizeBinaryArray.from_buffers(
        pa.binary(8), len(values), [None, pa.py_buffer(encoded.astype(">u8").tobytes())]
    )
    return pc.if_else(pa.array(mask), pa.scalar(None, pa.binary()), eight.cast(pa.binary()))
