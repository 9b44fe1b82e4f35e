"""From the statistics that a vector gives to those that an index would have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pycompiler.expression.bloom import BloomFilter
from pycompiler.expression.evaluator import FileStatistics
from pycompiler.expression.statistics import ColumnStatistics
from pycompiler.values.encoding import encode_value
from pycompiler.values.types import HiveType, ValueKind
from tests.contents import contents_of

from ..vectors import value_of
from .model import GivenStatistics, Scalar, TableColumn

_STORED_AS_STRING: Final = frozenset({"char", "varchar"})


def given_statistics(
    columns: tuple[TableColumn, ...], given: Mapping[str, GivenStatistics]
) -> FileStatistics:
    """Statistics of a file by lower-case column name."""
    types = {column.name: HiveType.parse(column.type) for column in columns}
    return {name.lower(): _column(types[name], statistics) for name, statistics in given.items()}


def _column(hive_type: HiveType, given: GivenStatistics) -> ColumnStatistics:
    nulls, rows = given.nulls, given.rows
    if rows == 0:
        nulls = 0
    elif given.values is not None and rows is not None:
        nulls = rows - given.values
    elif given.values == 0:
        # Only that all rows are NULL is known: any number of them says this, and one is the least.
        nulls = rows = 1
    return ColumnStatistics(
        # What a Parquet file stores for them.
        type=HiveType("string") if hive_type.name in _STORED_AS_STRING else hive_type,
        lower=_bound(hive_type, given.lower),
        upper=_bound(hive_type, given.upper),
        null_count=nulls,
        value_count=rows,
        nan_count=given.nans,
        contents=contents_of(bloom=None if given.bloom is None else _bloom(hive_type, given.bloom)),
    )


def _bloom(hive_type: HiveType, values: tuple[Scalar, ...]) -> BloomFilter:
    return BloomFilter.of(encode_value(hive_type, value_of(hive_type, value)) for value in values)


def _bound(hive_type: HiveType, value: Scalar | None) -> bytes | None:
    # A NaN says nothing of the other values.
    if value is None or (hive_type.kind is ValueKind.FLOAT and value == "NaN"):
        return None
    return encode_value(hive_type, value_of(hive_type, value))
