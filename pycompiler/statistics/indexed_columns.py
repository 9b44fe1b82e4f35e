"""Which columns of a Parquet schema get rows in the index."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Final, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from pycompiler.expression.model import COLUMN_SEPARATOR
from pycompiler.index.kinds import IndexKind
from pycompiler.index.options import IndexOptions
from pycompiler.statistics.errors import FooterError
from pycompiler.statistics.stored_type import StoredType, stored_type

_SCHEMAS_KEPT: Final = 16


class IndexedColumn(NamedTuple):
    """A column that gets rows.

    Attributes:
        position: Among the leaves of the schema.
        name: As the index calls it.
        stored: What the file stores.
        kinds: Of its records besides the range.
    """

    position: int
    name: str
    stored: StoredType
    kinds: tuple[IndexKind, ...]


class IndexedGroup(NamedTuple):
    """Columns that get records about them together.

    Attributes:
        columns: In the order of the records.
        kinds: Of the records.
    """

    columns: tuple[IndexedColumn, ...]
    kinds: tuple[IndexKind, ...]


class IndexedColumns:
    """The columns of a schema that get rows: top-level primitives and fields of structs.

    Args:
        columns: In any order.
        groups: Those with records about several of them together.

    Attributes:
        columns: Those of one stored type one after the other.
        with_kinds: Those with more than a range.
        groups: As given.
        runs: Each stored type, and where its columns are in `columns`.
    """

    def __init__(self, columns: Iterable[IndexedColumn], groups: Iterable[IndexedGroup] = ()) -> None:
        self.groups: Final = tuple(groups)
        self.columns: Final = tuple(sorted(columns, key=lambda each: (repr(each.stored), each.position)))
        self.with_kinds: Final = tuple(column for column in self.columns if column.kinds)
        types = [column.stored for column in self.columns]
        starts = [at for at, stored in enumerate(types) if not at or stored != types[at - 1]]
        self.runs: Final = tuple(
            (self.columns[start].stored, slice(start, end))
            for start, end in pairwise([*starts, len(self.columns)])
        )


class IndexedColumnFinder:
    """Finds the columns that get rows; files of the same schema are looked at once.

    What is inside a list or a map, names with a dot and names that differ only in case have none.

    Args:
        options: Which columns to index.
    """

    def __init__(self, options: IndexOptions) -> None:
        self._options = options
        self._known: list[tuple[str, pq.ParquetSchema, IndexedColumns]] = []

    def find(self, schema: pq.ParquetSchema) -> IndexedColumns:
        """Columns of a schema; the same object for the same schema, as long as that is among the last few.

        Raises:
            FooterError: The schema is not understood.
        """
        text = _tree(schema)
        for known_text, known_schema, columns in self._known:
            # Both: `equals` compares leaves and their levels, but not the structs that they are in.
            if text == known_text and schema.equals(known_schema):
                return columns
        indexed = list(_columns(schema, self._options))
        found = IndexedColumns(indexed, _groups(indexed, self._options))
        # One line a node, or it is not the whole tree.
        if text.count("\n") > len(schema):
            self._known = [(text, schema, found), *self._known[: _SCHEMAS_KEPT - 1]]
        return found


def _columns(schema: pq.ParquetSchema, options: IndexOptions) -> Iterator[IndexedColumn]:
    for position, path in _named_leaves(schema):
        name = ".".join(path)
        column = schema.column(position)
        kinds = options.kinds_of(name)
        if kinds is None or column.max_repetition_level > 0:
            continue
        stored = stored_type(
            column.physical_type,
            column.logical_type.to_json(),
            # Both raise for types that are not decimals in some releases of pyarrow, hence the test.
            *((column.precision, column.scale) if column.logical_type.type == "DECIMAL" else (0, 0)),
        )
        if stored is not None:
            # A comma in its name would make records about it look like records about several columns.
            yield IndexedColumn(position, name, stored, () if COLUMN_SEPARATOR in name else kinds)


def _groups(columns: Iterable[IndexedColumn], options: IndexOptions) -> Iterator[IndexedGroup]:
    known = {column.name: column for column in columns}
    for names, kinds in options.of_several.items():
        if all(name in known for name in names):
            yield IndexedGroup(tuple(known[name] for name in names), kinds)


def _tree(schema: pq.ParquetSchema) -> str:
    """The nodes of a schema, in a third of the time that its Arrow schema takes."""
    return str(schema).partition("\n")[2]  # The first line has the object's address.


def _named_leaves(schema: pq.ParquetSchema) -> list[tuple[int, tuple[str, ...]]]:
    """Positions and lower-case paths of the leaves outside lists and maps whose name is unambiguous."""
    arrow_schema = schema.to_arrow_schema()
    leaves: list[tuple[int, tuple[str, ...]]] = []
    position = 0

    def ambiguous(names: list[str]) -> set[str]:
        return {name for name, count in Counter(name.lower() for name in names).items() if count > 1}

    def walk(fields: list[pa.Field], prefix: tuple[str, ...] | None) -> None:
        nonlocal position
        shared = ambiguous([field.name for field in fields])
        for field in fields:
            name = field.name.lower()
            hidden = prefix is None or "." in name or name in shared
            path = None if hidden or prefix is None else (*prefix, name)
            kind = field.type.storage_type if isinstance(field.type, pa.BaseExtensionType) else field.type
            if pa.types.is_nested(kind):
                children = [kind.field(number) for number in range(kind.num_fields)]
                walk(children, path if pa.types.is_struct(kind) else None)
            else:
                if path is not None:
                    leaves.append((position, path))
                position += 1

    walk(list(arrow_schema), ())
    if position != len(schema):
        raise FooterError(f"{position} leaves in a schema of {len(schema)} columns")
    return leaves
