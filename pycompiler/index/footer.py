"""From a Parquet footer to the records of a base file.

Pages are read for the columns only that are to have more than a range.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import fs

from pycompiler.encoding import encode_value, truncate_lower, truncate_upper
from pycompiler.index.errors import FooterError
from pycompiler.index.options import IndexOptions
from pycompiler.index.pages import PageValues, read_values
from pycompiler.index.provenance import Provenance, provenance
from pycompiler.index.records import HoodieMetadataRecord, IndexedFile, RecordFlag, WriteStatus
from pycompiler.index.stored_type import StoredType, stored_type
from pycompiler.types import ValueKind

_ALL_COLUMNS: Final = IndexOptions()


def read_records(status: WriteStatus, options: IndexOptions = _ALL_COLUMNS) -> list[HoodieMetadataRecord]:
    """Opens a base file and gives its records; see `read_footer`."""
    return read_footer(status, options)[1]


def read_footer(
    status: WriteStatus, options: IndexOptions = _ALL_COLUMNS
) -> tuple[IndexedFile, list[HoodieMetadataRecord]]:
    """Opens a base file and gives what the index says of it, and its records.

    The size is that of the file as it is opened, whatever the write status says.

    Raises:
        FileNotFoundError: The file is gone, as after a clean.
        FooterError: It is there, and isn't a readable Parquet file.
    """
    with _opened(status) as (source, metadata):
        file = IndexedFile(
            status.partition,
            status.file_name,
            status.file_id,
            status.commit_time,
            source.size(),
            metadata.num_rows,
        )
        columns = list(_columns(metadata.schema, options))
        ranges = _range_records(metadata, file, columns)
        return file, [*ranges, *_content_records(source, metadata, file, columns, options)]


def open_file_system(path: str) -> tuple[fs.FileSystem, str]:
    """Finds the file system of a path as Hadoop writes it (`/a/b`, `file:/a/b`, `hdfs://host/a/b`).

    Hadoop's text is not percent-encoded, a partition folder may hold a literal `%3A`, so only scheme and
    authority are handed on as a URI.
    """
    scheme, colon, rest = path.partition(":")
    if not colon or "/" in scheme:
        return fs.LocalFileSystem(), path
    if scheme == "file":
        return fs.LocalFileSystem(), "/" + rest.lstrip("/")
    authority, _, inner = rest.removeprefix("//").partition("/")
    file_system, root = fs.FileSystem.from_uri(f"{scheme}://{authority}/")
    return file_system, f"{root.rstrip('/')}/{inner}"


def _range_records(
    metadata: pq.FileMetaData, file: IndexedFile, columns: Iterable[_Column]
) -> list[HoodieMetadataRecord]:
    writer = provenance(metadata.created_by)
    row_groups = [metadata.row_group(number) for number in range(metadata.num_row_groups)]
    filled = [group for group in row_groups if group.num_rows > 0]
    records = []
    for position, name, stored in columns:
        merged = _Merged(stored, writer)
        for group in filled:
            merged.add(group.column(position).statistics, group.num_rows)
        lower, upper, flags = merged.bounds()
        records.append(
            HoodieMetadataRecord(
                column=name,
                type=stored.hive_type,
                partition=file.partition,
                file_name=file.file_name,
                file_id=file.file_id,
                commit_time=file.commit_time,
                file_size=file.size,
                lower=lower,
                upper=upper,
                null_count=merged.null_count,
                value_count=file.rows,
                nan_count=merged.nan_count,
                flags=flags,
            )
        )
    return records


def values_of(status: WriteStatus, columns: Collection[str]) -> dict[str, PageValues]:
    """Reads the distinct values of some columns, given by their index names, as far as they can be trusted.

    Raises:
        FileNotFoundError: The file is gone, as after a clean.
        FooterError: It is there, and isn't a readable Parquet file.
    """
    with _opened(status) as (source, metadata):
        found = {
            name: read_values(source, metadata, position, stored)
            for position, name, stored in _columns(metadata.schema, _ALL_COLUMNS)
            if name in columns
        }
    return {name: values for name, values in found.items() if values is not None}


def _content_records(
    source: pa.NativeFile,
    metadata: pq.FileMetaData,
    file: IndexedFile,
    columns: Iterable[_Column],
    options: IndexOptions,
) -> Iterator[HoodieMetadataRecord]:
    for position, name, stored in columns:
        kinds = options.kinds_of(name)
        values = read_values(source, metadata, position, stored) if kinds else None
        for kind in kinds or ():
            content = None if values is None else kind.content(values)
            if content is not None:
                yield HoodieMetadataRecord(
                    kind=kind.name,
                    column=name,
                    type=stored.hive_type,
                    partition=file.partition,
                    file_name=file.file_name,
                    file_id=file.file_id,
                    commit_time=file.commit_time,
                    file_size=file.size,
                    value_count=file.rows,
                    content=content,
                )


@contextmanager
def _opened(status: WriteStatus) -> Iterator[tuple[pa.NativeFile, pq.FileMetaData]]:
    file_system, path = open_file_system(status.path)
    try:
        with file_system.open_input_file(path) as source, pq.ParquetFile(source) as parquet:
            yield source, parquet.metadata
    except FileNotFoundError:
        raise
    except (OSError, pa.ArrowException, KeyError) as error:
        raise FooterError(f"can't read {status.path}: {error}") from error


class _Column(NamedTuple):
    """Leaf position, index name and stored type of a column."""

    position: int
    name: str
    stored: StoredType


@dataclass(slots=True)
class _Merged:
    """Statistics of a column over the row groups seen so far; what one of them lacks, the file lacks."""

    stored: StoredType
    writer: Provenance
    lower: bytes | None = None
    upper: bytes | None = None
    lower_known: bool = True
    upper_known: bool = True
    null_count: int | None = 0
    missing: bool = False
    nan_free: bool = True

    def add(self, statistics: Any, rows: int) -> None:
        """Takes in a row group's statistics (None if it has none)."""
        nulls = statistics.null_count if statistics is not None and statistics.has_null_count else None
        if nulls is None or self.null_count is None:
            self.null_count = None
        else:
            self.null_count += nulls
        if nulls == rows:
            return  # No value in the group, so nothing to bound.
        if statistics is None or nulls is None or not statistics.has_min_max:
            self.missing = True
        lower = upper = None
        if statistics is not None and statistics.has_min_max and self._trusted():
            lower, upper = self._encode(statistics.min_raw), self._encode(statistics.max_raw)
        if lower is not None and upper is not None and lower > upper:
            lower = upper = None  # No order that we know: not bounds.
        self.nan_free = self.nan_free and lower is not None and upper is not None
        self._widen(lower, upper)

    def bounds(self) -> tuple[bytes | None, bytes | None, RecordFlag]:
        """Lower and upper bound, cut to length, and the row's flags."""
        lower = self.lower if self.lower_known else None
        upper = self.upper if self.upper_known else None
        flags = RecordFlag.STATISTICS_MISSING if self.missing else RecordFlag.NONE
        if self.stored.hive_type.kind is ValueKind.FLOAT and self.nan_count is None:
            # NaN is left out of bounds, so these say nothing about a file that may hold one.
            return None, None, flags
        # Only strings are cut: a cut decimal would be no encoded value any more, and the others are short.
        if self.stored.hive_type.kind is ValueKind.STRING:
            cut_lower = None if lower is None else truncate_lower(lower)
            cut_upper = None if upper is None else truncate_upper(upper)
            flags |= RecordFlag.LOWER_CUT if cut_lower != lower else RecordFlag.NONE
            flags |= RecordFlag.UPPER_CUT if cut_upper != upper else RecordFlag.NONE
            lower, upper = cut_lower, cut_upper
        return lower, upper, flags

    @property
    def nan_count(self) -> int | None:
        """0 if no NaN is known to be there; None if not known, and for other types than float and double."""
        return 0 if self.stored.hive_type.kind is ValueKind.FLOAT and self.nan_free else None

    def _trusted(self) -> bool:
        if not self.stored.has_bounds:
            return False
        if self.stored.byte_ordered:
            return self.writer.orders_bytes
        return self.stored.hive_type.kind is not ValueKind.FLOAT or self.writer.nan_is_greatest

    def _encode(self, raw: Any) -> bytes | None:
        value = self.stored.bound(raw)
        return None if value is None else encode_value(self.stored.hive_type, value)

    def _widen(self, lower: bytes | None, upper: bytes | None) -> None:
        if lower is None:
            self.lower_known = False
        elif self.lower is None or lower < self.lower:
            self.lower = lower
        if upper is None:
            self.upper_known = False
        elif self.upper is None or upper > self.upper:
            self.upper = upper


def _columns(schema: pq.ParquetSchema, options: IndexOptions) -> Iterator[_Column]:
    """The columns that get rows: top-level primitives and fields of structs.

    What is inside a list or a map, names with a dot and names that differ only in case have none.
    """
    for position, path in _named_leaves(schema):
        name = ".".join(path)
        column = schema.column(position)
        if options.kinds_of(name) is None or column.max_repetition_level > 0:
            continue
        stored = stored_type(
            column.physical_type,
            column.logical_type.to_json(),
            # Both raise for types that are not decimals in some releases of pyarrow, hence the test.
            *((column.precision, column.scale) if column.logical_type.type == "DECIMAL" else (0, 0)),
        )
        if stored is not None:
            yield _Column(position, name, stored)


def _named_leaves(schema: pq.ParquetSchema) -> list[tuple[int, tuple[str, ...]]]:
    """Positions and lower-case paths of the leaves outside lists and maps whose name is unambiguous."""
    arrow_schema = schema.to_arrow_schema()
    leaves: list[tuple[int, tuple[str, ...]]] = []
    position = 0

    def ambiguous(names: list[str]) -> set[str]:
        return {name for name, count in Counter(name.lower() for name in names).items() if count > 1}

    def walk(fields: list[pa.Field], prefix: tuple[str, ...] | None) -> None:
        nonlocal position
        shared = ambiguous([field.name for field in fields])
        for field in fields:
            name = field.name.lower()
            hidden = prefix is None or "." in name or name in shared
            path = None if hidden or prefix is None else (*prefix, name)
            kind = field.type.storage_type if isinstance(field.type, pa.BaseExtensionType) else field.type
            if pa.types.is_nested(kind):
                children = [kind.field(number) for number in range(kind.num_fields)]
                walk(children, path if pa.types.is_struct(kind) else None)
            else:
                if path is not None:
                    leaves.append((position, path))
                position += 1

    walk(list(arrow_schema), ())
    if position != len(schema):
        raise FooterError(f"{position} leaves in a schema of {len(schema)} columns")
    return leaves
