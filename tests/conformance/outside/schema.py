"""The columns that a filter may name, with the fields of structs under their dotted names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from pycompiler.predicate.schema import Schema
from pycompiler.values.types import HiveType

from .model import TableColumn

_STRUCT: Final = "struct<"


def filter_schema(columns: Iterable[TableColumn]) -> Schema:
    """Types by lower-case name."""
    return {
        name: hive_type
        for column in columns
        for name, hive_type in _with_fields(column.name.lower(), HiveType.parse(column.type))
    }


def _with_fields(name: str, hive_type: HiveType) -> Iterator[tuple[str, HiveType]]:
    yield name, hive_type
    if hive_type.name.startswith(_STRUCT):
        for field in _split(hive_type.name[len(_STRUCT) : -1]):
            field_name, _, field_type = field.partition(":")
            yield from _with_fields(f"{name}.{field_name}", HiveType.parse(field_type))


def _split(fields: str) -> Iterator[str]:
    """The parts between the commas that stand outside of brackets."""
    depth = start = 0
    for position, character in enumerate(fields):
        depth += (character in "<(") - (character in ">)")
        if character == "," and depth == 0:
            yield fields[start:position]
            start = position + 1
    yield fields[start:]
