"""IN of several columns at once: `(a, b) IN ((1, 2), (3, 4))`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pycompiler.compiler.comparisons import InexpressibleError, membership_outcomes
from pycompiler.compiler.constant_folding import folded
from pycompiler.compiler.truth_values import Truths
from pycompiler.functions.condition import AllOf, AnyOf, Anything, Condition, Member
from pycompiler.predicate.model import Call, Literal, Operand, type_of
from pycompiler.values.outcomes import NULL_ONLY

STRUCT: Final = "struct"
"""The function that puts a struct together."""
_MAX_TUPLES: Final = 64
"""Most tuples that are looked for one by one; of more, the values of each field."""


def struct_membership(value: Call, members: Sequence[Operand], wanted: Truths) -> Condition:
    """When `value IN (members)`, of structs of one size, has a wanted truth value.

    Only what TRUE asks is known: each field of the struct is equal to that of one member. Hive compares
    structs field by field, and there NULL is equal to NULL (`GenericUDFIn`, `StructColumnInList`).
    """
    if wanted != Truths.TRUE:
        return Anything("an IN of structs can skip files only where it must be TRUE")
    tuples = [_constants(member, len(value.arguments)) for member in members]
    known = [constants for constants in tuples if constants is not None]
    if len(known) < len(tuples):
        return Anything("not all structs of this IN are constants")
    if len(known) <= _MAX_TUPLES:
        return AnyOf(
            tuple(
                AllOf(
                    tuple(
                        _field(field, [constant])
                        for field, constant in zip(value.arguments, constants, strict=True)
                    )
                )
                for constants in known
            )
        )
    columns = zip(*known, strict=True)
    return AllOf(
        tuple(_field(field, constants) for field, constants in zip(value.arguments, columns, strict=True))
    )


def _constants(member: Operand, size: int) -> tuple[Literal, ...] | None:
    """The fields of a constant struct."""
    if not isinstance(member, Call) or member.name != STRUCT or len(member.arguments) != size:
        return None
    fields = tuple(folded(field) for field in member.arguments)
    literals = tuple(field for field in fields if isinstance(field, Literal))
    return literals if len(literals) == size else None


def _field(field: Operand, constants: Sequence[Literal]) -> Condition:
    """The field is one of the constants; NULL is equal to NULL."""
    hive_type = type_of(field)
    if hive_type is None:
        return Anything("the type of a field of the struct is unknown")
    present = [constant for constant in constants if constant.value is not None]
    try:
        outcomes = membership_outcomes(hive_type, present, Truths.TRUE)
    except InexpressibleError as error:
        return Anything(str(error))
    return Member(field, outcomes | NULL_ONLY if len(present) < len(constants) else outcomes)
