"""Data files of the index: Parquet, sorted by column; every part that is read is checked."""

import uuid
import zlib
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial
from itertools import accumulate, chain
from typing import Any, Final

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
from pycompiler.index.file_systems.interface import IndexStorage
from pycompiler.index.file_systems.random_access import CheckedFile
from pycompiler.index.manifest import DataFile, RowGroup
from pycompiler.index.record_rows import SCHEMA, paths, stored_files, widen
from pycompiler.index.records import FILE_SCHEMA, FILES, FileGroup

_READ_BYTES: Final = 8 << 20
"""Adjacent row groups are read together up to this size, because object stores charge per read."""

# File names are unique and bounds nearly so: a dictionary would only duplicate them.
_WRITE_OPTIONS: Final[dict[str, Any]] = {
    "compression": "zstd",
    "use_dictionary": ["kind", "column", "type", "nan_count", "flags", "partition", "commit_time"],
    "column_encoding": {"file": "DELTA_BINARY_PACKED"},
    "write_statistics": ["lower", "upper"],
    "store_schema": False,
    # A page ends with the batch of rows in which it exceeds this size. Batches of bounds are longer; columns
    # that hardly vary stay in one page, because pages cost time as well.
    "data_page_size": 4096,
}
_PAGE_ROWS: Final = 1024


def write_data_file(storage: IndexStorage, files: pa.Table, rows: Iterable[pa.Table]) -> DataFile | None:
    """Writes one data file, durably.

    Args:
        storage: The index directory.
        files: The table of files, from `file_table`.
        rows: Tables of `SCHEMA` without rows of kind `FILES`, sorted by (kind, column, file) within and
            across tables. At most one row group and one table are held in memory.

    Returns:
        The manifest entry; None if there are no files. The file is not used until a manifest lists it.
    """
    if not files.num_rows:
        return None
    name = f"data-{uuid.uuid4()}.parquet"
    entries = []
    footers: list[pq.FileMetaData] = []
    options = {**_WRITE_OPTIONS, "write_batch_size": _page_rows(files.num_rows)}
    groups = chain(files_groups(stored_files(files)), row_groups(rows, files.num_rows))
    with (
        storage.create(name) as sink,
        pq.ParquetWriter(sink, SCHEMA, metadata_collector=footers, **options) as writer,
    ):
        for group in groups:
            # In one piece: the writer starts a page with each chunk.
            writer.write_table(group.combine_chunks(), row_group_size=group.num_rows)
            entries.append(_unplaced(group, block_statistics(group, files)))
    return _describe(storage, name, files.num_rows, entries, footers[0])


def _page_rows(files: int) -> int:
    """Rows per page of bounds: whole columns if every file has a row, so that no other column is decoded."""
    columns = -(-_PAGE_ROWS // files)
    return min(columns * files, BLOCK_FILES)


class DataFileReader:
    """Reads one data file. Row groups that are not requested are neither read nor checked.

    Every method raises `IndexDamagedError` if the file is missing or has the wrong size, or if a part that it
    reads fails its checksum.
    """

    def __init__(self, storage: IndexStorage, data_file: DataFile) -> None:
        self._storage = storage
        self.data_file: Final = data_file
        self._files: pa.Table | None = None

    def files(self) -> pa.Table:
        """The table of files, in `FILE_SCHEMA`; a file's ordinal is its position. Read once."""
        if self._files is None:
            tables = list(self._read(lambda group: group.kind == FILES))
            # Without `pa.array` and `to_numpy`, which load pandas.
            table = pa.Table.from_batches([batch for each in tables for batch in each.to_batches()], SCHEMA)
            if table["file"].to_pylist() != [*range(self.data_file.files)]:
                raise IndexDamagedError(f"the files of {self.data_file.name} are not numbered consecutively")
            self._files = table.select(FILE_SCHEMA.names).combine_chunks().cast(FILE_SCHEMA)
        return self._files

    def kinds(self, columns: Collection[str]) -> set[str]:
        """The kinds with possible rows for some of the columns."""
        return {group.kind for group in self.data_file.row_groups if group.holds_any(columns)}

    def files_of(self, groups: Collection[FileGroup]) -> pa.Table:
        """The files of some file groups, possibly among others: `FILE_SCHEMA`, in file order.

        Reads only the row groups that may contain them, and caches nothing.
        """
        ids = pa.array(sorted({file_id for _, file_id in groups}), pa.string())
        names = _GroupNames(groups)
        found = [FILE_SCHEMA.empty_table()]
        for files in self._read(lambda part: part.kind == FILES and names.overlaps(part), FILE_SCHEMA):
            found.append(files.filter(pc.is_in(files["file_id"], value_set=ids)))
        return pa.concat_tables(found)

    def rows(
        self, kinds: Collection[str] | None = None, columns: Collection[str] | None = None
    ) -> Iterator[pa.Table]:
        """Reads rows of some kinds (None: all but the files) and columns (None: all).

        Yields:
            One table of `SCHEMA` per row group.
        """
        names = None if columns is None else pa.array(sorted(columns), pa.string())

        def wanted(group: RowGroup) -> bool:
            kind = group.kind != FILES if kinds is None else group.kind in kinds
            return kind and (columns is None or group.holds_any(columns))

        for table in self._read(wanted):
            yield table if names is None else table.filter(pc.is_in(table["column"], value_set=names))

    def rows_of(self, files: Collection[str]) -> Iterator[pa.Table]:
        """Reads all rows about some files, given by their paths, as tables of `RECORD_SCHEMA`."""
        known = paths(self.files())
        found = pc.indices_nonzero(pc.is_in(known, value_set=pa.array(sorted(files), pa.string())))
        if not len(found):
            return
        ordinals = found.cast(pa.int32())
        first, last = ordinals[0].as_py(), ordinals[-1].as_py()
        for rows in self._read(
            lambda group: group.kind != FILES and group.first_file <= last and group.last_file >= first
        ):
            yield widen(rows.filter(pc.is_in(rows["file"], value_set=ordinals)), self.files())

    def check(self) -> None:
        """Verifies the checksums of all parts, without decoding rows."""
        self._checked_footer()
        for _ in self._contents(range(len(self.data_file.row_groups))):
            pass

    def _read(self, wanted: Callable[[RowGroup], bool], schema: pa.Schema = SCHEMA) -> Iterator[pa.Table]:
        """Reads the columns of a schema from some row groups, one group after the other."""
        data_file = self.data_file
        numbers = [number for number, group in enumerate(data_file.row_groups) if wanted(group)]
        if not numbers:
            return
        footer = self._checked_footer()
        # The parser sees only checked bytes, not the file, which could change in between.
        view = CheckedFile(data_file.size)
        try:
            metadata = pq.read_metadata(pa.BufferReader(footer))
            few_values = ["partition", "commit_time"]
            # Buffering would call the view on a thread of Arrow's, and one that needs Python while the
            # process ends aborts it.
            parquet = pq.ParquetFile(
                pa.PythonFile(view, "r"), metadata=metadata, read_dictionary=few_values, pre_buffer=False
            )
            for number, content in self._contents(numbers):
                view.show(data_file.row_groups[number].offset, content)
                table = parquet.read_row_group(number, columns=schema.names, use_threads=False)
                yield table.select(schema.names).cast(schema)
        except (OSError, ValueError, KeyError, pa.ArrowException) as error:
            raise IndexDamagedError(f"{data_file.name} is not an index data file: {error}") from error

    def _checked_footer(self) -> bytes:
        """Checks the file's size, and reads its footer."""
        data_file = self.data_file
        try:
            size = self._storage.size(data_file.name)
        except FileNotFoundError as error:
            raise IndexDamagedError(f"{data_file.name} is missing") from error
        if size != data_file.size:
            raise IndexDamagedError(f"{data_file.name} has {size} bytes instead of {data_file.size}")
        footer = self._bytes(data_file.footer_offset, data_file.footer_length)
        _require_checksum(footer, data_file.footer_crc32, f"footer of {data_file.name}")
        return footer

    def _contents(self, numbers: Sequence[int]) -> Iterator[tuple[int, memoryview]]:
        """Yields the checked bytes of row groups; adjacent ones are read together."""
        data_file = self.data_file
        for neighbours in _neighbours(data_file.row_groups, numbers):
            start = data_file.row_groups[neighbours[0]].offset
            length = sum(data_file.row_groups[number].length for number in neighbours)
            content = memoryview(self._bytes(start, length))
            for number in neighbours:
                group = data_file.row_groups[number]
                part = content[group.offset - start : group.offset - start + group.length]
                _require_checksum(part, group.crc32, f"row group {number} of {data_file.name}")
                yield number, part

    def _bytes(self, offset: int, length: int) -> bytes:
        name = self.data_file.name
        try:
            content = self._storage.read(name, offset, length)
        except FileNotFoundError as error:
            raise IndexDamagedError(f"{name} is missing") from error
        if len(content) != length:
            raise IndexDamagedError(f"{name} ends before byte {offset + length}")
        return content


class _GroupNames:
    """The names that files of some file groups may have.

    Hudi names base files `<file id>_…` and log files `.<file id>_…`, and rows are sorted by partition and
    name. So all base files of a group lie between two names, and so do its log files.
    """

    def __init__(self, groups: Collection[FileGroup]) -> None:
        # "`" follows "_" in ASCII.
        ranges = sorted(
            ((partition, f"{prefix}_"), (partition, f"{prefix}`"))
            for partition, file_id in groups
            for prefix in (file_id, f".{file_id}")
        )
        self._starts = [start for start, _ in ranges]
        self._last_end = list(accumulate((end for _, end in ranges), max))

    def overlaps(self, part: RowGroup) -> bool:
        """Whether a row group of kind `FILES` may contain files of one of the groups."""
        if part.first_name is None or part.last_name is None:
            return True
        begun = bisect_right(self._starts, part.last_name)
        return begun > 0 and self._last_end[begun - 1] > part.first_name


def _unplaced(group: pa.Table, block: BlockStatistics | None) -> Callable[..., RowGroup]:
    """Makes a row group's entry from its place in the file."""
    ordinals = pc.min_max(group["file"])
    kind = group["kind"][0].as_py()
    names = [
        (group["partition"][row].as_py(), group["file_name"][row].as_py()) if kind == FILES else None
        for row in (0, -1)
    ]
    return partial(
        RowGroup,
        kind=kind,
        rows=group.num_rows,
        first_column=group["column"][0].as_py(),
        last_column=group["column"][-1].as_py(),
        first_file=ordinals["min"].as_py(),
        last_file=ordinals["max"].as_py(),
        block=block,
        first_name=names[0],
        last_name=names[1],
    )


def _describe(
    storage: IndexStorage,
    name: str,
    files: int,
    entries: Sequence[Callable[..., RowGroup]],
    metadata: pq.FileMetaData,
) -> DataFile:
    size = storage.size(name)
    groups = []
    for number, entry in enumerate(entries):
        offset, chunks = _extent(metadata.row_group(number))
        length = sum(chunks)
        crc32 = zlib.crc32(storage.read(name, offset, length))
        groups.append(entry(offset=offset, length=length, chunks=chunks, crc32=crc32))
    footer_offset = groups[-1].offset + groups[-1].length
    return DataFile(
        name=name,
        size=size,
        files=files,
        rows=metadata.num_rows,
        footer_offset=footer_offset,
        footer_crc32=zlib.crc32(storage.read(name, footer_offset)),
        row_groups=tuple(groups),
    )


def _extent(group: pq.RowGroupMetaData) -> tuple[int, tuple[int, ...]]:
    """Offset of a row group's first column chunk, and the length of each chunk."""
    chunks = [group.column(number) for number in range(group.num_columns)]
    starts = [
        chunk.dictionary_page_offset if chunk.has_dictionary_page else chunk.data_page_offset
        for chunk in chunks
    ]
    lengths = [chunk.total_compressed_size for chunk in chunks]
    # Readers locate each chunk by the lengths of those before it.
    if any(start + length != end for start, length, end in zip(starts, lengths, starts[1:], strict=False)):
        raise RuntimeError(f"Parquet's writer left gaps between column chunks at {starts}")
    return starts[0], tuple(lengths)


def _require_checksum(content: bytes | memoryview, checksum: int, part: str) -> None:
    if zlib.crc32(content) != checksum:
        raise IndexDamagedError(f"the checksum of the {part} does not match its content")


def _neighbours(groups: Sequence[RowGroup], numbers: Sequence[int]) -> Iterator[list[int]]:
    """Groups the numbers of adjacent row groups that one read can cover."""
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
