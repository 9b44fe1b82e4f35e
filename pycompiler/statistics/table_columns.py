"""What is known of the columns of a table, beside its files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from pycompiler.statistics.partition_values import IN_FILES, PartitionColumns


@dataclass(frozen=True, slots=True)
class TableColumns:
    """What the collection of statistics has to know of a table.

    Attributes:
        in_paths: Columns whose values are in the paths of the files.
        schema: Avro schema of the rows, as JSON, which log files are held against; None if it is not known:
            then log files have no statistics.
        may_differ: Whether a log file may have other columns and types than these, as when what was said of
            it before is verified.
    """

    in_paths: PartitionColumns = IN_FILES
    schema: str | None = None
    may_differ: bool = False


UNKNOWN_TABLE: Final = TableColumns()
"""Of base files that have all of their columns."""
