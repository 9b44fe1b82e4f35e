"""The columns that a condition may name, read from the newest of a table's files."""

from collections.abc import Mapping, Sequence

import pyarrow as pa
import pyarrow.parquet as pq

from pycompiler.compile.values.types import HiveType, read_by_default
from pycompiler.errors import HudiSkipError
from pycompiler.index.collect.errors import FooterError
from pycompiler.index.collect.indexed_columns import IndexedColumnFinder
from pycompiler.index.file_systems.factory import open_source
from pycompiler.index.file_systems.location import Location
from pycompiler.index.log_files.columns import columns_of, timestamp_units
from pycompiler.index.log_files.errors import LogUnreadableError
from pycompiler.index.options import IndexOptions
from pycompiler.table.files import FileSlice, TableFile
from pycompiler.table.properties import HUDI_COLUMNS
from pycompiler.table.timeline import Timeline


class ExplanationError(HudiSkipError):
    """The filter cannot be explained; the message says why."""


def schema_of(table: Location, timeline: Timeline, slices: Sequence[FileSlice]) -> dict[str, HiveType] | None:
    """The columns of the newest base file; those of types that are never indexed get Arrow's type name.

    The last commit tells which of its numbers are timestamps. For a table with log files only, it tells all.

    Returns:
        The columns; None for a table without files.

    Raises:
        TableUnreadableError: A commit cannot be read.
        ExplanationError: The columns cannot be read.
    """
    bases = [each.base for each in slices if each.base is not None]
    newest = max(bases, key=lambda file: file.commit_time, default=None)
    if newest is not None:
        return _of_base_file(table, newest, timestamp_units(timeline.schema()))
    return _of_last_commit(table, timeline.schema()) if slices else None


def _of_base_file(table: Location, file: TableFile, units: Mapping[str, str]) -> dict[str, HiveType]:
    path = str(table.child(file.path))
    try:
        with open_source(path) as source:
            return _types(pq.read_metadata(source).schema, units)
    except (OSError, pa.ArrowException, FooterError) as error:
        raise ExplanationError(f"cannot read the columns of {path}: {error}") from error


def _of_last_commit(table: Location, schema: str) -> dict[str, HiveType]:
    try:
        columns = columns_of(schema)
    except LogUnreadableError as error:
        raise ExplanationError(f"cannot read the columns of {table}: {error}") from error
    written = pa.BufferOutputStream()
    pq.ParquetWriter(written, pa.schema(list(columns))).close()
    base_file = pq.read_metadata(pa.BufferReader(written.getvalue()))
    return dict.fromkeys(HUDI_COLUMNS, HiveType("string")) | _types(base_file.schema, {})


def _types(schema: pq.ParquetSchema, units: Mapping[str, str]) -> dict[str, HiveType]:
    declared = {field.name.lower(): HiveType(str(field.type)) for field in schema.to_arrow_schema()}
    indexed = IndexedColumnFinder(IndexOptions(), units).find(schema).columns
    return declared | {column.name: read_by_default(column.stored.hive_type) for column in indexed}
