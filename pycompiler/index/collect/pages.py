"""Reads the distinct values of a base file's columns from its pages."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from pycompiler.compile.values.encoding import encode_value, encode_values
from pycompiler.compile.values.types import RECORDED_MILLIS, HiveType, ValueKind
from pycompiler.index.collect.stored_type import StoredType

_ARROW_TYPES: Final = {
    ValueKind.BOOLEAN: (pa.bool_(),),
    ValueKind.INTEGER: (pa.int64(),),
    ValueKind.FLOAT: (pa.float64(),),
    ValueKind.STRING: (pa.large_string(), pa.large_binary()),
    ValueKind.DATE: (pa.date32(), pa.int32()),
}
"""Arrow types that values of a kind are cast through before encoding; decimals need no cast."""


class PageValues:
    """The distinct values of a column, or the distinct rows of several columns, without NULL and NaN."""

    def __init__(self, types: Sequence[HiveType], values: Sequence[pa.ChunkedArray]) -> None:
        self._types = types
        self._values = values

    @property
    def min_count(self) -> int:
        """A lower bound of their count, known without encoding."""
        if len(self._types) > 1:
            return 0  # Rows may differ only in 0.0 and -0.0, which are one value.
        count = len(self._values[0])
        return max(count - 1, 0) if self._types[0].kind is ValueKind.FLOAT else count

    def encoded(self) -> list[bytes]:
        """The encoded values, ascending."""
        if len(self._types) > 1:
            raise TypeError("rows of several columns have no single encoded values")
        return sorted({encode_value(self._types[0], value) for (value,) in self.rows()})

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """The distinct rows; each has one value per column."""
        return zip(*(column.to_pylist() for column in self._values), strict=True)


def read_values(
    source: Any, metadata: pq.FileMetaData, columns: Sequence[tuple[int, StoredType]]
) -> PageValues | None:
    """Reads the distinct rows of leaves outside lists and maps, given by position in the schema.

    Holds one row group of the columns in memory; strings of a single column stay dictionary-encoded.

    Returns:
        The rows; None if a value has no trusted encoding, and so could not be a bound either.

    Raises:
        OSError: A page cannot be read. Also raised as pa.ArrowException.
    """
    if not all(stored.has_bounds for _, stored in columns):
        return None
    types = [stored.hive_type for _, stored in columns]
    parts = [_fewer(group) for group in _row_groups(source, metadata, columns)]
    if not parts:
        return PageValues(types, [pa.chunked_array([], pa.null())] * len(types))
    rows = _trusted(types, _distinct(pa.concat_tables(parts)))
    return None if rows is None else PageValues(types, rows.columns)


def read_value_counts(
    source: Any, metadata: pq.FileMetaData, position: int, stored: StoredType
) -> Counter[bytes] | None:
    """Reads the encoded values of a leaf outside lists and maps, without NULL and NaN, each with its rows.

    Returns:
        The values; None if one has no trusted encoding.

    Raises:
        OSError: A page cannot be read. Also raised as pa.ArrowException.
    """
    if not stored.has_bounds:
        return None
    counts: Counter[bytes] = Counter()
    for (column,) in _row_groups(source, metadata, [(position, stored)]):
        for chunk in column.chunks:
            values, rows = chunk.value_counts().flatten()
            counted = pa.table([_decoded(values), rows], ["value", "rows"]).drop_null()
            trusted = _trusted([stored.hive_type], counted)
            if trusted is None:
                return None
            encoded = encode_values(stored.hive_type, trusted.column(0).to_pylist())
            # Distinct values may have one encoding, as 0.0 and -0.0 have.
            for value, number in zip(encoded, trusted.column(1).to_pylist(), strict=True):
                counts[value] += number
    return counts


def read_row_group(
    source: Any, metadata: pq.FileMetaData, columns: Sequence[tuple[int, StoredType]], group: int
) -> list[pa.ChunkedArray | None]:
    """Reads the values of each row of a row group in the form to encode, NULL and NaN included, by column.

    Returns:
        The columns; None for one that has a value without a trusted encoding.

    Raises:
        OSError: A page cannot be read. Also raised as pa.ArrowException.
    """
    (read,) = _row_groups(source, metadata, columns, [group])
    return [
        _trusted_rows(stored, _decoded(values)) for (_, stored), values in zip(columns, read, strict=True)
    ]


def _trusted_rows(stored: StoredType, values: pa.ChunkedArray) -> pa.ChunkedArray | None:
    plain = _plain(stored.hive_type, values) if stored.has_bounds else None
    return plain if plain is not None and _is_within_limits(stored.hive_type, plain.drop_null()) else None


def _row_groups(
    source: Any,
    metadata: pq.FileMetaData,
    columns: Sequence[tuple[int, StoredType]],
    groups: Iterable[int] | None = None,
) -> Iterator[list[pa.ChunkedArray]]:
    """The columns of some row groups, by default all; strings of a single column stay dictionary-encoded."""
    paths = [metadata.schema.column(position).path for position, _ in columns]
    is_text = [stored.hive_type.kind for _, stored in columns] == [ValueKind.STRING]
    # Not buffered, because that starts a thread of Arrow's (see `DataFileReader`).
    with pq.ParquetFile(
        source, metadata=metadata, read_dictionary=paths if is_text else [], pre_buffer=False
    ) as parquet:
        for number in range(metadata.num_row_groups) if groups is None else groups:
            group = parquet.read_row_group(number, columns=paths, use_threads=False)
            yield [_column(group, path) for path in paths]


def _column(group: pa.Table, path: str) -> pa.ChunkedArray:
    """A column or struct field; a field is NULL where its struct is."""
    name, *fields = path.split(".")
    column = group[name]
    return pc.struct_field(column, fields) if fields else column


def _fewer(columns: Sequence[pa.ChunkedArray]) -> pa.Table:
    """The rows without NULL, with few duplicates, not dictionary-encoded."""
    if len(columns) == 1:
        # Chunks may have different dictionaries.
        chunks = [_decoded(chunk.unique().drop_null()) for chunk in columns[0].chunks]
        return pa.table([pa.chunked_array(chunks, _decoded_type(columns[0]))], ["0"])
    names = [str(number) for number in range(len(columns))]
    return _distinct(pa.table(list(map(_decoded, columns)), names).drop_null())


def _distinct(rows: pa.Table) -> pa.Table:
    if rows.num_columns == 1:
        # Much faster than `group_by`.
        return pa.table([rows.column(0).unique()], rows.column_names)
    return rows.group_by(rows.column_names).aggregate([])


def _decoded(column: pa.Array | pa.ChunkedArray) -> pa.Array | pa.ChunkedArray:
    return column.cast(_decoded_type(column))


def _decoded_type(column: pa.Array | pa.ChunkedArray) -> pa.DataType:
    return column.type.value_type if pa.types.is_dictionary(column.type) else column.type


def _trusted(types: Sequence[HiveType], rows: pa.Table) -> pa.Table | None:
    """The rows with values in the form to encode, without NaN; None if one has no trusted encoding.

    The first columns have the types; others stay as they are.
    """
    for number, hive_type in enumerate(types):
        plain = _plain(hive_type, rows.column(number))
        if plain is None:
            return None
        rows = rows.set_column(number, rows.column_names[number], plain)
        if hive_type.kind is ValueKind.FLOAT:
            rows = rows.filter(pc.invert(pc.is_nan(plain)))
    if not all(map(_is_within_limits, types, rows.columns)):
        return None
    return rows


def _plain(hive_type: HiveType, values: pa.ChunkedArray) -> pa.ChunkedArray | None:
    """The values in the form to encode; None if one cannot be encoded."""
    kind = hive_type.kind
    if kind is None:
        return None
    try:
        if kind is ValueKind.TIMESTAMP:
            if hive_type == RECORDED_MILLIS or pa.types.is_integer(values.type):
                # The number has the table's unit, whatever the file says.
                unit = "ms" if hive_type == RECORDED_MILLIS else "us"
                values = values.cast(pa.int64()).cast(pa.timestamp(unit))
            # From any unit: the cast fails for values that do not fit into microseconds.
            values = values.cast(pa.timestamp("us", values.type.tz)).cast(pa.int64())
        for arrow_type in _ARROW_TYPES.get(kind, ()):
            values = values.cast(arrow_type)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        return None
    return values


def _is_within_limits(hive_type: HiveType, values: pa.ChunkedArray) -> bool:
    # Writers and Hive disagree on days before 1583, and a set must not miss any value.
    limits = StoredType(hive_type).raw_limits
    return limits is None or len(values) == 0 or pc.min(values).as_py() >= limits[0]
