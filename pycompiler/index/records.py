"""Records of the index: one per kind, column and file, as in Hudi's data skipping RFC."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import IntFlag
from typing import Final, TypeAlias

import pyarrow as pa

from pycompiler.compile.expression.statistics import ColumnStatistics
from pycompiler.compile.values.types import HiveType
from pycompiler.index.kinds import index_kind

FileGroup: TypeAlias = tuple[str, str]
"""Partition and Hudi's file id."""


class RecordFlag(IntFlag):
    """How bounds were changed on their way from the footer."""

    NONE = 0
    LOWER_CUT = 1
    UPPER_CUT = 2
    STATISTICS_MISSING = 4
    """At least one row group lacks a statistic, so the file does."""


@dataclass(frozen=True, slots=True)
class WriteStatus:
    """A base file or log file that a commit wrote; the input of `IndexCreator.collect_metadata`.

    Attributes:
        partition: Partition path relative to the table; empty if unpartitioned.
        file_id: Hudi's file id.
        path: Full path of the file.
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
        """Name of the file, without its folder."""
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
"""Kind of the rows that stand for the files themselves."""
RANGE: Final = "range"
"""Kind of the records with bounds and counts from the footer; other kinds are `IndexKind`s."""


GONE_SIZE: Final = 0
"""Size that marks a file as gone from the table. No Parquet file is empty, and empty log files get no row."""


@dataclass(frozen=True, slots=True)
class IndexedFile:
    """A base file or log file in the index, like a `WriteStatus`.

    Its records hold only while the file has this size.
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
    def is_gone(self) -> bool:
        """Whether this entry marks the file as gone from the table."""
        return self.size == GONE_SIZE

    def gone(self) -> IndexedFile:
        """The entry that marks the file as gone from the table."""
        return replace(self, size=GONE_SIZE, rows=0)


@dataclass(frozen=True, slots=True)
class HoodieMetadataRecord:
    """One record about one column in one file. docs/inside/formats.md, section 3, defines each field."""

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
        """An empty record of a column in a file, to be filled in by `replace`."""
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
        """Path of the file relative to the table."""
        return relative_path(self.partition, self.file_name)

    def statistics(self) -> ColumnStatistics:
        """The statistics in this record alone."""
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
    """Replaces the statistics from earlier records of the same kind; ignores records of unknown kinds.

    Raises:
        ValueError: The content is not valid for its kind.
    """
    if kind == RANGE:
        # Not `replace`, which is slower: this runs once per file.
        return ColumnStatistics(
            known.type, lower, upper, null_count, known.value_count, nan_count, known.contents
        )
    of_kind = None if content is None else index_kind(kind)
    if of_kind is None or content is None:
        return known
    return replace(known, contents={**known.contents, kind: of_kind.read(content)})


def _is_log(file_name: str) -> bool:
    # Hudi hides log files by a leading dot, and no base file.
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
"""Columns of a table of files."""

STATISTICS_FIELDS: Final = (
    pa.field("lower", pa.binary()),
    pa.field("upper", pa.binary()),
    pa.field("null_count", pa.int64()),
    pa.field("nan_count", pa.int64()),
    pa.field("flags", pa.int32()),
    pa.field("content", pa.binary()),
)

RECORD_SCHEMA: Final = pa.schema(
    [
        pa.field("kind", pa.string(), nullable=False),
        pa.field("column", pa.string(), nullable=False),
        pa.field("type", pa.string()),
        *FILE_SCHEMA,
        *STATISTICS_FIELDS,
    ]
)
"""Columns of a table of records; rows of kind `FILES` have no column and type."""


RECORD_KEY: Final = ("kind", "column", "partition", "file_name")
"""Fields by which a data file's records are sorted; of records with the same, the last is in force."""


def to_table(records: Iterable[HoodieMetadataRecord]) -> pa.Table:
    """Converts records to an Arrow table of `RECORD_SCHEMA`, in the given order."""
    known = list(records)
    columns = {name: [getattr(record, name) for record in known] for name in RECORD_SCHEMA.names}
    columns["type"] = list(map(str, columns["type"]))
    columns["flags"] = [int(record.flags) if record.kind == RANGE else None for record in known]
    return pa.Table.from_pydict(columns, schema=RECORD_SCHEMA)


def file_rows(files: Iterable[IndexedFile]) -> pa.Table:
    """Converts files to an Arrow table of `RECORD_SCHEMA`, as rows of kind `FILES`."""
    known = [
        (file.partition, file.file_name, file.file_id, file.commit_time, file.size, file.rows)
        for file in files
    ]
    nothing: dict[str, Sequence[object]] = dict.fromkeys(RECORD_SCHEMA.names, [None] * len(known))
    kind = {"kind": [FILES] * len(known), "column": [""] * len(known)}
    columns = zip(FILE_SCHEMA.names, zip(*known, strict=True), strict=True) if known else ()
    return pa.Table.from_pydict({**nothing, **kind, **dict(columns)}, schema=RECORD_SCHEMA)


def from_table(table: pa.Table) -> Iterator[HoodieMetadataRecord]:
    """Converts an Arrow table of `RECORD_SCHEMA` to records.

    Raises:
        UnknownTypeError: A type is not a Hive type.
    """
    for batch in table.select(RECORD_SCHEMA.names).to_batches():
        for row in zip(*(column.to_pylist() for column in batch.columns), strict=True):
            values = dict(zip(RECORD_SCHEMA.names, row, strict=True))
            values["type"] = HiveType.parse(values["type"])
            values["flags"] = RecordFlag(values["flags"] or 0)
            yield HoodieMetadataRecord(**values)
