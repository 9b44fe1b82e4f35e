"""Work of Spark's Python workers, or the driver: reading footers, and writing index data files."""

import json
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Any, Final

import pyarrow as pa
from pyspark import Broadcast

from pycompiler.index.collect.footer import FooterReader, OnUnreadable, ignore_unreadable
from pycompiler.index.collect.table_columns import TableColumns
from pycompiler.index.data_file import write_data_file
from pycompiler.index.file_systems.factory import open_storage
from pycompiler.index.manifest import data_file_document
from pycompiler.index.options import IndexOptions
from pycompiler.index.record_rows import file_table, narrow
from pycompiler.index.records import FILE_SCHEMA, RECORD_SCHEMA, WriteStatus
from pycompiler.indexing.collecting import add_if_there

BatchFunction = Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]
"""The argument of `DataFrame.mapInArrow`."""

STATUS_SCHEMA: Final = "partition string, file_id string, path string, size bigint, commit_time string"
RECORD_COLUMNS: Final = (
    "kind string, `column` string, type string, partition string, file_name string, file_id string, "
    "commit_time string, file_size bigint, value_count bigint, lower binary, upper binary, "
    "null_count bigint, nan_count bigint, flags int, content binary"
)
"""`RECORD_SCHEMA` in Spark's syntax."""

FILE_TABLE_COLUMNS: Final = "files binary"
ENTRY_SCHEMA: Final = "entry string"

_BATCH_ROWS: Final = 10_000


def footer_reader(
    options: IndexOptions,
    table: TableColumns,
    count: Callable[[int], None],
    unread: OnUnreadable = ignore_unreadable,
) -> BatchFunction:
    """Makes the function that turns write statuses into index records."""

    def read(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        reader = FooterReader(options, table, unread)
        for batch in batches:
            for item in batch.to_pylist():
                add_if_there(reader, WriteStatus(**item))
                count(1)
                if reader.rows >= _BATCH_ROWS:
                    yield from reader.take().combine_chunks().to_batches(_BATCH_ROWS)
        yield from reader.take().combine_chunks().to_batches(_BATCH_ROWS)

    return read


def file_table_maker(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Turns all rows of files into one table, as the bytes that `data_file_writer` reads."""
    records = pa.Table.from_batches(list(batches)).cast(RECORD_SCHEMA)
    sink = pa.BufferOutputStream()
    options = pa.ipc.IpcWriteOptions(compression="zstd")
    with pa.ipc.new_stream(sink, FILE_SCHEMA, options=options) as writer:
        writer.write_table(file_table(records))
    content = sink.getvalue().to_pybytes()
    yield pa.RecordBatch.from_arrays([pa.array([content], pa.binary())], ["files"])


def data_file_writer(table_root: str, files: Broadcast[bytes]) -> BatchFunction:
    """Makes the function that writes a partition of sorted records as one data file.

    It returns the manifest entry as JSON; the driver never sees a record. All data files share the ordinals
    of `files`, which come from `file_table_maker`.
    """

    def write(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        tables = (pa.Table.from_batches([batch]).cast(RECORD_SCHEMA) for batch in batches)
        first = next(tables, None)
        entries = []
        if first is not None:
            with pa.ipc.open_stream(files.value) as stream:
                known = stream.read_all()
            data_file = write_data_file(
                open_storage(table_root), known, narrow(chain([first], tables), known)
            )
            entries = [] if data_file is None else [json.dumps(data_file_document(data_file))]
        yield pa.RecordBatch.from_arrays([pa.array(entries, pa.string())], ["entry"])

    return write


def status_row(status: WriteStatus) -> tuple[Any, ...]:
    """A write status in the order of `STATUS_SCHEMA`."""
    return status.partition, status.file_id, status.path, status.size, status.commit_time
