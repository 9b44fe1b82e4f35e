"""Maps an Avro schema to the Parquet types that a base file would store.

Records converted this way can be treated as a base file, and the rules for base files apply to them.
"""

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, Final, TypeAlias

import pyarrow as pa

from pycompiler.compile.values.types import MAX_DECIMAL_PRECISION
from pycompiler.index.log_files.errors import LogUnreadableError

OPAQUE: Final = pa.list_(pa.int8())
"""Stands for all types that the index does not cover; such a column keeps its place, without values."""

_PRIMITIVES: Final[Mapping[str, pa.DataType]] = {
    "boolean": pa.bool_(),
    "int": pa.int32(),
    "long": pa.int64(),
    "float": pa.float32(),
    "double": pa.float64(),
    "bytes": pa.binary(),
    "string": pa.string(),
}
_LOGICAL: Final[Mapping[tuple[str, str], pa.DataType]] = {
    ("int", "date"): pa.date32(),
    ("long", "timestamp-millis"): pa.timestamp("ms"),
    ("long", "timestamp-micros"): pa.timestamp("us"),
    ("long", "local-timestamp-millis"): pa.timestamp("ms"),
    ("long", "local-timestamp-micros"): pa.timestamp("us"),
}
_SAME_NUMBERS: Final = ((pa.int32(), pa.int64()), (pa.timestamp("us"), pa.timestamp("ms")))
"""Types of a block and the table with which the table has the block's numbers."""
_Named: TypeAlias = dict[str, Any]


@lru_cache(maxsize=16)
def columns_of(schema: str) -> pa.StructType:
    """Reads the Avro schema, as JSON, of a table's or block's records."""
    try:
        found = _type(json.loads(schema), {}, "", ())
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise LogUnreadableError(f"cannot parse an Avro schema ({type(error).__name__})") from error
    if not pa.types.is_struct(found):
        raise LogUnreadableError("an Avro schema does not describe records")
    return found


def without_logical_types(schema: str) -> Any:
    """The Avro schema for reading values as stored: plain numbers, and the bytes of decimals."""

    def plain(node: Any) -> Any:
        match node:
            case dict():
                # Default values do not matter if reader and writer share the schema.
                left = {name: part for name, part in node.items() if name not in ("logicalType", "default")}
                return {name: plain(part) for name, part in left.items()}
            case list():
                return [plain(part) for part in node]
            case _:
                return node

    return plain(json.loads(schema))


def shared_columns(of_block: pa.StructType, of_table: pa.StructType) -> pa.StructType:
    """The columns of a block that the table has now, in the block's types.

    A merged row holds the block's values, converted to the table's type. Unless the types are equal or an
    integer was widened, the conversion may change values, so the column is refused. Of milliseconds that are
    labelled as microseconds, the number stays.
    """
    shared = _shared(of_block, of_table, "")
    if not pa.types.is_struct(shared):
        raise LogUnreadableError("a block shares no column with the table")
    return shared


def _shared(ours: pa.DataType, theirs: pa.DataType, path: str) -> pa.DataType:
    if OPAQUE in (ours, theirs):
        return OPAQUE
    if pa.types.is_struct(ours) and pa.types.is_struct(theirs):
        known = {field.name: field.type for field in theirs}
        fields = [
            (field.name, _shared(field.type, known[field.name], f"{path}.{field.name}".lstrip(".")))
            for field in ours
            if field.name in known
        ]
        return pa.struct(fields) if fields else OPAQUE
    if ours == theirs or (ours, theirs) in _SAME_NUMBERS:
        return ours
    raise LogUnreadableError(
        f"the column {path} is {_shown(ours)} in a block and {_shown(theirs)} in the table"
    )


@lru_cache(maxsize=16)
def timestamp_units(schema: str) -> Mapping[str, str]:
    """Units of a table's timestamps (`ms` or `us`) by lower-case dotted name; none of an invalid schema."""
    try:
        columns = fields_of(columns_of(schema))
    except LogUnreadableError:
        return {}
    return {
        ".".join(path).lower(): of_type.unit for path, of_type in columns if pa.types.is_timestamp(of_type)
    }


def fields_of(
    columns: pa.StructType, struct: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], pa.DataType]]:
    """Paths and types of columns, and of the fields of structs."""
    for field in columns:
        path = (*struct, field.name)
        yield path, field.type
        if pa.types.is_struct(field.type):
            yield from fields_of(field.type, path)


def _shown(arrow_type: pa.DataType) -> str:
    return "a struct" if pa.types.is_struct(arrow_type) else str(arrow_type)


def _type(node: Any, named: _Named, space: str, within: tuple[str, ...]) -> pa.DataType:
    """The type of a node. `named` collects named types by full name; `within` lists the enclosing ones."""
    match node:
        case str() if node in _PRIMITIVES:
            return _PRIMITIVES[node]
        case str():
            name = _full_name(node, space)
            # A record that contains itself has no finite type.
            return OPAQUE if name in within or name not in named else named[name]
        case list():
            branches = [branch for branch in node if branch != "null"]
            types = [_type(branch, named, space, within) for branch in branches]
            return types[0] if len(types) == 1 else OPAQUE
        case {"type": "record" | "error", "fields": fields}:
            name = _full_name(node["name"], node.get("namespace", space))
            inner = name.rpartition(".")[0]
            children = [
                (field["name"], _type(field["type"], named, inner, (*within, name))) for field in fields
            ]
            named[name] = pa.struct(children) if children else OPAQUE
            return named[name]
        case {"type": "fixed" | "enum" as kind}:
            name = _full_name(node["name"], node.get("namespace", space))
            named[name] = _decimal(node) if kind == "fixed" else OPAQUE
            return named[name]
        case {"type": "array" | "map"}:
            for part in ("items", "values"):
                if part in node:
                    _type(node[part], named, space, within)  # It may define named types.
            return OPAQUE
        case {"type": str() as primitive, "logicalType": logical}:
            if logical == "decimal" and primitive == "bytes":
                return _decimal(node)
            return _LOGICAL.get((primitive, logical), OPAQUE)
        case {"type": inner_node}:
            return _type(inner_node, named, space, within)
        case _:
            return OPAQUE


def _decimal(node: Mapping[str, Any]) -> pa.DataType:
    precision, scale = node.get("precision", 0), node.get("scale", 0)
    if node.get("logicalType") != "decimal" or not 1 <= precision <= MAX_DECIMAL_PRECISION:
        return OPAQUE
    return pa.decimal128(precision, scale) if 0 <= scale <= precision else OPAQUE


def _full_name(name: str, space: str) -> str:
    return name if "." in name or not space else f"{space}.{name}"
