"""Comparisons of two columns of the same row: `ship_date > commit_date`, `a + 1 > b`."""

from typing import Final

from pycompiler.compile.compiler.truth_values import Truths
from pycompiler.compile.expression.model import ColumnPair, Operator
from pycompiler.compile.functions.column_differences import FAR, Shifted, difference, shifted
from pycompiler.compile.functions.condition import AllOf, AnyOf, Anything, Condition, Member
from pycompiler.compile.predicate.model import Column, Comparison, Opaque, Operand
from pycompiler.compile.values.outcomes import NOT_NULL, NULL_ONLY
from pycompiler.compile.values.types import HiveType, ValueKind, common_decimal

_OPPOSITE: Final = {
    Comparison.EQ: Comparison.NE,
    Comparison.NE: Comparison.EQ,
    Comparison.LT: Comparison.GTEQ,
    Comparison.LTEQ: Comparison.GT,
    Comparison.GT: Comparison.LTEQ,
    Comparison.GTEQ: Comparison.LT,
}
_NODES: Final = {
    Comparison.EQ: Operator.EQ_COLUMN,
    Comparison.NE: Operator.NE_COLUMN,
    Comparison.LT: Operator.LT_COLUMN,
    Comparison.LTEQ: Operator.LTEQ_COLUMN,
}
_SPANS: Final = {
    Comparison.EQ: [(0, 0)],
    Comparison.NE: [(-FAR, -1), (1, FAR)],
    Comparison.LT: [(-FAR, -1)],
    Comparison.LTEQ: [(-FAR, 0)],
    Comparison.GT: [(1, FAR)],
    Comparison.GTEQ: [(0, FAR)],
}
"""The differences of integers or days a and b for which `a operator b` is TRUE."""


def pair_condition(operator: Comparison, left: Operand, right: Operand, wanted: Truths) -> Condition:
    """When `left operator right` has a wanted truth value; `Anything` unless both are columns.

    Either may be a column plus or minus a constant, or the day of a timestamp. Looks through casts that
    change no value; Hive must compare the values without converting them.
    """
    a, b = shifted(left), shifted(right)
    if a is None or b is None:
        return unknown_operand(left, right)
    if not _are_comparable(a.type, b.type):
        return Anything(f"Hive converts {a.type} and {b.type} to compare them")
    left_null, right_null = Member(a.column, NULL_ONLY), Member(b.column, NULL_ONLY)
    if_true: Condition
    if_false: Condition
    if operator is Comparison.NULL_SAFE_EQ:
        one_null = AnyOf(
            (AllOf((left_null, Member(b.column, NOT_NULL))), AllOf((Member(a.column, NOT_NULL), right_null)))
        )
        if_true = AnyOf((_compared(Comparison.EQ, a, b), AllOf((left_null, right_null))))
        if_false = AnyOf((_compared(Comparison.NE, a, b), one_null))
        if_null = AnyOf(())
    else:
        if_true = _compared(operator, a, b)
        if_false = _compared(_OPPOSITE[operator], a, b)
        if_null = AnyOf((left_null, right_null))
    by_truth = ((Truths.TRUE, if_true), (Truths.FALSE, if_false), (Truths.NULL, if_null))
    return AnyOf(tuple(condition for truth, condition in by_truth if wanted & truth))


def unknown_operand(*operands: Operand) -> Anything:
    """Why a test of these operands tells nothing."""
    for operand in operands:
        if isinstance(operand, Opaque):
            return Anything(operand.reason)
    return Anything("only a comparison with constants, or of two columns, can skip files")


def _compared(operator: Comparison, a: Shifted, b: Shifted) -> Condition:
    if a.is_column and b.is_column:
        return _pair(operator, a.column, b.column)
    return difference(a, b, _SPANS[operator])


def _pair(operator: Comparison, left: Column, right: Column) -> ColumnPair:
    """The leaf for a comparison of two columns; the IDL has no `>`, so its sides are exchanged."""
    if operator not in _NODES:
        operator, left, right = operator.mirrored, right, left
    return ColumnPair(_NODES[operator], left.name, left.type, right.name, right.type)


def _are_comparable(left: HiveType, right: HiveType) -> bool:
    if left.kind is None or left.kind is not right.kind:
        return False
    match left.kind:
        case ValueKind.DECIMAL:
            return common_decimal([left, right]) is not None
        case ValueKind.STRING:
            # A varchar is a prefix of the stored value; a char is compared without its padding.
            return left.name == right.name == "string"
        case ValueKind.FLOAT:
            # Hive may compare a float with a double as either type.
            return left == right
    return True
