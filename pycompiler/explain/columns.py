"""The columns that a condition may name, read from the newest of a table's files."""

from collections.abc import Iterator, Sequence
from typing import Final

import pyarrow as pa
import pyarrow.parquet as pq

from pycompiler.collect.errors import FooterError
from pycompiler.collect.footer import read_records
from pycompiler.errors import HudiSkipError
from pycompiler.index.file_systems.factory import open_source
from pycompiler.index.file_systems.location import Location
from pycompiler.index.records import WriteStatus
from pycompiler.log_files.columns import columns_of
from pycompiler.log_files.errors import LogUnreadableError
from pycompiler.table.files import FileSlice, TableFile
from pycompiler.table.properties import HUDI_COLUMNS
from pycompiler.table.timeline import Timeline
from pycompiler.values.types import HiveType

_HIVE_TYPES: Final = {
    pa.bool_(): "boolean",
    pa.int32(): "int",
    pa.int64(): "bigint",
    pa.float32(): "float",
    pa.date32(): "date",
    pa.timestamp("ms"): "timestamp",
    pa.timestamp("us"): "timestamp",
}
"""Hive's names of types that Arrow names differently."""


class ExplanationError(HudiSkipError):
    """The filter cannot be explained; the message says why."""


def schema_of(table: Location, timeline: Timeline, slices: Sequence[FileSlice]) -> dict[str, HiveType] | None:
    """The columns of the newest base file; those of types that are never indexed get Arrow's type name.

    For a table with log files only, the columns of its last commit.

    Returns:
        The columns; None for a table without files.

    Raises:
        TableUnreadableError: A commit cannot be read.
        ExplanationError: The columns cannot be read.
    """
    bases = [each.base for each in slices if each.base is not None]
    newest = max(bases, key=lambda file: file.commit_time, default=None)
    if newest is not None:
        return _of_base_file(table, newest)
    return _of_last_commit(table, timeline.schema()) if slices else None


def _of_base_file(table: Location, file: TableFile) -> dict[str, HiveType]:
    path = str(table.child(file.path))
    partition, _, name = file.path.rpartition("/")
    status = WriteStatus(partition, name.partition("_")[0], path, file.size, file.commit_time)
    try:
        with open_source(path) as source:
            fields = pq.read_schema(source)
        records = read_records(status)
    except (OSError, pa.ArrowException, FooterError) as error:
        raise ExplanationError(f"cannot read the columns of {path}: {error}") from error
    declared = {field.name.lower(): HiveType(str(field.type)) for field in fields}
    return declared | {record.column: record.type for record in records}


def _of_last_commit(table: Location, schema: str) -> dict[str, HiveType]:
    try:
        columns = columns_of(schema)
    except LogUnreadableError as error:
        raise ExplanationError(f"cannot read the columns of {table}: {error}") from error
    return dict.fromkeys(HUDI_COLUMNS, HiveType("string")) | dict(_types(columns, ""))


def _types(columns: pa.StructType, path: str) -> Iterator[tuple[str, HiveType]]:
    for field in columns:
        name = f"{path}{field.name.lower()}"
        if pa.types.is_decimal(field.type):
            yield name, HiveType("decimal", precision=field.type.precision, scale=field.type.scale)
        else:
            yield name, HiveType(_HIVE_TYPES.get(field.type, str(field.type)))
        if pa.types.is_struct(field.type):
            yield from _types(field.type, f"{name}.")
