"""What runs in Spark's Python workers: reading footers, and writing data files of the index."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from typing import Any, Final

import pyarrow as pa

from pycompiler.index.data_file import read_data_file, write_data_file
from pycompiler.index.footer import read_records
from pycompiler.index.manifest import DataFile, RowGroup
from pycompiler.index.options import IndexOptions
from pycompiler.index.records import SCHEMA, WriteStatus, to_table
from pycompiler.index.storage import open_storage

BatchFunction = Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]
"""What `DataFrame.mapInArrow` takes."""

STATUS_SCHEMA: Final = "partition string, file_id string, path string, size bigint, commit_time string"
RECORD_SCHEMA: Final = (
    "`column` string, type string, partition string, file_name string, file_id string, commit_time string, "
    "file_size bigint, lower binary, upper binary, null_count bigint, value_count bigint, nan_count bigint, "
    "flags int"
)
ENTRY_SCHEMA: Final = "entry string"

_BATCH_ROWS: Final = 10_000


def footer_reader(options: IndexOptions, count: Callable[[int], None]) -> BatchFunction:
    """Makes the function that turns write statuses into index records.

    Args:
        options: Which columns to read.
        count: Is told how many files are done.
    """

    def read(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        pending: list[pa.Table] = []
        rows = 0
        for batch in batches:
            for item in batch.to_pylist():
                status = WriteStatus(**item)
                try:
                    table = to_table(read_records(status, options))
                except FileNotFoundError:
                    # Cleaned since it was listed: no reader will list it either, so it needs no rows.
                    table = SCHEMA.empty_table()
                count(1)
                pending.append(table)
                rows += table.num_rows
                if rows >= _BATCH_ROWS:
                    yield from pa.concat_tables(pending).combine_chunks().to_batches(_BATCH_ROWS)
                    pending, rows = [], 0
        if pending:
            yield from pa.concat_tables(pending).combine_chunks().to_batches(_BATCH_ROWS)

    return read


def data_file_writer(table_root: str) -> BatchFunction:
    """Makes the function that writes a partition of sorted records as one data file.

    It gives the manifest's entry, as JSON; the driver never sees a record.
    """

    def write(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        tables = (pa.Table.from_batches([batch]).cast(SCHEMA) for batch in batches)
        data_file = write_data_file(open_storage(table_root), tables)
        entries = [] if data_file is None else [entry_text(data_file)]
        yield pa.RecordBatch.from_arrays([pa.array(entries, pa.string())], ["entry"])

    return write


def data_file_reader(table_root: str) -> BatchFunction:
    """Makes the function that reads data files, given as (ordinal, entry), back into records."""

    def read(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for item in batch.to_pylist():
                for table in read_data_file(open_storage(table_root), read_entry(item["entry"])):
                    ordinals = pa.repeat(pa.scalar(item["ordinal"], pa.int32()), table.num_rows)
                    yield from table.append_column("ordinal", ordinals).combine_chunks().to_batches()

    return read


def entry_text(data_file: DataFile) -> str:
    """Writes a manifest's entry for `read_entry`."""
    return json.dumps(asdict(data_file))


def read_entry(entry: str) -> DataFile:
    """Reads what `entry_text` wrote."""
    fields = json.loads(entry)
    groups = tuple(RowGroup(**group) for group in fields.pop("row_groups"))
    return DataFile(**fields, row_groups=groups)


def status_row(status: WriteStatus) -> tuple[Any, ...]:
    """A write status in the order of `STATUS_SCHEMA`."""
    return status.partition, status.file_id, status.path, status.size, status.commit_time
