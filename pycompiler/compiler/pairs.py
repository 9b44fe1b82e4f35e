"""Column against column of one row: `ship_date > commit_date`."""

from __future__ import annotations

from typing import Final

from pycompiler.compiler.comparable_types import have_common_decimal
from pycompiler.compiler.truth_values import Truths
from pycompiler.expression.model import ColumnPair, Operator
from pycompiler.functions.condition import Against, AllOf, AnyOf, Anything, Condition, Member
from pycompiler.predicate.model import Call, Column, Comparison, Opaque, Operand
from pycompiler.values.outcomes import NOT_NULL, NULL_ONLY
from pycompiler.values.types import HiveType, ValueKind, keeps_values

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
    """When `left operator right` has a wanted truth value: nothing is known unless both are columns.

    Casts that change no value are looked through; Hive must compare the values as they are.
    """
    left, right = _bare(left), _bare(right)
    if not isinstance(left, Column) or not isinstance(right, Column):
        for operand in (left, right):
            if isinstance(operand, Opaque):
                return Anything(operand.reason)
        return Anything("only a comparison with constants, or of two columns, can skip files")
    if not _are_comparable(left.type, right.type):
        return Anything(f"Hive converts {left.type} and {right.type} to compare them")
    left_null, right_null = Member(left, NULL_ONLY), Member(right, NULL_ONLY)
    any_null = AnyOf((left_null, right_null))
    if operator is Comparison.NULL_SAFE_EQ:
        same = AnyOf((Against(Comparison.EQ, left, right), AllOf((left_null, right_null))))
        one_null = AnyOf(
            (AllOf((left_null, Member(right, NOT_NULL))), AllOf((Member(left, NOT_NULL), right_null)))
        )
        other = AnyOf((Against(Comparison.NE, left, right), one_null))
        return AnyOf(_wanted_parts(wanted, same, other, AnyOf(())))
    return AnyOf(
        _wanted_parts(
            wanted, Against(operator, left, right), Against(_OPPOSITE[operator], left, right), any_null
        )
    )


def pair_node(condition: Against) -> ColumnPair:
    """The leaf of a comparison of two columns: the IDL has no `>`, so the sides are exchanged."""
    operator, left, right = condition.operator, condition.left, condition.right
    if operator not in _NODES:
        operator, left, right = operator.mirrored, right, left
    return ColumnPair(_NODES[operator], left.name, left.type, right.name, right.type)


def _wanted_parts(
    wanted: Truths, if_true: Condition, if_false: Condition, if_null: Condition
) -> tuple[Condition, ...]:
    parts = ((Truths.TRUE, if_true), (Truths.FALSE, if_false), (Truths.NULL, if_null))
    return tuple(condition for bit, condition in parts if wanted & bit)


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
            return have_common_decimal([left, right])
        case ValueKind.STRING:
            # A varchar is a part of what is stored, a char is compared without its padding.
            return left.name == right.name == "string"
        case ValueKind.FLOAT:
            # A float against a double may be compared as either.
            return left == right
    return True
