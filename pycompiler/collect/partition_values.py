"""Partition columns that a table keeps out of its files: the path of a file gives their values.

If a file has such a column anyway, Hudi may have mixed it up or lost it. The path counts, in Spark and in the
handler. `PartitionColumns.java` reads paths by the same rules; tests/conformance/partition_values.json covers
both.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from pycompiler.index.options import IndexOptions
from pycompiler.index.records import HoodieMetadataRecord, IndexedFile, RecordFlag
from pycompiler.values.encoding import encode_value, truncate_lower, truncate_upper
from pycompiler.values.types import HiveType

NULL_FOLDER: Final = "__HIVE_DEFAULT_PARTITION__"
"""Hudi's folder for NULL, and for the empty string, which is therefore read as NULL."""

_ESCAPED: Final = re.compile("%([0-9A-Fa-f]{2})")
_STRING: Final = HiveType("string")
"""Hudi and the handler read such columns as text, whatever type was written."""


@dataclass(frozen=True, slots=True)
class PartitionColumns:
    """Partition columns that a table keeps out of its files.

    Attributes:
        names: In path order, as Hudi spells them; empty for most tables.
        hive_style: Whether folders are named `column=value`.
        url_encoded: Whether Hudi has escaped the values.
    """

    names: tuple[str, ...] = ()
    hive_style: bool = False
    url_encoded: bool = False

    def values(self, partition: str) -> dict[str, str | None]:
        """The values of the columns in the rows of a partition, by lower-case name.

        Raises:
            ValueError: The path does not determine the values.
        """
        # A single, unescaped value may contain slashes.
        whole = len(self.names) == 1 and not self.url_encoded
        parts = [partition] if whole else partition.split("/")
        if len(parts) != len(self.names):
            raise ValueError(
                f"the path {partition!r} does not determine the values of {', '.join(self.names)}"
            )
        return {name.lower(): self._value(name, part) for name, part in zip(self.names, parts, strict=True)}

    def _value(self, name: str, part: str) -> str | None:
        prefix = f"{name}=" if self.hive_style else ""
        value = part.removeprefix(prefix)
        if not part.startswith(prefix) or not value:
            raise ValueError(f"the path segment {part!r} does not determine the value of {name}")
        if value == NULL_FOLDER:
            return None
        if not self.url_encoded:
            return value
        return _ESCAPED.sub(lambda escape: chr(int(escape[1], 16)), value)


IN_FILES: Final = PartitionColumns()
"""For a table whose files have all columns."""


def path_records(
    file: IndexedFile, not_strings: Iterable[str], columns: PartitionColumns, options: IndexOptions
) -> Iterator[HoodieMetadataRecord]:
    """Makes records of constants for the columns that a file's path determines.

    The handler refuses to read files whose path does not determine them, and the columns in `not_strings`,
    which the file itself stores as another type. These get no records.
    """
    refused = {name.lower() for name in not_strings}
    try:
        values = columns.values(file.partition)
    except ValueError:
        return
    for column, value in values.items():
        if column in refused or options.kinds_of(column) is None:
            continue
        exact = None if value is None else encode_value(_STRING, value)
        lower = None if exact is None else truncate_lower(exact)
        upper = None if exact is None else truncate_upper(exact)
        flags = RecordFlag.LOWER_CUT if lower != exact else RecordFlag.NONE
        flags |= RecordFlag.UPPER_CUT if upper != exact else RecordFlag.NONE
        yield replace(
            HoodieMetadataRecord.about(file, column, _STRING),
            lower=lower,
            upper=upper,
            null_count=file.rows if value is None else 0,
            flags=flags,
        )
