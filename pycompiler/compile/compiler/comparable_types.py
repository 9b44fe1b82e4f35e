"""Which comparisons of a column with a constant compare the stored values.

If the types differ, Hive converts one side or both, which may round, truncate or reinterpret values. Then
bounds of the stored values tell nothing.
"""

from typing import Final

from pycompiler.compile.values.types import HiveType, ValueKind, common_decimal

_STRING_LITERALS: Final = {
    "string": frozenset({"string", "varchar"}),
    "varchar": frozenset({"string", "varchar"}),
    # Values that differ only in trailing spaces may or may not be equal; the range of a char leaf covers
    # both.
    "char": frozenset({"string", "varchar", "char"}),
}


def mismatch(column: HiveType, literal: HiveType) -> str | None:
    """Why constants of a type tell nothing about a column; None if they do."""
    match column.kind:
        case None:
            return f"values of type {column} are not indexed"
        case ValueKind.INTEGER:
            # Exact at every width.
            agrees = literal.kind is column.kind
        case ValueKind.DECIMAL:
            agrees = literal.kind is column.kind
            # A single comparison is exact, but Hive may combine several into an IN, and convert the operands
            # to one type (`GenericUDFIn`). It rounds if that has too few digits: 3 is IN (2.99999999999).
            if agrees and common_decimal([column, literal]) is None:
                return f"Hive may round a {column} column and a {literal} to compare them"
        case ValueKind.STRING:
            agrees = literal.name in _STRING_LITERALS[column.name]
        case _:
            agrees = literal == column
    return None if agrees else f"a column of type {column} is compared with a constant of type {literal}"
