"""What the index knows about one column of one file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pycompiler.expression.content import Content
from pycompiler.values.types import HiveType


@dataclass(frozen=True, slots=True)
class ColumnStatistics:
    """Statistics of one column in one file. Each part may be missing (None): then it says nothing.

    Attributes:
        type: Type of the column as the file stores it.
        lower: Encoded bound that no non-NULL, non-NaN value is below; it need not be reached.
        upper: Encoded bound that no non-NULL, non-NaN value is above; it need not be reached.
        null_count: Rows in which the column is NULL.
        value_count: Rows of the file, NULLs included.
        nan_count: Rows in which the column is NaN; 0 or None for types other than float and double.
        contents: What records of index kinds say, by the name of the kind.
    """

    type: HiveType
    lower: bytes | None = None
    upper: bytes | None = None
    null_count: int | None = None
    value_count: int | None = None
    nan_count: int | None = None
    contents: Mapping[str, Content] = field(default_factory=dict)

    @property
    def all_null(self) -> bool:
        """Whether every row is known to be NULL."""
        return self.null_count is not None and self.null_count == self.value_count
