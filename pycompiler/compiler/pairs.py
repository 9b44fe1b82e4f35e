"""Comparisons of two columns of the same row: `ship_date > commit_date`."""

from typing import Final

from pycompiler.compiler.truth_values import Truths
from pycompiler.expression.model import ColumnPair, Operator
from pycompiler.functions.condition import AllOf, AnyOf, Anything, Condition, Member
from pycompiler.predicate.model import Call, Column, Comparison, Opaque, Operand
from pycompiler.values.outcomes import NOT_NULL, NULL_ONLY
from pycompiler.values.types import HiveType, ValueKind, common_decimal, keeps_values

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


def pair_condition(operator: Comparison, left: Operand, right: Operand, wanted: Truths) -> Condition:
    """When `left operator right` has a wanted truth value; `Anything` unless both are columns.

    Looks through casts that change no value; Hive must compare the values without converting them.
    """
    left, right = _bare(left), _bare(right)
    if not isinstance(left, Column) or not isinstance(right, Column):
        return unknown_operand(left, right)
    if not _are_comparable(left.type, right.type):
        return Anything(f"Hive converts {left.type} and {right.type} to compare them")
    left_null, right_null = Member(left, NULL_ONLY), Member(right, NULL_ONLY)
    if_true: Condition
    if_false: Condition
    if operator is Comparison.NULL_SAFE_EQ:
        one_null = AnyOf(
            (AllOf((left_null, Member(right, NOT_NULL))), AllOf((Member(left, NOT_NULL), right_null)))
        )
        if_true = AnyOf((_pair(Comparison.EQ, left, right), AllOf((left_null, right_null))))
        if_false = AnyOf((_pair(Comparison.NE, left, right), one_null))
        if_null = AnyOf(())
    else:
        if_true = _pair(operator, left, right)
        if_false = _pair(_OPPOSITE[operator], left, right)
        if_null = AnyOf((left_null, right_null))
    by_truth = ((Truths.TRUE, if_true), (Truths.FALSE, if_false), (Truths.NULL, if_null))
    return AnyOf(tuple(condition for truth, condition in by_truth if wanted & truth))


def unknown_operand(*operands: Operand) -> Anything:
    """Why a test of these operands tells nothing."""
    for operand in operands:
        if isinstance(operand, Opaque):
            return Anything(operand.reason)
    return Anything("only a comparison with constants, or of two columns, can skip files")


def _pair(operator: Comparison, left: Column, right: Column) -> ColumnPair:
    """The leaf for a comparison of two columns; the IDL has no `>`, so its sides are exchanged."""
    if operator not in _NODES:
        operator, left, right = operator.mirrored, right, left
    return ColumnPair(_NODES[operator], left.name, left.type, right.name, right.type)


def _bare(operand: Operand) -> Operand:
    while isinstance(operand, Call) and operand.name == "cast" and len(operand.arguments) == 1:
        (inner,) = operand.arguments
        if not isinstance(inner, Column | Call) or not keeps_values(inner.type, operand.type):
            break
        operand = inner
    return operand


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
