"""Converts all records of a log file to one Parquet file, whose statistics are collected like a base file's.

"All" means every data block, including rolled-back, uncommitted and obsolete ones. Each row that a query gets
from the log file is one of these records, so what holds for all of them holds for each row. Delete and
command blocks never add rows.
"""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from pycompiler.index.file_systems.factory import open_source
from pycompiler.index.log_files.avro_records import read_avro
from pycompiler.index.log_files.blocks import Block, BlockKind, HeaderKey, Source, read_blocks
from pycompiler.index.log_files.columns import columns_of, fields_of, shared_columns
from pycompiler.index.log_files.errors import LogUnreadableError
from pycompiler.index.log_files.parquet_records import read_parquet

_WITHOUT_ROWS: Final = frozenset({BlockKind.COMMAND, BlockKind.DELETE, BlockKind.CHANGES})
"""Blocks that remove rows, or that no snapshot contains."""
_WITH_ROWS: Final = frozenset({BlockKind.AVRO_DATA, BlockKind.PARQUET_DATA})
"""Blocks with readable records."""


@dataclass(frozen=True, slots=True)
class OpenFile:
    """A file whose statistics are collected.

    Attributes:
        size: Bytes of the file.
        source: The file as Parquet; for a log file, its converted records.
        metadata: The footer.
        with_nan: Dotted paths of columns that contain NaN and whose bounds exclude it.
    """

    size: int
    source: Any
    metadata: pq.FileMetaData
    with_nan: frozenset[str] = frozenset()


@contextmanager
def open_log(path: str, table_schema: str | None, may_differ: bool = False) -> Iterator[OpenFile]:
    """Reads a whole log file, holding a few thousand records in memory.

    Args:
        path: The log file, as a path or URI.
        table_schema: The table's current Avro schema; None if it has none yet. A log file without records
            gets its columns.
        may_differ: Whether to keep the file's columns whatever the table's are.

    Raises:
        FileNotFoundError: The file is gone.
        LogUnreadableError: The records cannot be read; the message says why.
    """
    if table_schema is None:
        raise LogUnreadableError("the table has no schema")
    of_table = columns_of(table_schema)
    with open_source(path) as source, tempfile.TemporaryFile(prefix="hudi-skip-log-") as spool:
        size: int = source.size()
        if not size:
            raise LogUnreadableError("it is empty")
        records = _Records(spool)
        try:
            for block in read_blocks(source, size):
                records.add(source, block, None if may_differ else of_table)
        finally:
            records.close(of_table)
        spool.seek(0)
        with pq.ParquetFile(spool) as parquet:
            yield OpenFile(size, spool, parquet.metadata, frozenset(records.with_nan))


class _Records:
    """Writes the records of blocks to a Parquet file."""

    def __init__(self, spool: Any) -> None:
        self._spool = spool
        self._columns: pa.StructType | None = None
        self._writer: pq.ParquetWriter | None = None
        self.with_nan: set[str] = set()

    def add(self, source: Source, block: Block, of_table: pa.StructType | None) -> None:
        """Adds the records of a block, if it has any."""
        if block.kind in _WITHOUT_ROWS:
            return
        if block.kind not in _WITH_ROWS:
            raise LogUnreadableError(f"it has a block of the unsupported kind {block.kind.name}")
        if block.headers.get(HeaderKey.IS_PARTIAL, "").lower() == "true":
            raise LogUnreadableError("it holds partial updates")
        schema = block.headers.get(HeaderKey.SCHEMA)
        if schema is None:
            raise LogUnreadableError("a block has no schema")
        columns = columns_of(schema)
        if of_table is not None:
            columns = shared_columns(columns, of_table)
        writer = self._begin(columns)
        if self._columns != columns:
            raise LogUnreadableError("its blocks have different schemas")
        if block.kind is BlockKind.AVRO_DATA:
            tables = read_avro(source, block, schema, columns)
        else:
            tables = read_parquet(source, block, columns)
        floats = [path for path, of_type in fields_of(columns) if pa.types.is_floating(of_type)]
        try:
            for table in tables:
                self.with_nan.update(".".join(path) for path in floats if _has_nan(table, path))
                writer.write_table(table)
        except pa.ArrowException as error:
            raise LogUnreadableError(
                f"the records of its blocks cannot be combined ({type(error).__name__})"
            ) from error

    def close(self, of_table: pa.StructType) -> None:
        """Completes the file, which has the table's columns if no block has records."""
        self._begin(of_table).close()

    def _begin(self, columns: pa.StructType) -> pq.ParquetWriter:
        if self._writer is None:
            self._columns = columns
            self._writer = pq.ParquetWriter(self._spool, pa.schema(list(columns)), compression="zstd")
        return self._writer


def _has_nan(table: pa.Table, path: tuple[str, ...]) -> bool:
    name, *fields = path
    values = pc.struct_field(table[name], fields) if fields else table[name]
    return bool(pc.any(pc.is_nan(values)).as_py())
