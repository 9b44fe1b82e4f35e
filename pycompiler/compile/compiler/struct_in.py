"""IN over several columns at once: `(a, b) IN ((1, 2), (3, 4))`."""

from collections.abc import Iterable, Sequence
from typing import Final

from pycompiler.compile.compiler.comparisons import InexpressibleError, membership_outcomes
from pycompiler.compile.compiler.constant_folding import folded
from pycompiler.compile.compiler.truth_values import Truths
from pycompiler.compile.functions.condition import AllOf, AnyOf, Anything, Condition, Member
from pycompiler.compile.predicate.model import Call, Literal, Operand, type_of
from pycompiler.compile.values.outcomes import NULL_ONLY

STRUCT: Final = "struct"
_MAX_TUPLES: Final = 64
"""Most tuples that are tested one by one; beyond this, each field is tested on its own."""


def struct_membership(value: Call, members: Sequence[Operand], wanted: Truths) -> Condition:
    """When `value IN (members)`, for structs of one size, has a wanted truth value.

    Only TRUE is supported: all fields of the struct equal those of one member. Hive compares structs field by
    field, and there NULL equals NULL (`GenericUDFIn`, `StructColumnInList`).
    """
    if wanted != Truths.TRUE:
        return Anything("an IN of structs can skip files only where it must be TRUE")
    tuples = [_constants(member, len(value.arguments)) for member in members]
    known = [constants for constants in tuples if constants is not None]
    if len(known) < len(tuples):
        return Anything("not all structs of this IN are constants")
    if len(known) <= _MAX_TUPLES:
        return AnyOf(tuple(_fields(value, [[constant] for constant in constants]) for constants in known))
    return _fields(value, zip(*known, strict=True))


def _constants(member: Operand, size: int) -> tuple[Literal, ...] | None:
    if not isinstance(member, Call) or member.name != STRUCT or len(member.arguments) != size:
        return None
    fields = tuple(folded(field) for field in member.arguments)
    literals = tuple(field for field in fields if isinstance(field, Literal))
    return literals if len(literals) == size else None


def _fields(value: Call, constants: Iterable[Sequence[Literal]]) -> Condition:
    """Each field is one of its constants."""
    return AllOf(tuple(map(_field, value.arguments, constants)))


def _field(field: Operand, constants: Sequence[Literal]) -> Condition:
    """The field is one of the constants; NULL equals NULL."""
    hive_type = type_of(field)
    if hive_type is None:
        return Anything("the type of a field of the struct is unknown")
    present = [constant for constant in constants if constant.value is not None]
    try:
        outcomes = membership_outcomes(hive_type, present, Truths.TRUE)
    except InexpressibleError as error:
        return Anything(str(error))
    return Member(field, outcomes | NULL_ONLY if len(present) < len(constants) else outcomes)
