"""A table's columns, as known apart from its files."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from pycompiler.index.collect.partition_values import IN_FILES, PartitionColumns
from pycompiler.index.log_files.columns import columns_of, fields_of, timestamp_units


@dataclass(frozen=True, slots=True)
class TableColumns:
    """What the collection of statistics needs to know about a table.

    Attributes:
        in_paths: Columns whose values are in the files' paths.
        schema: Avro schema of the rows, as JSON, to check log files against, and for the units of timestamps;
            None if unknown, in which case log files get no statistics.
        may_differ: Whether a log file may have other columns and types, as when older records are verified.
    """

    in_paths: PartitionColumns = IN_FILES
    schema: str | None = None
    may_differ: bool = False

    @property
    def units(self) -> Mapping[str, str]:
        """Units of timestamps (`ms` or `us`) by lower-case dotted name. They hold whatever files say."""
        return {} if self.schema is None else timestamp_units(self.schema)

    @property
    def names(self) -> frozenset[str]:
        """Names of the columns and, dotted, of struct fields; empty if the schema is unknown.

        Includes partition columns that are not in the files.
        """
        if self.schema is None:
            return frozenset()
        in_files = (".".join(path) for path, _ in fields_of(columns_of(self.schema)))
        return frozenset([*in_files, *self.in_paths.names])


UNKNOWN_TABLE: Final = TableColumns()
"""For base files that contain all of their columns."""
