"""Records of the index: one per kind, column and base file, as in the data skipping RFC."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import IntFlag
from typing import Final, TypeAlias

import pyarrow as pa

from pycompiler.expression.statistics import ColumnStatistics
from pycompiler.index.kinds import index_kind
from pycompiler.values.types import HiveType

FileGroup: TypeAlias = tuple[str, str]
"""Partition and Hudi's file id."""


class RecordFlag(IntFlag):
    """What happened to the bounds on their way from the footer."""

    NONE = 0
    LOWER_CUT = 1
    UPPER_CUT = 2
    STATISTICS_MISSING = 4
    """At least one row group lacks a statistic, so the file does."""


@dataclass(frozen=True, slots=True)
class WriteStatus:
    """A base file or log file that a commit wrote, what `IndexCreator.collect_metadata` starts from.

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
    def is_log(self) -> bool:
        """Whether it is a log file."""
        return _is_log(self.file_name)

    @property
    def relative_path(self) -> str:
        """Path relative to the table."""
        return relative_path(self.partition, self.file_name)


FILES: Final = "files"
"""Kind of the rows that stand for the base files themselves."""
RANGE: Final = "range"
"""Kind of the records with bounds and counts, which the footer alone gives; other kinds are `IndexKind`s."""


GONE_SIZE: Final = 0
"""Size in the mark of a file that has left the table. No Parquet file has it, and empty log files no row."""


@dataclass(frozen=True, slots=True)
class IndexedFile:
    """A base file or log file that the index knows.

    Attributes:
        partition: Partition path relative to the table.
        file_name: Name of the base file.
        file_id: Hudi's file id.
        commit_time: Instant that wrote the file.
        size: Bytes when it was indexed; what the index says holds for a file of this size only.
        rows: Rows of the file.
    """

    partition: str
    file_name: str
    file_id: str
    commit_time: str
    size: int
    rows: int

    @property
    def path(self) -> str:
        """Path relative to the table."""
        return relative_path(self.partition, self.file_name)

    @property
    def is_log(self) -> bool:
        """Whether it is a log file."""
        return _is_log(self.file_name)

    @property
    def has_left(self) -> bool:
        """Whether this only marks the path: the file has left the table."""
        return self.size == GONE_SIZE

    def gone(self) -> IndexedFile:
        """The mark that the file has left the table."""
        return replace(self, size=GONE_SIZE, rows=0)


@dataclass(frozen=True, slots=True)
class HoodieMetadataRecord:
    """What is known about one column in one base file. docs/format.md, section 3, defines each field."""

    column: str
    type: HiveType
    partition: str
    file_name: str
    file_id: str
    commit_time: str
    file_size: int
    value_count: int
    lower: bytes | None = None
    upper: bytes | None = None
    null_count: int | None = None
    nan_count: int | None = None
    flags: RecordFlag = RecordFlag.NONE
    kind: str = RANGE
    content: bytes | None = None

    @classmethod
    def about(cls, file: IndexedFile, column: str, hive_type: HiveType) -> HoodieMetadataRecord:
        """A record that says nothing yet of a column in a file, to be replaced by one that does."""
        return cls(
            column=column,
            type=hive_type,
            partition=file.partition,
            file_name=file.file_name,
            file_id=file.file_id,
            commit_time=file.commit_time,
            file_size=file.size,
            value_count=file.rows,
        )

    @property
    def path(self) -> str:
        """Path of the base file relative to the table."""
        return relative_path(self.partition, self.file_name)

    def statistics(self) -> ColumnStatistics:
        """What this record alone tells the evaluator.

        Raises:
            ValueError: The content is not what that of its kind has to be: it says nothing.
        """
        known = ColumnStatistics(self.type, value_count=self.value_count)
        return apply_record(
            self.kind, known, self.lower, self.upper, self.null_count, self.nan_count, self.content
        )


def apply_record(
    kind: str,
    known: ColumnStatistics,
    lower: bytes | None,
    upper: bytes | None,
    null_count: int | None,
    nan_count: int | None,
    content: bytes | None,
) -> ColumnStatistics:
    """Puts what a record says in the place of what its kind said before; an unknown kind says nothing.

    Raises:
        ValueError: The content is not what that of its kind has to be.
    """
    if kind == RANGE:
        # Not `replace`, which takes longer: there are as many of these as files.
        return ColumnStatistics(
            known.type, lower, upper, null_count, known.value_count, nan_count, known.contents
        )
    of_kind = None if content is None else index_kind(kind)
    if of_kind is None or content is None:
        return known
    return replace(known, contents={**known.contents, kind: of_kind.read(content)})


def _is_log(file_name: str) -> bool:
    # Hudi gives log files, and no base file, hidden names.
    return file_name.startswith(".")


def relative_path(partition: str, file_name: str) -> str:
    """Joins a partition path, which may be empty, and a file name."""
    return f"{partition}/{file_name}" if partition else file_name


FILE_SCHEMA: Final = pa.schema(
    [
        pa.field("partition", pa.string(), nullable=False),
        pa.field("file_name", pa.string(), nullable=False),
        pa.field("file_id", pa.string(), nullable=False),
        pa.field("commit_time", pa.string(), nullable=False),
        pa.field("file_size", pa.int64(), nullable=False),
        pa.field("value_count", pa.int64(), nullable=False),
    ]
)
"""Columns of a table of base files."""

RECORD_SCHEMA: Final = pa.schema(
    [
        pa.field("kind", pa.string(), nullable=False),
        pa.field("column", pa.string(), nullable=False),
        pa.field("type", pa.string()),
        *FILE_SCHEMA,
        pa.field("lower", pa.binary()),
        pa.field("upper", pa.binary()),
        pa.field("null_count", pa.int64()),
        pa.field("nan_count", pa.int64()),
        pa.field("flags", pa.int32()),
        pa.field("content", pa.binary()),
    ]
)
"""Columns of a table of records. One of base files has rows of kind `FILES`, without column and type, too."""


def to_table(records: Iterable[HoodieMetadataRecord]) -> pa.Table:
    """Lays records out as an Arrow table of `RECORD_SCHEMA`, in the order given."""
    rows = [
        (
            record.kind,
            record.column,
            str(record.type),
            record.partition,
            record.file_name,
            record.file_id,
            record.commit_time,
            record.file_size,
            record.value_count,
            record.lower,
            record.upper,
            record.null_count,
            record.nan_count,
            int(record.flags) if record.kind == RANGE else None,
            record.content,
        )
        for record in records
    ]
    columns = list(zip(*rows, strict=True)) or [()] * len(RECORD_SCHEMA)
    arrays = [pa.array(values, field.type) for values, field in zip(columns, RECORD_SCHEMA, strict=True)]
    return pa.Table.from_arrays(arrays, schema=RECORD_SCHEMA)


def file_rows(files: Iterable[IndexedFile]) -> pa.Table:
    """Lays base files out as an Arrow table of `RECORD_SCHEMA`, as rows of kind `FILES`."""
    fields = [
        (file.partition, file.file_name, file.file_id, file.commit_time, file.size, file.rows)
        for file in files
    ]
    columns = dict(zip(FILE_SCHEMA.names, zip(*fields, strict=True), strict=True)) if fields else {}
    columns |= {"kind": [FILES] * len(fields), "column": [""] * len(fields)}
    nothing = [None] * len(fields)
    arrays = [pa.array(columns.get(field.name, nothing), field.type) for field in RECORD_SCHEMA]
    return pa.Table.from_arrays(arrays, schema=RECORD_SCHEMA)


def from_table(table: pa.Table) -> Iterator[HoodieMetadataRecord]:
    """Reads records back from an Arrow table of `RECORD_SCHEMA`.

    Raises:
        UnknownTypeError: A type is no Hive type.
    """
    for batch in table.select(RECORD_SCHEMA.names).to_batches():
        for row in zip(*(column.to_pylist() for column in batch.columns), strict=True):
            values = dict(zip(RECORD_SCHEMA.names, row, strict=True))
            values["type"] = HiveType.parse(values["type"])
            values["flags"] = RecordFlag(values["flags"] or 0)
            yield HoodieMetadataRecord(**values)
