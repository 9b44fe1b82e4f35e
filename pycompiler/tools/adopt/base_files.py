"""Compares rows of a handler table with the base files that they come from.

It stands in for a native table in columns that Hudi's input formats cannot read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from pycompiler.index.file_systems.errors import UnsupportedStorageError
from pycompiler.index.file_systems.factory import open_source
from pycompiler.tools.adopt.errors import AdoptError
from pycompiler.tools.adopt.hive_table import Column

KEYS: Final = ("_hoodie_commit_seqno", "_hoodie_partition_path", "_hoodie_file_name")
"""What tells a row of a base file: the first is unique in the table, the others locate the file."""
_FILES: Final = 4
"""Files that are read for one partition."""
_SCALARS: Final = ("bigint", "int", "smallint", "tinyint", "string", "boolean", "date")
"""Types whose values have one text in Hive and in Python."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What was found equal.

    Attributes:
        rows: Rows that are unchanged since their base file was written, and were compared.
        files: Names of the files in which they are.
    """

    rows: int
    files: frozenset[str]


def is_comparable(column: Column) -> bool:
    """Whether `check` can compare a column's values."""
    return column.kind in _SCALARS or column.kind.startswith("decimal")


def check(location: str, columns: Sequence[Column], rows: Iterable[Sequence[Any]]) -> Checked:
    """Compares rows with the values that pyarrow reads.

    Args:
        location: URI of the Hudi table.
        columns: Those to compare.
        rows: `KEYS`, then these columns. Rows that a log has changed are in no base file, and are left out.

    Raises:
        AdoptError: A value differs, or a file cannot be read.
    """
    by_file: dict[tuple[str, str], dict[str, tuple[str, ...]]] = {}
    for number, folder, file, *values in rows:
        if str(file).endswith(".parquet"):
            by_file.setdefault((folder, file), {})[number] = tuple(map(str, values))
    compared = 0
    read: set[str] = set()
    for (folder, file), ours in list(by_file.items())[:_FILES]:
        stored = _stored("/".join(filter(None, (location.rstrip("/"), folder, file))), columns)
        for number in ours.keys() & stored.keys():
            if ours[number] != stored[number]:
                raise AdoptError(
                    f"{file} has {stored[number]} where the handler reads {ours[number]}, in the columns"
                    f" {', '.join(column.name for column in columns)}. Nothing was changed"
                )
            compared += 1
            read.add(file)
    return Checked(compared, frozenset(read))


def _stored(path: str, columns: Sequence[Column]) -> Mapping[str, tuple[str, ...]]:
    """The texts of the columns' values, by the rows' numbers."""
    try:
        with open_source(path) as source:
            file = pq.ParquetFile(source)
            names = {name.lower(): name for name in file.schema_arrow.names}
            wanted = [KEYS[0], *(names[column.name] for column in columns if column.name in names)]
            table = file.read(wanted)
    except (OSError, pa.ArrowException, UnsupportedStorageError) as error:
        raise AdoptError(f"cannot read {path} to compare it: {error}; try --no-compare") from error
    values = [
        [str(value) for value in _plain(table[names[column.name]]).to_pylist()]
        if column.name in names
        else [str(None)] * table.num_rows
        for column in columns
    ]
    return dict(zip(table[KEYS[0]].to_pylist(), zip(*values, strict=True), strict=True))


def _plain(values: pa.ChunkedArray) -> pa.ChunkedArray:
    """A timestamp is its number."""
    return values.cast(pa.int64()) if pa.types.is_timestamp(values.type) else values
