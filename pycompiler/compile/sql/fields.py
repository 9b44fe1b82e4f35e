"""Types of columns and struct fields."""

from collections.abc import Iterator, Sequence

from pycompiler.compile.predicate.schema import Schema
from pycompiler.compile.values.types import HiveType, UnknownTypeError

_STRUCT = "struct<"


def column_type(names: Sequence[str], schema: Schema) -> HiveType | None:
    """The type of a column or struct field, from its lower-case name parts; None if unknown."""
    found = schema.get(".".join(names)) or schema.get(names[0])
    if found is None or ".".join(names) in schema:
        return found
    for name in names[1:]:
        try:
            found = HiveType.parse(dict(_fields(found.name))[name])
        except (KeyError, UnknownTypeError):
            return None
    return found


def missing_field(names: Sequence[str], schema: Schema) -> tuple[int, list[str]] | None:
    """The first of some lower-case name parts that its struct lacks; None if each may be a field.

    Args:
        names: A column of the schema, and fields.
        schema: The columns. Types may be Hive's, or Arrow's for those that are never indexed.

    Returns:
        The position of the part, and the fields of the struct, none for a column that is no struct.
    """
    column = schema.get(names[0])
    if column is None:
        return None  # a schema of fields alone, which need not be all
    text = column.name
    for at, name in enumerate(names[1:], start=1):
        if ".".join(names[: at + 1]) in schema:
            text = schema[".".join(names[: at + 1])].name
            continue
        if not text.startswith(_STRUCT) and "<" in text:
            return None  # a field of the structs in an array
        fields = dict(_fields(text))
        if name not in fields:
            return at, list(fields)
        text = fields[name]
    return None


def _fields(text: str) -> Iterator[tuple[str, str]]:
    """Names and types in `struct<a:int,b:decimal(10,2),c:struct<d:int>>`; none for another type.

    Arrow's text also has brackets, as in `timestamp[us, tz=UTC]`.
    """
    if not text.startswith(_STRUCT):
        return
    depth, start = 0, len(_STRUCT)
    for position, character in enumerate(text):
        depth += (character in "<([") - (character in ">)]")
        if (character == "," and depth == 1) or (position and depth == 0 and character == ">"):
            name, _, of_type = text[start:position].partition(":")
            yield name.strip(" `").lower(), of_type.strip()
            start = position + 1
