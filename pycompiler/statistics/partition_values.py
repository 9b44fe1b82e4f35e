"""Partition columns that a table keeps out of its files: what the path of a file says of its rows.

Where a file has such a column all the same, Hudi has mixed it up or lost it, and the path counts, in Spark
as in the handler.

`PartitionColumns.java` reads the paths by the same rules, which tests/conformance/partition_values.json holds
both to.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from pycompiler.index.options import IndexOptions
from pycompiler.index.records import HoodieMetadataRecord, IndexedFile, RecordFlag
from pycompiler.values.encoding import encode_value, truncate_lower, truncate_upper
from pycompiler.values.types import HiveType

NULL_FOLDER: Final = "__HIVE_DEFAULT_PARTITION__"
"""What Hudi writes for NULL, and for the empty string, which so becomes NULL."""

_ESCAPED: Final = re.compile("%([0-9A-Fa-f]{2})")
_STRING: Final = HiveType("string")
"""Text is what Hudi and the handler read such columns as, whatever was written."""


@dataclass(frozen=True, slots=True)
class PartitionColumns:
    """Partition columns of a table that keeps them out of its files.

    Attributes:
        names: In the order in which they make the path, as Hudi spells them; none for most tables.
        hive_style: Whether a folder is called `column=value`.
        url_encoded: Whether Hudi has escaped the values.
    """

    names: tuple[str, ...] = ()
    hive_style: bool = False
    url_encoded: bool = False

    def values(self, partition: str) -> dict[str, str | None]:
        """What the rows of a file have in the columns, by lower-case names.

        Args:
            partition: Partition path of the file, relative to the table.

        Raises:
            ValueError: No value can be told from the path.
        """
        # A single value may have slashes of its own unless they are escaped.
        whole = len(self.names) == 1 and not self.url_encoded
        parts = [partition] if whole else partition.split("/")
        if len(parts) != len(self.names):
            raise ValueError(f"{partition!r} does not tell the values of {', '.join(self.names)}")
        return {name.lower(): self._value(name, part) for name, part in zip(self.names, parts, strict=True)}

    def _value(self, name: str, part: str) -> str | None:
        prefix = f"{name}=" if self.hive_style else ""
        value = part.removeprefix(prefix)
        if not part.startswith(prefix) or not value:
            raise ValueError(f"{part!r} does not tell the value of {name}")
        if value == NULL_FOLDER:
            return None
        if not self.url_encoded:
            return value
        return _ESCAPED.sub(lambda escape: chr(int(escape[1], 16)), value)


IN_FILES: Final = PartitionColumns()
"""Of a table whose files have all columns."""


def path_records(
    file: IndexedFile, unlike: Iterable[str], columns: PartitionColumns, options: IndexOptions
) -> Iterator[HoodieMetadataRecord]:
    """Makes the records of the columns that the path of a file tells: constants.

    A path that does not tell them gives none: the handler refuses to read such a file.

    Args:
        file: The file.
        unlike: The columns that it has as something else than strings: the handler refuses to read them.
        columns: The partition columns whose values are in the paths.
        options: Which columns are indexed.
    """
    refused = {name.lower() for name in unlike}
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
