"""Which comparisons of a column with a constant compare the stored values.

If the types differ, Hive converts one side or both, which may round, truncate or reinterpret values. Then
bounds of the stored values tell nothing.
"""

from collections.abc import Iterable
from typing import Final

from pycompiler.values.types import MAX_DECIMAL_PRECISION, HiveType, ValueKind

_STRING_LITERALS: Final = {
    "string": frozenset({"string", "varchar"}),
    "varchar": frozenset({"string", "varchar"}),
    # Values that differ only in trailing spaces may or may not be equal; the range of a char leaf covers
    # both.
    "char": frozenset({"string", "varchar", "char"}),
}


def have_common_decimal(types: Iterable[HiveType]) -> bool:
    """Whether one decimal type holds all values of some decimal types exactly.

    Hive converts the operands of an IN to one type (`GenericUDFIn`). If the digits before and after the point
    exceed its 38, it rounds: 2.99999999999 is IN (3), or 3 is IN (2.99999999999).
    """
    decimals = [(hive_type.precision or 0, hive_type.scale or 0) for hive_type in types]
    before = max(precision - scale for precision, scale in decimals)
    return before + max(scale for _, scale in decimals) <= MAX_DECIMAL_PRECISION


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
            # A single comparison is exact, but Hive may combine several into an IN.
            if agrees and not have_common_decimal([column, literal]):
                return f"Hive may round a {column} column and a {literal} to compare them"
        case ValueKind.STRING:
            agrees = literal.name in _STRING_LITERALS[column.name]
        case _:
            agrees = literal == column
    return None if agrees else f"a column of type {column} is compared with a constant of type {literal}"
