"""The distinct values of a column of a base file, from its pages."""

from __future__ import annotations

from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from pycompiler.statistics.stored_type import StoredType
from pycompiler.values.encoding import encode_value
from pycompiler.values.types import HiveType, ValueKind

_ARROW_TYPES: Final = {
    ValueKind.BOOLEAN: (pa.bool_(),),
    ValueKind.INTEGER: (pa.int64(),),
    ValueKind.FLOAT: (pa.float64(),),
    ValueKind.STRING: (pa.large_string(), pa.large_binary()),
    ValueKind.DATE: (pa.date32(), pa.int32()),
}
"""What the values of a kind are cast to, one after the other, to be encoded; decimals are as they are."""


class PageValues:
    """Distinct values that were read.

    Args:
        hive_type: Their type.
        values: The values as Arrow has them, without NULL and NaN.
    """

    def __init__(self, hive_type: HiveType, values: pa.Array) -> None:
        self._type = hive_type
        self._values = values

    @property
    def least_number(self) -> int:
        """A lower bound of their number, known without encoding them."""
        zeros = self._type.kind is ValueKind.FLOAT and len(self._values) > 0  # 0.0 and -0.0 are one.
        return len(self._values) - zeros

    def encoded(self) -> list[bytes]:
        """The encoded values, ascending."""
        return sorted({encode_value(self._type, value) for value in self._values.to_pylist()})


def read_values(
    source: Any, metadata: pq.FileMetaData, position: int, stored: StoredType
) -> PageValues | None:
    """Reads the distinct values of a column.

    Memory is that of one row group of the column; strings stay in the form of their dictionaries.

    Args:
        source: The file, opened.
        metadata: Its footer.
        position: Of the column among the leaves of its schema; not within lists or maps.
        stored: What the column stores.

    Returns:
        None if a value has no encoding to be trusted, for the reasons for which it would be no bound: then
        nothing may be said about the values.

    Raises:
        OSError: A page can't be read. pa.ArrowException means that, too.
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


def _distinct(chunk: pa.Array) -> pa.Array:
    distinct = chunk.unique()
    return distinct.dictionary_decode() if pa.types.is_dictionary(distinct.type) else distinct


def _trusted(hive_type: HiveType, values: pa.Array) -> PageValues | None:
    kind = hive_type.kind
    if kind is None:
        return None
    try:
        if kind is ValueKind.TIMESTAMP:
            # Whatever the unit: what does not fit into microseconds makes the cast fail.
            values = values.cast(pa.timestamp("us", values.type.tz)).cast(pa.int64())
        for arrow_type in _ARROW_TYPES.get(kind, ()):
            values = values.cast(arrow_type)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        return None
    if kind is ValueKind.FLOAT:
        values = values.filter(pc.invert(pc.is_nan(values)))
    # Writers and Hive disagree on days before 1583, and in a set no value may be missing.
    limits = StoredType(hive_type).raw_limits
    if limits is not None and len(values) > 0 and pc.min(values).as_py() < limits[0]:
        return None
    return PageValues(hive_type, values)
