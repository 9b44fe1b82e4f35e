"""The columns that a filter may name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from pycompiler.predicate.errors import MalformedFilterError
from pycompiler.predicate.literals import read_type
from pycompiler.predicate.model import Column, Opaque
from pycompiler.thrift_gen import ttypes
from pycompiler.values.types import HiveType

Schema: TypeAlias = Mapping[str, HiveType]
"""Column types by lower-case name; a field of a struct may be listed by its dotted name."""


def read_schema(thrift: ttypes.TableSchema | None) -> Schema | None:
    """Reads the table's columns; None if the request has no schema, so that columns cannot be checked.

    Raises:
        MalformedFilterError: A column has no name, or a type that is none.
    """
    if thrift is None:
        return None
    schema: dict[str, HiveType] = {}
    for column in thrift.columns or []:
        if not column.name:
            raise MalformedFilterError("a column of the schema has no name")
        schema[column.name.lower()] = read_type(column.type)
    return schema


def check_column(column: Column, schema: Schema | None) -> Column | Opaque:
    """Gives the column if the table has it with this type, else the reason why nothing is known of it.

    Virtual columns (`input__file__name`) are not in the schema. Of a struct field the struct alone is looked
    up.
    """
    if schema is None:
        return column
    root, _, field = column.name.partition(".")
    declared = schema.get(column.name) or schema.get(root)
    if declared is None:
        return Opaque(column.name, f"{column.name} is not a column of the table")
    if declared != column.type and not (field and root in schema):
        return Opaque(
            column.name, f"{column.name} is {declared} in the table and {column.type} in the filter"
        )
    return column
