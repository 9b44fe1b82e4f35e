"""Reads the distinct values of a base file's columns from its pages."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from pycompiler.collect.stored_type import StoredType
from pycompiler.values.encoding import encode_value
from pycompiler.values.types import HiveType, ValueKind

_ARROW_TYPES: Final = {
    ValueKind.BOOLEAN: (pa.bool_(),),
    ValueKind.INTEGER: (pa.int64(),),
    ValueKind.FLOAT: (pa.float64(),),
    ValueKind.STRING: (pa.large_string(), pa.large_binary()),
    ValueKind.DATE: (pa.date32(), pa.int32()),
}
"""Arrow types that values of a kind are cast through before encoding; decimals need no cast."""


class PageValues:
    """The distinct values of one column, without NULL and NaN."""

    def __init__(self, hive_type: HiveType, values: pa.Array) -> None:
        self._type = hive_type
        self._values = values

    @property
    def min_count(self) -> int:
        """A lower bound of their count, known without encoding."""
        zeros = self._type.kind is ValueKind.FLOAT and len(self._values) > 0  # 0.0 and -0.0 are one.
        return len(self._values) - zeros

    def encoded(self) -> list[bytes]:
        """The encoded values, ascending."""
        return sorted({encode_value(self._type, value) for value in self._values.to_pylist()})

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """The values, each as a row of one."""
        return zip(self._values.to_pylist(), strict=True)


class PageRows:
    """The distinct rows of several columns, without those that have NULL or NaN."""

    def __init__(self, values: pa.Table) -> None:
        self._values = values

    @property
    def min_count(self) -> int:
        """A lower bound of their count: 0, because rows may differ only in 0.0 and -0.0."""
        return 0

    def encoded(self) -> list[bytes]:
        """Raises a `TypeError`: a kind of several columns must use `rows`."""
        raise TypeError("rows of several columns have no single encoded values")

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """The distinct rows."""
        return zip(*(column.to_pylist() for column in self._values.columns), strict=True)


def read_values(
    source: Any, metadata: pq.FileMetaData, position: int, stored: StoredType
) -> PageValues | None:
    """Reads the distinct values of the leaf at a position of the schema, outside lists and maps.

    Holds one row group of the column in memory; strings stay dictionary-encoded.

    Returns:
        The values; None if one has no trusted encoding, and so could not be a bound either.

    Raises:
        OSError: A page cannot be read. Also raised as pa.ArrowException.
    """
    if not stored.has_bounds:
        return None
    path = metadata.schema.column(position).path
    dictionaries = [path] if stored.hive_type.kind is ValueKind.STRING else []
    parts: list[pa.Array] = []
    with pq.ParquetFile(source, metadata=metadata, read_dictionary=dictionaries) as parquet:
        for number in range(metadata.num_row_groups):
            column = parquet.read_row_group(number, columns=[path], use_threads=False).column(0)
            for _ in range(path.count(".")):
                column = pc.struct_field(column, 0)  # Only this one was read; NULL where a parent is.
            parts.extend(map(_distinct, column.chunks))
    if not parts:
        return PageValues(stored.hive_type, pa.array([], pa.null()))
    return _trusted(stored.hive_type, pa.chunked_array(parts).unique().drop_null())


def read_rows(
    source: Any, metadata: pq.FileMetaData, columns: Sequence[tuple[int, StoredType]]
) -> PageRows | None:
    """Reads the distinct rows of several columns, given by position and stored type.

    Returns:
        The rows; None if a value has no trusted encoding, as for `read_values`.
    """
    if not all(stored.has_bounds for _, stored in columns):
        return None
    paths = [metadata.schema.column(position).path for position, _ in columns]
    names = [str(number) for number in range(len(columns))]
    parts: list[pa.Table] = []
    with pq.ParquetFile(source, metadata=metadata) as parquet:
        for number in range(metadata.num_row_groups):
            group = parquet.read_row_group(number, columns=paths, use_threads=False)
            arrays: list[pa.ChunkedArray] = []
            for path, (_, stored) in zip(paths, columns, strict=True):
                values = _plain(stored.hive_type, _decoded(_column(group, path)))
                if values is None:
                    return None
                arrays.append(values)
            parts.append(_distinct_rows(pa.table(arrays, names)))
    rows = pa.concat_tables(parts) if parts else pa.table([pa.array([], pa.null())] * len(names), names)
    if any(
        not _is_within_limits(stored, rows[name]) for name, (_, stored) in zip(names, columns, strict=True)
    ):
        return None
    return PageRows(_distinct_rows(rows) if len(parts) > 1 else rows)


def _column(group: pa.Table, path: str) -> pa.ChunkedArray:
    """A column or struct field; a field is NULL where its struct is."""
    name, *fields = path.split(".")
    column = group[name]
    return pc.struct_field(column, fields) if fields else column


def _decoded(column: pa.ChunkedArray) -> pa.ChunkedArray:
    return column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column


def _distinct_rows(table: pa.Table) -> pa.Table:
    """The distinct rows without NULL and NaN."""
    for name in table.column_names:
        known = pc.is_valid(table[name])
        if pa.types.is_floating(table[name].type):
            known = pc.and_(known, pc.invert(pc.is_nan(table[name])))
        table = table.filter(known)
    return table.group_by(table.column_names).aggregate([])


def _distinct(chunk: pa.Array) -> pa.Array:
    distinct = chunk.unique()
    return distinct.dictionary_decode() if pa.types.is_dictionary(distinct.type) else distinct


def _trusted(hive_type: HiveType, values: pa.Array) -> PageValues | None:
    plain = _plain(hive_type, values)
    if plain is None:
        return None
    if hive_type.kind is ValueKind.FLOAT:
        plain = plain.filter(pc.invert(pc.is_nan(plain)))
    return PageValues(hive_type, plain) if _is_within_limits(StoredType(hive_type), plain) else None


def _plain(hive_type: HiveType, values: pa.Array) -> pa.Array | None:
    """The values in the form to encode; None if one cannot be encoded."""
    kind = hive_type.kind
    if kind is None:
        return None
    try:
        if kind is ValueKind.TIMESTAMP:
            # From any unit: the cast fails for values that do not fit into microseconds.
            values = values.cast(pa.timestamp("us", values.type.tz)).cast(pa.int64())
        for arrow_type in _ARROW_TYPES.get(kind, ()):
            values = values.cast(arrow_type)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        return None
    return values


def _is_within_limits(stored: StoredType, values: pa.Array) -> bool:
    # Writers and Hive disagree on days before 1583, and a set must not miss any value.
    limits = StoredType(stored.hive_type).raw_limits
    return limits is None or len(values) == 0 or pc.min(values).as_py() >= limits[0]
