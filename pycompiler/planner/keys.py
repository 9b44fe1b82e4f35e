"""Keys of partitions: database, table and partition values, as bytes in the order of the values.

Behind the values stands where each of them begins, so that the i-th is found without a look at the others.
Places are counted from behind database and table: the rest of a key is the same whatever these are called.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, takewhile
from typing import Final, TypeAlias

from pycompiler.values.encoding import encode_value, is_encoded
from pycompiler.values.types import HiveType, ValueKind

EncodedValue: TypeAlias = bytes | None
"""A value of a partition column, encoded (docs/format.md, section 1); None is NULL."""

MAX_KEY_BYTES: Final = 32_767
"""HBase's limit on the key of a row."""

_NULL: Final = b"\x01"
_VALUE: Final = b"\x02"
_END: Final = b"\x00\x01"
_ZERO, _ESCAPED_ZERO = b"\x00", b"\x00\xff"
_OF_FIXED_WIDTH: Final = frozenset(
    {ValueKind.BOOLEAN, ValueKind.INTEGER, ValueKind.DATE, ValueKind.TIMESTAMP, ValueKind.FLOAT}
)
_OFFSET_BYTES: Final = 2
_MAX_COLUMNS: Final = 255
_NAN: Final = encode_value(HiveType("double"), math.nan)


@dataclass(frozen=True, slots=True)
class KeyColumn:
    """A partition column: lower-case name, and the type that it is read as."""

    name: str
    type: HiveType


@dataclass(frozen=True)
class KeyLayout:
    """How the keys of a table's partitions are made.

    Attributes:
        database: Name of the database.
        table: Name of the table.
        columns: The partition columns, in the order in which they make the key.
    """

    database: str
    table: str
    columns: tuple[KeyColumn, ...]

    def __post_init__(self) -> None:
        if len({column.name for column in self.columns}) < len(self.columns):
            raise ValueError(f"a partition column twice: {self.columns}")
        if len(self.columns) > _MAX_COLUMNS:
            raise ValueError(f"{len(self.columns)} partition columns, the limit is {_MAX_COLUMNS}")

    @cached_property
    def table_prefix(self) -> bytes:
        """What all keys of the table begin with, and no other key does: X in the notation of plans."""
        return _text(self.database) + _text(self.table)

    def prefix(self, values: Sequence[EncodedValue]) -> bytes:
        """What all keys begin with that have these values in their first columns, and no other key does.

        Proof: no value begins with another of its column. Those of fixed width are of one length, and in the
        others `00 01` stands at the end alone, since their own zeros are followed by `FF`.
        """
        return self.table_prefix + b"".join(
            _element(column, value) for column, value in zip(self.columns, values, strict=False)
        )

    def key(self, values: Sequence[EncodedValue]) -> bytes:
        """The key of the partition with these values, one for each column.

        Two keys are in the order of their values, NULL first. Proof: they part in the first value that is
        different. NULL's `01` is below the `02` of values. Values of fixed width are in byte order. Of others
        either a byte is different, which escaping leaves in order, or one ends where the other goes on; its
        `00 01` is below any other byte, and below the `00 FF` of a zero.

        Raises:
            ValueError: A value is not of its column's type, or the key is too long, or a value is NaN, which
                Hive orders in two ways. A partition without a key is always listed.
        """
        if len(values) != len(self.columns):
            raise ValueError(f"{len(values)} values of {len(self.columns)} partition columns")
        for column, value in zip(self.columns, values, strict=True):
            _check(column, value)
        elements = [_element(column, value) for column, value in zip(self.columns, values, strict=True)]
        *starts, end = accumulate(map(len, elements), initial=0)
        size = len(self.table_prefix) + end + _OFFSET_BYTES * len(starts)
        if size > MAX_KEY_BYTES:
            raise ValueError(f"a key of {size} bytes, the limit is {MAX_KEY_BYTES}")
        offsets = [start.to_bytes(_OFFSET_BYTES, "big") for start in starts]
        return b"".join((self.table_prefix, *elements, *offsets))

    def key_if_any(self, values: Sequence[EncodedValue] | None) -> bytes | None:
        """The key of a partition; None if its values are not known, or have none: NaN, and very long ones."""
        if values is None:
            return None
        try:
            return self.key(values)
        except ValueError:
            return None

    def behind_prefix(self, key: bytes) -> bytes:
        """What of a key, or of a place between keys of the table, is not the table's name."""
        return key[len(self.table_prefix) :]

    def value(self, key: bytes, column: int) -> EncodedValue:
        """The value of one column, found by the offsets at the end of the key."""
        values_end = len(key) - _OFFSET_BYTES * len(self.columns)
        place = values_end + _OFFSET_BYTES * column
        start, end = (
            values_end if place == len(key) else len(self.table_prefix) + _offset(key, place)
            for place in (place, place + _OFFSET_BYTES)
        )
        if key[start : start + 1] == _NULL:
            return None
        if self.columns[column].type.kind in _OF_FIXED_WIDTH:
            return key[start + 1 : end]
        return key[start + 1 : end - len(_END)].replace(_ESCAPED_ZERO, _ZERO)


def key_columns(columns: Iterable[tuple[str, HiveType]]) -> tuple[KeyColumn, ...]:
    """Columns of a layout from names, in any case, and types."""
    return tuple(KeyColumn(name.lower(), hive_type) for name, hive_type in columns)


def key_layout(columns: Sequence[str], schema: Mapping[str, HiveType] | None) -> KeyLayout | None:
    """The keys of a table's partitions, of the first columns whose types are known; None without any."""
    known = schema or {}
    typed = key_columns((name, known[name]) for name in takewhile(known.__contains__, columns))
    # Which database and table it is stands in no plan.
    return KeyLayout("", "", typed) if typed else None


def _check(column: KeyColumn, value: EncodedValue) -> None:
    # Values of types without an encoding are bytes as they are: only NULL is looked for among them.
    if value is None or column.type.kind is None:
        return
    if not is_encoded(column.type, value):
        raise ValueError(f"not an encoded {column.type} in {column.name}: {value.hex()}")
    if column.type.kind is ValueKind.FLOAT and value == _NAN:
        raise ValueError(f"NaN in {column.name} has no place in the order of keys")


def _element(column: KeyColumn, value: EncodedValue) -> bytes:
    if value is None:
        return _NULL
    return _VALUE + (value if column.type.kind in _OF_FIXED_WIDTH else _ended(value))


def _text(text: str) -> bytes:
    return _ended(text.encode())


def _ended(value: bytes) -> bytes:
    return value.replace(_ZERO, _ESCAPED_ZERO) + _END


def _offset(key: bytes, place: int) -> int:
    return int.from_bytes(key[place : place + _OFFSET_BYTES], "big")
