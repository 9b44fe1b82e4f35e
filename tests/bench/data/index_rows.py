"""Writes generated statistics as an index, with the index's own writer."""

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pyarrow as pa

from pycompiler.compile.values.types import HiveType
from pycompiler.index.collect.bounds import RowGroups, file_statistics
from pycompiler.index.collect.stored_type import StoredType
from pycompiler.index.data_file import write_data_file
from pycompiler.index.file_systems.factory import open_storage
from pycompiler.index.manifest import LiveTotals, SeenTimeline
from pycompiler.index.publisher import Delta, IndexPublisher
from pycompiler.index.record_rows import SCHEMA
from pycompiler.index.records import FILE_SCHEMA, RANGE

from .table import INSTANT, BaseFiles, ColumnBounds


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
    data_file = write_data_file(storage, _file_table(files), (_rows(column, files) for column in columns))
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


def _rows(bounds: ColumnBounds, files: BaseFiles) -> pa.Table:
    count = len(files)
    known = bounds.filled.tolist()
    groups = RowGroups(files.rows.tolist(), range(count), bounds.null_counts.tolist(), known)
    stored = StoredType(HiveType(bounds.hive_type))
    raw = [
        [value.encode() if isinstance(value, str) else value for value in values.tolist()]
        for values in (bounds.lower, bounds.upper)
    ]
    values = {
        "kind": pa.repeat(pa.scalar(RANGE), count),
        "column": pa.repeat(pa.scalar(bounds.name), count),
        "file": pa.array(np.arange(count, dtype=np.int32)),
        "type": pa.repeat(pa.scalar(bounds.hive_type), count),
        **file_statistics(stored, groups, slice(0, 1), *raw),
    }
    arrays = [values.get(field.name, pa.nulls(count, field.type)) for field in SCHEMA]
    return pa.Table.from_arrays(arrays, schema=SCHEMA)
