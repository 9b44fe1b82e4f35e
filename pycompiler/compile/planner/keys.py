"""Keys of a table's partitions: their values, as bytes in value order.

The values are followed by their offsets, so that each can be found without parsing the others.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, takewhile
from typing import Final, TypeAlias

from pycompiler.compile.values.encoding import encode_value, is_encoded
from pycompiler.compile.values.types import HiveType, ValueKind

EncodedValue: TypeAlias = bytes | None
"""An encoded value of a partition column (docs/inside/formats.md, section 1); None is NULL."""

MAX_KEY_BYTES: Final = 32_767
"""HBase's limit on row keys, which begin with what identifies the table."""

AFTER_ALL: Final = b"\x03"
"""Sorts after all keys, because the first value begins with 01 or 02."""

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
    """How the keys of a table's partitions are formed, and how long they may be."""

    columns: tuple[KeyColumn, ...]
    max_bytes: int = MAX_KEY_BYTES

    def __post_init__(self) -> None:
        if len({column.name for column in self.columns}) < len(self.columns):
            raise ValueError(f"duplicate partition column: {self.columns}")
        if len(self.columns) > _MAX_COLUMNS:
            raise ValueError(f"{len(self.columns)} partition columns exceed the limit of {_MAX_COLUMNS}")

    def prefix(self, values: Sequence[EncodedValue]) -> bytes:
        """The prefix of all keys with these values in their first columns, and of no other key.

        Proof: no value is a prefix of another in its column. Fixed-width values have equal lengths; in
            others, `00 01` occurs only at the end, because their own zeros are followed by `FF`.
        """
        return b"".join(_element(column, value) for column, value in zip(self.columns, values, strict=False))

    def key(self, values: Sequence[EncodedValue]) -> bytes:
        """The key of the partition with these values, one for each column.

        Keys sort by value, NULL first. Proof: two keys differ first in their first different value. NULL's
        `01` sorts before the `02` of values. Fixed-width values are in byte order. Other values either differ
        in a byte, whose order escaping keeps, or one is a prefix of the other; then its `00 01` sorts below
        any other byte, and below the `00 FF` of a zero.

        Raises:
            ValueError: A value does not have its column's type or is NaN, which Hive orders in two ways, or
                the key is too long. A partition without a key is always listed.
        """
        if len(values) != len(self.columns):
            raise ValueError(f"{len(values)} values for {len(self.columns)} partition columns")
        for column, value in zip(self.columns, values, strict=True):
            _check(column, value)
        elements = [_element(column, value) for column, value in zip(self.columns, values, strict=True)]
        *starts, end = accumulate(map(len, elements), initial=0)
        size = end + _OFFSET_BYTES * len(starts)
        if size > self.max_bytes:
            raise ValueError(f"a key of {size} bytes exceeds the limit of {self.max_bytes}")
        offsets = [start.to_bytes(_OFFSET_BYTES, "big") for start in starts]
        return b"".join((*elements, *offsets))

    def key_if_any(self, values: Sequence[EncodedValue] | None) -> bytes | None:
        """The key of a partition; None if its values are unknown or have no key (NaN, or too long)."""
        if values is None:
            return None
        try:
            return self.key(values)
        except ValueError:
            return None

    def value(self, key: bytes, column: int) -> EncodedValue:
        """The value of one column, located by the offsets at the end of the key."""
        values_end = len(key) - _OFFSET_BYTES * len(self.columns)
        place = values_end + _OFFSET_BYTES * column
        start, end = (
            values_end if place == len(key) else _offset(key, place)
            for place in (place, place + _OFFSET_BYTES)
        )
        if key[start : start + 1] == _NULL:
            return None
        if self.columns[column].type.kind in _OF_FIXED_WIDTH:
            return key[start + 1 : end]
        return key[start + 1 : end - len(_END)].replace(_ESCAPED_ZERO, _ZERO)


def key_columns(columns: Iterable[tuple[str, HiveType]]) -> tuple[KeyColumn, ...]:
    """Key columns from names, in any case, and types."""
    return tuple(KeyColumn(name.lower(), hive_type) for name, hive_type in columns)


def key_layout(columns: Sequence[str], schema: Mapping[str, HiveType] | None) -> KeyLayout | None:
    """The layout of the leading columns with known types; None if there are none."""
    known = schema or {}
    typed = key_columns((name, known[name]) for name in takewhile(known.__contains__, columns))
    return KeyLayout(typed) if typed else None


def _check(column: KeyColumn, value: EncodedValue) -> None:
    # Values of types without an encoding are raw bytes: only NULL is looked for among them.
    if value is None or column.type.kind is None:
        return
    if not is_encoded(column.type, value):
        raise ValueError(f"not an encoded {column.type} in {column.name}: {value.hex()}")
    if column.type.kind is ValueKind.FLOAT and value == _NAN:
        raise ValueError(f"NaN in partition column {column.name} cannot be part of a key")


def _element(column: KeyColumn, value: EncodedValue) -> bytes:
    if value is None:
        return _NULL
    return _VALUE + (value if column.type.kind in _OF_FIXED_WIDTH else ended(value))


def ended(value: bytes) -> bytes:
    """Escapes the zeros of a value without a fixed width, and marks its end."""
    return value.replace(_ZERO, _ESCAPED_ZERO) + _END


def _offset(key: bytes, place: int) -> int:
    return int.from_bytes(key[place : place + _OFFSET_BYTES], "big")
