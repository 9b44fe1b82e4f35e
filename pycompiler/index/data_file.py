"""Data files of the index: Parquet, sorted by column, checked piece by piece as they are read."""

from __future__ import annotations

import io
import uuid
import zlib
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from pycompiler.index.errors import IndexDamagedError
from pycompiler.index.manifest import DataFile, RowGroup
from pycompiler.index.records import SCHEMA
from pycompiler.index.storage import IndexStorage

ROW_GROUP_ROWS: Final = 16_384
"""A row group takes whole columns up to about this many rows."""

_DICTIONARY_COLUMNS: Final = ["column", "type", "partition", "file_name", "file_id", "commit_time"]
_CHUNK_BYTES: Final = 1 << 20


def write_data_file(storage: IndexStorage, tables: Iterable[pa.Table]) -> DataFile | None:
    """Writes one data file.

    Args:
        storage: The index directory.
        tables: Tables of `SCHEMA`, sorted by (column, partition, file_name) within each and from one to the
            next. They may be cut anywhere; at most a row group and a table are held in memory.

    Returns:
        What the manifest says about it, or None if there are no rows. The file is durable, and unused until a
        manifest lists it.
    """
    name = f"data-{uuid.uuid4()}.parquet"
    groups = _row_groups(tables)
    first = next(groups, None)
    if first is None:
        return None
    spans = []
    with (
        storage.create(name) as sink,
        pq.ParquetWriter(
            sink, SCHEMA, compression="zstd", use_dictionary=_DICTIONARY_COLUMNS, store_schema=False
        ) as writer,
    ):
        for group in _chain(first, groups):
            writer.write_table(group, row_group_size=group.num_rows)
            spans.append((group["column"][0].as_py(), group["column"][-1].as_py()))
    return _describe(storage, name, spans)


def read_data_file(
    storage: IndexStorage, data_file: DataFile, columns: Collection[str] | None = None
) -> Iterator[pa.Table]:
    """Reads the row groups that hold rows of some columns; others are neither read nor checked.

    Args:
        storage: The index directory.
        data_file: The manifest's entry.
        columns: Index column names, or None for all rows.

    Yields:
        One table of `SCHEMA` a row group, with rows of the wanted columns only.

    Raises:
        IndexDamagedError: The file is missing or of another size, or what was read fails its checksum.
    """
    wanted = [
        number
        for number, group in enumerate(data_file.row_groups)
        if columns is None or group.holds_any(columns)
    ]
    if not wanted:
        return
    _check_size(storage, data_file)
    names = None if columns is None else pa.array(sorted(columns), pa.string())
    footer_length = data_file.size - data_file.footer_offset
    footer = _verified(
        storage, data_file.name, data_file.footer_offset, footer_length, data_file.footer_crc32, "footer"
    )
    # The parser sees only bytes that were checked, not the file, which could change in between.
    view = _CheckedFile(data_file.size)
    with _damage_named(data_file.name):
        metadata = pq.read_metadata(pa.BufferReader(footer))
        parquet = pq.ParquetFile(pa.PythonFile(view, "r"), metadata=metadata)
        for number in wanted:
            group = data_file.row_groups[number]
            part = f"row group {number}"
            view.show(
                group.offset,
                _verified(storage, data_file.name, group.offset, group.length, group.crc32, part),
            )
            table = parquet.read_row_group(number, use_threads=False).cast(SCHEMA)
            view.hide(group.offset)
            yield table if names is None else table.filter(pc.is_in(table["column"], value_set=names))


@contextmanager
def _damage_named(name: str) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError, pa.ArrowException) as error:
        raise IndexDamagedError(f"{name} is not a data file of an index: {error}") from error


def _row_groups(tables: Iterable[pa.Table]) -> Iterator[pa.Table]:
    """Cuts a sorted stream into row groups: between columns, and inside a column only if it is too long."""
    pending: list[pa.Table] = []
    pending_rows = 0
    for run in _column_runs(tables):
        if pending and pending_rows + run.num_rows > ROW_GROUP_ROWS:
            yield pa.concat_tables(pending)
            pending, pending_rows = [], 0
        pending.append(run)
        pending_rows += run.num_rows
    if pending:
        yield pa.concat_tables(pending)


def _column_runs(tables: Iterable[pa.Table]) -> Iterator[pa.Table]:
    """Gives the rows of one column at a time, in pieces of at most `ROW_GROUP_ROWS` rows.

    A column that goes over the end of a table is put together again, so that pieces depend on the rows only.
    """
    column, parts, rows = None, list[pa.Table](), 0
    for table in tables:
        start = 0
        names = pc.run_end_encode(table["column"].combine_chunks()) if table.num_rows else None
        ends = names.run_ends.to_pylist() if names is not None else []
        for end, name in zip(ends, names.values.to_pylist() if names is not None else [], strict=True):
            if parts and name != column:
                yield pa.concat_tables(parts)
                parts, rows = [], 0
            column = name
            while start < end:
                taken = min(end - start, ROW_GROUP_ROWS - rows)
                parts.append(table.slice(start, taken))
                rows += taken
                start += taken
                if rows == ROW_GROUP_ROWS:
                    yield pa.concat_tables(parts)
                    parts, rows = [], 0
    if parts:
        yield pa.concat_tables(parts)


def _chain(first: pa.Table, rest: Iterator[pa.Table]) -> Iterator[pa.Table]:
    yield first
    yield from rest


def _describe(storage: IndexStorage, name: str, spans: list[tuple[str, str]]) -> DataFile:
    size = storage.size(name)
    with pq.ParquetFile(pa.PythonFile(_StorageFile(storage, name, size), "r")) as parquet:
        metadata = parquet.metadata
        groups = []
        for number, (first_column, last_column) in enumerate(spans):
            group = metadata.row_group(number)
            offset, length = _extent(group)
            groups.append(
                RowGroup(
                    offset,
                    length,
                    _crc(storage, name, offset, length),
                    group.num_rows,
                    first_column,
                    last_column,
                )
            )
    footer_offset = groups[-1].offset + groups[-1].length
    return DataFile(
        name=name,
        size=size,
        rows=metadata.num_rows,
        footer_offset=footer_offset,
        footer_crc32=_crc(storage, name, footer_offset, size - footer_offset),
        row_groups=tuple(groups),
    )


def _extent(group: pq.RowGroupMetaData) -> tuple[int, int]:
    """Offset and length of all column chunks of a row group."""
    starts, ends = [], []
    for number in range(group.num_columns):
        chunk = group.column(number)
        start = chunk.dictionary_page_offset if chunk.has_dictionary_page else chunk.data_page_offset
        starts.append(start)
        ends.append(start + chunk.total_compressed_size)
    return min(starts), max(ends) - min(starts)


def _crc(storage: IndexStorage, name: str, offset: int, length: int) -> int:
    checksum, end = 0, offset + length
    for start in range(offset, end, _CHUNK_BYTES):
        checksum = zlib.crc32(storage.read(name, start, min(_CHUNK_BYTES, end - start)), checksum)
    return checksum


def _check_size(storage: IndexStorage, data_file: DataFile) -> None:
    try:
        size = storage.size(data_file.name)
    except FileNotFoundError as error:
        raise IndexDamagedError(f"{data_file.name} is missing") from error
    if size != data_file.size:
        raise IndexDamagedError(f"{data_file.name} has {size} bytes where the manifest says {data_file.size}")


def _verified(storage: IndexStorage, name: str, offset: int, length: int, checksum: int, part: str) -> bytes:
    try:
        content = storage.read(name, offset, length)
    except FileNotFoundError as error:
        raise IndexDamagedError(f"{name} is missing") from error
    if len(content) != length or zlib.crc32(content) != checksum:
        raise IndexDamagedError(f"the checksum of the {part} of {name} does not agree with its content")
    return content


class _RandomAccess(io.RawIOBase):
    """A seekable file of known size over a `_range` method."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self._size = size
        self._position = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._position

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        self._position = (
            offset + {io.SEEK_SET: 0, io.SEEK_CUR: self._position, io.SEEK_END: self._size}[whence]
        )
        return self._position

    def read(self, size: int = -1) -> bytes:
        left = max(self._size - self._position, 0)
        content = self._range(self._position, left if size < 0 else min(size, left))
        self._position += len(content)
        return content

    def _range(self, offset: int, length: int) -> bytes:
        raise NotImplementedError


class _StorageFile(_RandomAccess):
    """A file of the index directory."""

    def __init__(self, storage: IndexStorage, name: str, size: int) -> None:
        super().__init__(size)
        self._storage = storage
        self._name = name

    def _range(self, offset: int, length: int) -> bytes:
        return self._storage.read(self._name, offset, length)


class _CheckedFile(_RandomAccess):
    """A file of which only some parts are in memory; what lies outside them can't be read."""

    def __init__(self, size: int) -> None:
        super().__init__(size)
        self._parts: dict[int, bytes] = {}

    def show(self, offset: int, content: bytes) -> None:
        self._parts[offset] = content

    def hide(self, offset: int) -> None:
        del self._parts[offset]

    def _range(self, offset: int, length: int) -> bytes:
        for start, content in self._parts.items():
            if start <= offset and offset + length <= start + len(content):
                return content[offset - start : offset - start + length]
        raise OSError(f"bytes {offset} to {offset + length} were not read")
