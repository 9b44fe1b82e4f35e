"""Selects the columns of a Parquet schema that get index records."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from pycompiler.compile.expression.model import COLUMN_SEPARATOR
from pycompiler.index.collect.errors import FooterError
from pycompiler.index.collect.stored_type import StoredType, stored_type
from pycompiler.index.kinds import IndexKind
from pycompiler.index.options import IndexOptions

_SCHEMAS_KEPT: Final = 16
_NO_UNITS: Final[Mapping[str, str]] = {}


class IndexedColumn(NamedTuple):
    """A column that gets records: its position among the leaves of the schema, and its name in the index."""

    position: int
    name: str
    stored: StoredType


class IndexedGroup(NamedTuple):
    """A column, or several together, with records besides the range."""

    columns: tuple[IndexedColumn, ...]
    kinds: tuple[IndexKind, ...]


class IndexedColumns:
    """The columns of a schema that get records: top-level primitives and fields of structs.

    Attributes:
        columns: Sorted by stored type.
        groups: Columns with more than a range.
        runs: Each stored type, and the slice of its columns in `columns`.
    """

    def __init__(self, columns: Iterable[IndexedColumn], options: IndexOptions) -> None:
        self.columns: Final = tuple(sorted(columns, key=lambda each: (repr(each.stored), each.position)))
        self.groups: Final = tuple(_groups(self.columns, options))
        types = [column.stored for column in self.columns]
        starts = [at for at, stored in enumerate(types) if not at or stored != types[at - 1]]
        self.runs: Final = tuple(
            (self.columns[start].stored, slice(start, end))
            for start, end in pairwise([*starts, len(self.columns)])
        )


class IndexedColumnFinder:
    """Finds the columns that get records, once per distinct schema.

    Excludes leaves inside lists or maps, names with a dot, and names that differ only in case.
    """

    def __init__(self, options: IndexOptions, units: Mapping[str, str] = _NO_UNITS) -> None:
        """Columns as the options choose them; `units` are the table's, of timestamps by column."""
        self._options = options
        self._units = units
        self._known: list[tuple[str, pq.ParquetSchema, IndexedColumns]] = []

    def find(self, schema: pq.ParquetSchema) -> IndexedColumns:
        """The columns of a schema; cached for the last few schemas.

        Raises:
            FooterError: The schema is not understood.
        """
        text = _tree(schema)
        for known_text, known_schema, columns in self._known:
            # Both checks are needed: `equals` compares leaves and their levels, but not the enclosing
            # structs.
            if text == known_text and schema.equals(known_schema):
                return columns
        found = IndexedColumns(_columns(schema, self._options, self._units), self._options)
        # Unless it has at least one line per node, the text is not the whole tree.
        if text.count("\n") > len(schema):
            self._known = [(text, schema, found), *self._known[: _SCHEMAS_KEPT - 1]]
        return found


def _columns(
    schema: pq.ParquetSchema, options: IndexOptions, units: Mapping[str, str]
) -> Iterator[IndexedColumn]:
    for position, path in _named_leaves(schema):
        name = ".".join(path)
        column = schema.column(position)
        if options.kinds_of(name) is None or column.max_repetition_level > 0:
            continue
        stored = stored_type(
            column.physical_type,
            column.logical_type.to_json(),
            # Some releases of pyarrow raise for types other than decimal.
            *((column.precision, column.scale) if column.logical_type.type == "DECIMAL" else (0, 0)),
            units.get(name),
        )
        if stored is not None:
            yield IndexedColumn(position, name, stored)


def _groups(columns: Sequence[IndexedColumn], options: IndexOptions) -> Iterator[IndexedGroup]:
    for column in columns:
        kinds = options.kinds_of(column.name)
        # With a comma in the name, its records would look like those of several columns.
        if kinds and COLUMN_SEPARATOR not in column.name:
            yield IndexedGroup((column,), kinds)
    known = {column.name: column for column in columns}
    for names, kinds in options.of_several.items():
        if all(name in known for name in names):
            yield IndexedGroup(tuple(known[name] for name in names), kinds)


def _tree(schema: pq.ParquetSchema) -> str:
    """The nodes of a schema as text, three times faster than its Arrow schema."""
    return str(schema).partition("\n")[2]  # The first line has the object's address.


def _named_leaves(schema: pq.ParquetSchema) -> list[tuple[int, tuple[str, ...]]]:
    """Positions and lower-case paths of leaves outside lists and maps, with unambiguous names."""
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
        raise FooterError(f"found {position} leaves in a schema of {len(schema)} columns")
    return leaves
