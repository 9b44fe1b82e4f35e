"""Data files of the index: Parquet, sorted by column, checked piece by piece as they are read."""

from __future__ import annotations

import uuid
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from pycompiler.index.blocks import (
    BLOCK_FILES,
    BlockStatistics,
    block_statistics,
    files_groups,
    row_groups,
)
from pycompiler.index.errors import IndexDamagedError
from pycompiler.index.group_names import GroupNames
from pycompiler.index.layout import SCHEMA, stored_files
from pycompiler.index.manifest import DataFile, RowGroup
from pycompiler.index.records import FILE_SCHEMA, FILES, FileGroup
from pycompiler.index.storage.interface import IndexStorage
from pycompiler.index.storage.random_access import CheckedFile, StorageFile

_CHUNK_BYTES: Final = 1 << 20
_READ_BYTES: Final = 8 << 20
"""Row groups that follow on one another are read together up to here: object stores have a price per read."""

# Names of files are there once each, bounds nearly so: a dictionary of them would be a second copy.
_WRITE_OPTIONS: Final[dict[str, Any]] = {
    "compression": "zstd",
    "use_dictionary": ["kind", "column", "type", "nan_count", "flags", "partition", "commit_time"],
    "column_encoding": {"file": "DELTA_BINARY_PACKED"},
    "write_statistics": ["lower", "upper"],
    "store_schema": False,
    # A page ends with the batch of rows in which it gets this long. A batch of bounds is longer; what is
    # nearly the same in all rows stays in one page, for pages cost time as well.
    "data_page_size": 4096,
}
_PAGE_ROWS: Final = 1024


def write_data_file(storage: IndexStorage, files: pa.Table, rows: Iterable[pa.Table]) -> DataFile | None:
    """Writes one data file.

    Args:
        storage: The index directory.
        files: The base files, as `file_table` gives them.
        rows: Tables of `SCHEMA` without rows of the files, sorted by (kind, column, file) within each and
            from one to the next. They may be cut anywhere; a row group and a table at most are in memory.

    Returns:
        What the manifest says about it, or None if there are no files. It is durable, and unused until a
        manifest lists it.
    """
    if not files.num_rows:
        return None
    name = f"data-{uuid.uuid4()}.parquet"
    written = []
    options = {**_WRITE_OPTIONS, "write_batch_size": _page_rows(files.num_rows)}
    with storage.create(name) as sink, pq.ParquetWriter(sink, SCHEMA, **options) as writer:
        for group in _groups(files, rows):
            # In one piece: the writer would begin a page with each.
            writer.write_table(group.combine_chunks(), row_group_size=group.num_rows)
            written.append(_Written.of(group, block_statistics(group, files)))
    return _describe(storage, name, files.num_rows, written)


def _page_rows(files: int) -> int:
    """Rows of a page of bounds: whole columns where every file has a row, so that others are not decoded."""
    columns = -(-_PAGE_ROWS // files)
    return min(columns * files, BLOCK_FILES)


class DataFileReader:
    """Reads one data file. Row groups that nobody asks for are neither read nor checked.

    Every method raises `IndexDamagedError` if the file is missing or of another size, or what it reads fails
    its checksum.

    Args:
        storage: The index directory.
        data_file: The manifest's entry.
    """

    def __init__(self, storage: IndexStorage, data_file: DataFile) -> None:
        self._storage = storage
        self._data_file = data_file
        self._files: pa.Table | None = None

    @property
    def data_file(self) -> DataFile:
        """The manifest's entry."""
        return self._data_file

    def files(self) -> pa.Table:
        """The table of base files: `FILE_SCHEMA`, a file's ordinal is its position. It is read once."""
        if self._files is None:
            tables = list(self._read(lambda group: group.kind == FILES))
            table = pa.concat_tables([SCHEMA.empty_table(), *tables])
            ordinals = table["file"].combine_chunks()
            if not ordinals.equals(pa.array(np.arange(self._data_file.files, dtype=np.int32))):
                raise IndexDamagedError(f"the base files of {self._data_file.name} are not counted through")
            self._files = table.select(FILE_SCHEMA.names).combine_chunks().cast(FILE_SCHEMA)
        return self._files

    def kinds(self, columns: Collection[str]) -> set[str]:
        """The kinds of which it can have rows of some columns."""
        return {group.kind for group in self.data_file.row_groups if group.holds_any(columns)}

    def files_of(self, groups: Collection[FileGroup]) -> pa.Table:
        """The base files of some file groups, and others it may be: `FILE_SCHEMA`, in the order of the files.

        It reads the parts alone in which they can be, and keeps nothing.
        """
        ids = pa.array(sorted({file_id for _, file_id in groups}), pa.string())
        names = GroupNames(groups)
        found = [FILE_SCHEMA.empty_table()]
        for read in self._open(lambda part: part.kind == FILES and names.may_be_in(part)):
            files = read(columns=FILE_SCHEMA.names).select(FILE_SCHEMA.names)
            found.append(files.filter(pc.is_in(files["file_id"], value_set=ids)))
        return pa.concat_tables([table.cast(FILE_SCHEMA) for table in found])

    def rows(
        self, kinds: Collection[str] | None = None, columns: Collection[str] | None = None
    ) -> Iterator[pa.Table]:
        """Reads rows of some kinds (None: all but the files) and columns (None: all).

        Yields:
            One table of `SCHEMA` a row group.
        """
        names = None if columns is None else pa.array(sorted(columns), pa.string())

        def wanted(group: RowGroup) -> bool:
            kind = group.kind != FILES if kinds is None else group.kind in kinds
            return kind and (columns is None or group.holds_any(columns))

        for table in self._read(wanted):
            yield table if names is None else table.filter(pc.is_in(table["column"], value_set=names))

    def check(self) -> None:
        """Compares the checksums of all parts with their bytes, which takes less time than to read rows."""
        data_file = self._data_file
        _check_size(self._storage, data_file)
        spans = [(group.offset, group.length, group.crc32) for group in data_file.row_groups]
        footer_length = data_file.size - data_file.footer_offset
        for offset, length, crc32 in [
            *spans,
            (data_file.footer_offset, footer_length, data_file.footer_crc32),
        ]:
            if _crc(self._storage, data_file.name, offset, length) != crc32:
                raise IndexDamagedError(
                    f"the checksum of {data_file.name} at {offset} does not agree with its content"
                )

    def _read(self, wanted: Callable[[RowGroup], bool]) -> Iterator[pa.Table]:
        for read in self._open(wanted):
            table = read()
            with _damage_named(self._data_file.name):
                table = table.cast(SCHEMA)
            yield table

    def _open(self, wanted: Callable[[RowGroup], bool]) -> Iterator[Callable[..., pa.Table]]:
        """Gives functions that read the columns of row groups, one after the other."""
        data_file = self._data_file
        numbers = [number for number, group in enumerate(data_file.row_groups) if wanted(group)]
        if not numbers:
            return
        _check_size(self._storage, data_file)
        footer_length = data_file.size - data_file.footer_offset
        footer = _read(self._storage, data_file.name, data_file.footer_offset, footer_length)
        _require_checksum(footer, data_file.footer_crc32, f"footer of {data_file.name}")
        # The parser sees only bytes that were checked, not the file, which could change in between.
        view = CheckedFile(data_file.size)
        with _damage_named(data_file.name):
            metadata = pq.read_metadata(pa.BufferReader(footer))
            few_values = ["partition", "commit_time"]
            parquet = pq.ParquetFile(pa.PythonFile(view, "r"), metadata=metadata, read_dictionary=few_values)
            for number, content in self._contents(numbers):
                offset = data_file.row_groups[number].offset
                view.show(offset, content)
                yield partial(_columns, data_file.name, parquet, number)
                view.hide(offset)

    def _contents(self, numbers: Sequence[int]) -> Iterator[tuple[int, memoryview]]:
        """Gives the bytes of row groups, checked; neighbours are read together."""
        data_file = self._data_file
        for neighbours in _neighbours(data_file.row_groups, numbers):
            start = data_file.row_groups[neighbours[0]].offset
            length = sum(data_file.row_groups[number].length for number in neighbours)
            content = memoryview(_read(self._storage, data_file.name, start, length))
            for number in neighbours:
                group = data_file.row_groups[number]
                part = content[group.offset - start : group.offset - start + group.length]
                _require_checksum(part, group.crc32, f"row group {number} of {data_file.name}")
                yield number, part


class _Written(NamedTuple):
    """What a row group's entry says besides where it lies."""

    kind: str
    first_column: str
    last_column: str
    first_file: int
    last_file: int
    block: BlockStatistics | None
    first_name: tuple[str, str] | None
    last_name: tuple[str, str] | None

    @staticmethod
    def of(group: pa.Table, block: BlockStatistics | None) -> _Written:
        ordinals = pc.min_max(group["file"])
        kind = group["kind"][0].as_py()
        return _Written(
            kind,
            group["column"][0].as_py(),
            group["column"][-1].as_py(),
            ordinals["min"].as_py(),
            ordinals["max"].as_py(),
            block,
            _name(group, 0) if kind == FILES else None,
            _name(group, -1) if kind == FILES else None,
        )


def _name(files: pa.Table, position: int) -> tuple[str, str]:
    return files["partition"][position].as_py(), files["file_name"][position].as_py()


def _groups(files: pa.Table, rows: Iterable[pa.Table]) -> Iterator[pa.Table]:
    yield from files_groups(stored_files(files))
    yield from row_groups(rows, files.num_rows)


def _columns(
    name: str, parquet: pq.ParquetFile, number: int, columns: Sequence[str] | None = None
) -> pa.Table:
    with _damage_named(name):
        return parquet.read_row_group(number, columns=columns, use_threads=False)


@contextmanager
def _damage_named(name: str) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError, pa.ArrowException) as error:
        raise IndexDamagedError(f"{name} is not a data file of an index: {error}") from error


def _describe(storage: IndexStorage, name: str, files: int, written: list[_Written]) -> DataFile:
    size = storage.size(name)
    with pq.ParquetFile(pa.PythonFile(StorageFile(storage, name, size), "r")) as parquet:
        metadata = parquet.metadata
        groups = []
        for number, said in enumerate(written):
            group = metadata.row_group(number)
            offset, chunks = _extent(group)
            length = sum(chunks)
            groups.append(
                RowGroup(
                    offset=offset,
                    length=length,
                    chunks=chunks,
                    crc32=_crc(storage, name, offset, length),
                    rows=group.num_rows,
                    **said._asdict(),
                )
            )
    footer_offset = groups[-1].offset + groups[-1].length
    return DataFile(
        name=name,
        size=size,
        files=files,
        rows=metadata.num_rows,
        footer_offset=footer_offset,
        footer_crc32=_crc(storage, name, footer_offset, size - footer_offset),
        row_groups=tuple(groups),
    )


def _extent(group: pq.RowGroupMetaData) -> tuple[int, tuple[int, ...]]:
    """Offset of the first column chunk of a row group, and the length of each."""
    chunks = [group.column(number) for number in range(group.num_columns)]
    starts = [
        chunk.dictionary_page_offset if chunk.has_dictionary_page else chunk.data_page_offset
        for chunk in chunks
    ]
    lengths = [chunk.total_compressed_size for chunk in chunks]
    # Readers find a chunk behind the ones before it.
    if any(start + length != end for start, length, end in zip(starts, lengths, starts[1:], strict=False)):
        raise RuntimeError(f"Parquet's writer left gaps between column chunks at {starts}")
    return starts[0], tuple(lengths)


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


def _read(storage: IndexStorage, name: str, offset: int, length: int) -> bytes:
    try:
        content = storage.read(name, offset, length)
    except FileNotFoundError as error:
        raise IndexDamagedError(f"{name} is missing") from error
    if len(content) != length:
        raise IndexDamagedError(f"{name} ends before byte {offset + length}")
    return content


def _require_checksum(content: bytes | memoryview, checksum: int, part: str) -> None:
    if zlib.crc32(content) != checksum:
        raise IndexDamagedError(f"the checksum of the {part} does not agree with its content")


def _neighbours(groups: Sequence[RowGroup], numbers: Sequence[int]) -> Iterator[list[int]]:
    """Puts numbers of row groups together that follow on one another, as far as one read goes."""
    together: list[int] = []
    length = 0
    for number in numbers:
        if together and (number != together[-1] + 1 or length + groups[number].length > _READ_BYTES):
            yield together
            together, length = [], 0
        together.append(number)
        length += groups[number].length
    if together:
        yield together
