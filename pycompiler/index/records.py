"""The rows of the index: one per column and base file, the range records of the data skipping RFC."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import IntFlag
from typing import Final

import pyarrow as pa

from pycompiler.expression.statistics import ColumnStatistics
from pycompiler.types import HiveType


class RecordFlag(IntFlag):
    """What happened to the bounds on their way from the footer."""

    NONE = 0
    LOWER_CUT = 1
    UPPER_CUT = 2
    STATISTICS_MISSING = 4
    """At least one row group lacks a statistic, so the file does."""


@dataclass(frozen=True, slots=True)
class WriteStatus:
    """A base file that a commit wrote, what `IndexCreator.collect_metadata` starts from.

    Attributes:
        partition: Partition path relative to the table, empty if there is none.
        file_id: Hudi's file id.
        path: Full path of the base file.
        size: Bytes, as Hudi recorded or listed them.
        commit_time: Instant that wrote the file.
    """

    partition: str
    file_id: str
    path: str
    size: int
    commit_time: str

    @property
    def file_name(self) -> str:
        """Name of the base file, without its folder."""
        return self.path.rsplit("/", 1)[-1]

    @property
    def relative_path(self) -> str:
        """Path relative to the table."""
        return relative_path(self.partition, self.file_name)


@dataclass(frozen=True, slots=True)
class HoodieMetadataRecord:
    """Statistics of one column in one base file. docs/format.md, section 3, defines each field."""

    column: str
    type: HiveType
    partition: str
    file_name: str
    file_id: str
    commit_time: str
    file_size: int
    lower: bytes | None
    upper: bytes | None
    null_count: int | None
    value_count: int
    nan_count: int | None
    flags: RecordFlag = RecordFlag.NONE

    @property
    def path(self) -> str:
        """Path of the base file relative to the table."""
        return relative_path(self.partition, self.file_name)

    def statistics(self) -> ColumnStatistics:
        """The part that the evaluator looks at."""
        return ColumnStatistics(
            self.type, self.lower, self.upper, self.null_count, self.value_count, self.nan_count
        )


def relative_path(partition: str, file_name: str) -> str:
    """Joins a partition path, which may be empty, and a file name."""
    return f"{partition}/{file_name}" if partition else file_name


KEY_COLUMNS: Final = ("column", "partition", "file_name")
"""The sort key of data files; a row is identified by it."""

SCHEMA: Final = pa.schema(
    [
        pa.field("column", pa.string(), nullable=False),
        pa.field("type", pa.string(), nullable=False),
        pa.field("partition", pa.string(), nullable=False),
        pa.field("file_name", pa.string(), nullable=False),
        pa.field("file_id", pa.string(), nullable=False),
        pa.field("commit_time", pa.string(), nullable=False),
        pa.field("file_size", pa.int64(), nullable=False),
        pa.field("lower", pa.binary()),
        pa.field("upper", pa.binary()),
        pa.field("null_count", pa.int64()),
        pa.field("value_count", pa.int64(), nullable=False),
        pa.field("nan_count", pa.int64()),
        pa.field("flags", pa.int32(), nullable=False),
    ]
)


def to_table(records: Iterable[HoodieMetadataRecord]) -> pa.Table:
    """Lays records out as an Arrow table of `SCHEMA`, in the order given."""
    rows = [
        (
            record.column,
            str(record.type),
            record.partition,
            record.file_name,
            record.file_id,
            record.commit_time,
            record.file_size,
            record.lower,
            record.upper,
            record.null_count,
            record.value_count,
            record.nan_count,
            int(record.flags),
        )
        for record in records
    ]
    columns = list(zip(*rows, strict=True)) or [()] * len(SCHEMA)
    arrays = [pa.array(values, field.type) for values, field in zip(columns, SCHEMA, strict=True)]
    return pa.Table.from_arrays(arrays, schema=SCHEMA)


def from_table(table: pa.Table) -> Iterator[HoodieMetadataRecord]:
    """Reads records back from an Arrow table of `SCHEMA`.

    Raises:
        UnknownTypeError: A type is no Hive type.
    """
    for batch in table.select(SCHEMA.names).to_batches():
        for row in zip(*(column.to_pylist() for column in batch.columns), strict=True):
            values = dict(zip(SCHEMA.names, row, strict=True))
            values["type"] = HiveType.parse(values["type"])
            values["flags"] = RecordFlag(values["flags"])
            yield HoodieMetadataRecord(**values)
