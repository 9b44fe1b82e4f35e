"""Statistics of one column in one file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from pycompiler.compile.expression.content import Content
from pycompiler.compile.values.encoding import decode_value, encode_value
from pycompiler.compile.values.types import BIGINT, FROM_MILLIS, HiveType, reads_without_loss

_MICROS_PER_MILLI: Final = 1000


@dataclass(frozen=True, slots=True)
class ColumnStatistics:
    """Statistics of one column in one file. A missing part (None) tells nothing.

    Attributes:
        type: The column's type in the file.
        lower: Encoded bound below which no value lies, NULL and NaN aside; not necessarily attained.
        upper: Encoded bound above which no value lies, NULL and NaN aside; not necessarily attained.
        null_count: Rows in which the column is NULL.
        value_count: Rows of the file, including NULLs.
        nan_count: Rows in which the column is NaN; 0 or None for types other than float and double.
        contents: Contents of index records, by index kind.
    """

    type: HiveType
    lower: bytes | None = None
    upper: bytes | None = None
    null_count: int | None = None
    value_count: int | None = None
    nan_count: int | None = None
    contents: Mapping[str, Content] = field(default_factory=dict)

    @property
    def bounds(self) -> tuple[bytes, bytes] | None:
        """Both bounds; None if one is unknown, or if there is no value."""
        return None if self.lower is None or self.upper is None else (self.lower, self.upper)

    @property
    def all_null(self) -> bool:
        """Whether every row is known to be NULL."""
        return self.null_count is not None and self.null_count == self.value_count

    def read_as(self, declared: HiveType) -> ColumnStatistics | None:
        """What they say about the values as a declared type reads them; None if nothing."""
        if (self.type, declared) == (FROM_MILLIS, BIGINT):
            # Sound: the number is the instant's microseconds divided by 1000, which keeps their order.
            lower, upper = _in_millis(self.lower), _in_millis(self.upper)
            return replace(self, type=BIGINT, lower=lower, upper=upper, contents={})
        return self if reads_without_loss(self.type, declared) else None


def _in_millis(micros: bytes | None) -> bytes | None:
    if micros is None:
        return None
    number = decode_value(BIGINT, micros)
    assert isinstance(number, int)
    return encode_value(BIGINT, number // _MICROS_PER_MILLI)
