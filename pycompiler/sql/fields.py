"""Types of columns and struct fields."""

from collections.abc import Sequence

from pycompiler.predicate.schema import Schema
from pycompiler.values.types import HiveType, UnknownTypeError


def column_type(names: Sequence[str], schema: Schema) -> HiveType | None:
    """The type of a column or struct field, from its lower-case name parts; None if unknown."""
    found = schema.get(".".join(names)) or schema.get(names[0])
    if found is None or ".".join(names) in schema:
        return found
    for name in names[1:]:
        found = _field_type(found, name)
        if found is None:
            return None
    return found


def _field_type(hive_type: HiveType, field: str) -> HiveType | None:
    if not hive_type.name.startswith("struct<"):
        return None
    for name, text in _fields(hive_type.name.removeprefix("struct<").removesuffix(">")):
        if name == field:
            try:
                return HiveType.parse(text)
            except UnknownTypeError:
                return None
    return None


def _fields(text: str) -> list[tuple[str, str]]:
    """Names and types in `a:int,b:decimal(10,2),c:struct<d:int>`."""
    parts, depth, start = [], 0, 0
    for position, character in enumerate(text):
        depth += (character in "<(") - (character in ">)")
        if character == "," and depth == 0:
            parts.append(text[start:position])
            start = position + 1
    parts.append(text[start:])
    return [(name.strip("`"), of_type) for name, _, of_type in (part.partition(":") for part in parts)]
