"""Columns that a filter may name."""

from collections.abc import Mapping
from typing import TypeAlias

from pycompiler.compile.predicate.model import Column, Opaque
from pycompiler.compile.values.types import HiveType

Schema: TypeAlias = Mapping[str, HiveType]
"""Column types by lower-case name; a struct field may be listed by its dotted name."""


def check_column(column: Column, schema: Schema | None) -> Column | Opaque:
    """Returns the column if the table has it with this type; else `Opaque` with the reason.

    Virtual columns (`input__file__name`) are not in the schema. For a struct field, only the struct is looked
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
            column.name, f"{column.name} has type {declared} in the table but {column.type} in the filter"
        )
    return column
