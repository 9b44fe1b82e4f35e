"""Layout of records in a data file: a table of files, and rows that refer to a file by its ordinal.

So each file's names are stored once, not once per column.
"""

from collections.abc import Iterable, Iterator
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from pycompiler.index.records import FILE_SCHEMA, FILES, RECORD_SCHEMA, STATISTICS_FIELDS

SCHEMA: Final = pa.schema(
    [
        pa.field("kind", pa.string(), nullable=False),
        pa.field("column", pa.string(), nullable=False),
        pa.field("file", pa.int32(), nullable=False),
        pa.field("type", pa.string()),
        *STATISTICS_FIELDS,
        *(field.with_nullable(True) for field in FILE_SCHEMA),
    ]
)
"""Columns of a data file. Rows of kind `FILES` have no type and no statistics; others have no file names."""

_BATCH_ROWS: Final = 65_536


def file_table(records: pa.Table) -> pa.Table:
    """The table of files of some records: `FILE_SCHEMA`, ordered by partition and name as UTF-8.

    A file's ordinal is its position in this table.
    """
    files = records.select(FILE_SCHEMA.names).group_by(FILE_SCHEMA.names).aggregate([])
    files = files.sort_by([("partition", "ascending"), ("file_name", "ascending")]).combine_chunks()
    if pc.count_distinct(paths(files)).as_py() != files.num_rows:
        raise ValueError("records of the same file differ in its size, rows, file id or instant")
    return files.cast(FILE_SCHEMA)


def paths(files: pa.Table) -> pa.ChunkedArray:
    """Paths relative to the table, from the columns `partition` and `file_name`."""
    joined = pc.binary_join_element_wise(files["partition"], files["file_name"], "/")
    return pc.if_else(pc.equal(files["partition"], ""), files["file_name"], joined)


def narrow(records: Iterable[pa.Table], files: pa.Table) -> Iterator[pa.Table]:
    """Converts tables of `RECORD_SCHEMA` to `SCHEMA`, in order and without rows of kind `FILES`."""
    known = paths(files).combine_chunks()
    nothing = FILE_SCHEMA.names
    # Each lookup of names hashes all files, so pieces should not be smaller.
    for piece in _pieces(records, max(files.num_rows, _BATCH_ROWS)):
        rows = piece.filter(pc.not_equal(piece["kind"], FILES))
        arrays = {"file": pc.index_in(paths(rows), value_set=known)}
        arrays |= {name: pa.nulls(rows.num_rows, SCHEMA.field(name).type) for name in nothing}
        yield pa.table(
            [arrays[name] if name in arrays else rows[name] for name in SCHEMA.names], names=SCHEMA.names
        ).cast(SCHEMA)


def widen(rows: pa.Table, files: pa.Table) -> pa.Table:
    """Converts rows of a data file back to `RECORD_SCHEMA`, with file names."""
    of_row = files.take(rows["file"].combine_chunks())
    arrays = [
        of_row[field.name] if field.name in FILE_SCHEMA.names else rows[field.name] for field in RECORD_SCHEMA
    ]
    return pa.table(arrays, names=RECORD_SCHEMA.names).cast(RECORD_SCHEMA)


def stored_files(files: pa.Table) -> pa.Table:
    """The rows of kind `FILES` of a data file, from the table of files."""
    count = files.num_rows
    arrays = {name: files[name] for name in FILE_SCHEMA.names}
    arrays["kind"] = pa.repeat(FILES, count)
    arrays["column"] = pa.repeat("", count)
    arrays["file"] = pa.array(range(count), pa.int32())
    return pa.table(
        [arrays.get(field.name, pa.nulls(count, field.type)) for field in SCHEMA], names=SCHEMA.names
    ).cast(SCHEMA)


def key_changes(rows: pa.Table, key: Iterable[str]) -> pa.BooleanArray:
    """For each sorted row but the first, whether its key differs from the row before."""
    changed = None
    for name in key:
        column = rows[name].combine_chunks()
        differs = pc.not_equal(column[1:], column[:-1])
        changed = differs if changed is None else pc.or_(changed, differs)
    return changed


def _pieces(tables: Iterable[pa.Table], rows: int) -> Iterator[pa.Table]:
    pending: list[pa.Table] = []
    pending_rows = 0
    for table in tables:
        pending.append(table)
        pending_rows += table.num_rows
        if pending_rows >= rows:
            yield pa.concat_tables(pending)
            pending, pending_rows = [], 0
    if pending:
        yield pa.concat_tables(pending)
