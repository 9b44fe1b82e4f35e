"""Statistics of one column in one file."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from pycompiler.expression.content import Content
from pycompiler.values.types import HiveType


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
