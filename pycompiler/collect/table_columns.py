"""A table's columns, as known apart from its files."""

from dataclasses import dataclass
from typing import Final

from pycompiler.collect.partition_values import IN_FILES, PartitionColumns


@dataclass(frozen=True, slots=True)
class TableColumns:
    """What the collection of statistics needs to know about a table.

    Attributes:
        in_paths: Columns whose values are in the files' paths.
        schema: Avro schema of the rows, as JSON, to check log files against; None if unknown, in which case
            log files get no statistics.
        may_differ: Whether a log file may have other columns and types, as when older records are verified.
    """

    in_paths: PartitionColumns = IN_FILES
    schema: str | None = None
    may_differ: bool = False


UNKNOWN_TABLE: Final = TableColumns()
"""For base files that contain all of their columns."""
