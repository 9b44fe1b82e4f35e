"""Which comparisons of a column with a constant are comparisons of their values.

Where the types differ Hive converts one side or both, and the conversion may round, cut or reinterpret: then
bounds of the stored values say nothing.
"""

from __future__ import annotations

from typing import Final

from pycompiler.types import HiveType, ValueKind

_STRING_LITERALS: Final = {
    "string": frozenset({"string", "varchar"}),
    "varchar": frozenset({"string", "varchar"}),
    # What differs in trailing spaces only may or may not be equal; the range that a char leaf becomes covers
    # both.
    "char": frozenset({"string", "varchar", "char"}),
}


def mismatch(column: HiveType, literal: HiveType) -> str | None:
    """Gives the reason why constants of a type say nothing about a column; None if they do."""
    match column.kind:
        case None:
            return f"values of type {column} are not indexed"
        case ValueKind.INTEGER | ValueKind.DECIMAL:
            # Exact at every width, precision and scale.
            agrees = literal.kind is column.kind
        case ValueKind.STRING:
            agrees = literal.name in _STRING_LITERALS[column.name]
        case _:
            agrees = literal == column
    return None if agrees else f"a column of type {column} is compared with a constant of type {literal}"
