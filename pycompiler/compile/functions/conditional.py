"""Functions that choose one of their arguments: `COALESCE`, `NVL`, `IF`, `CASE`, `NULLIF`, `IS TRUE`.

Source: Hive 4.0.1, `GenericUDFCoalesce`, `GenericUDFIf`, `GenericUDFWhen`, `GenericUDFCase`,
`GenericUDFNullif`. Hive converts each branch to the result's type; only lossless conversions are handled.
"""

from collections.abc import Sequence
from typing import Final

from pycompiler.compile.functions.condition import AllOf, AnyOf, Anything, Condition, Member
from pycompiler.compile.functions.rule import FunctionRule
from pycompiler.compile.predicate.constants import fits_default_decimal
from pycompiler.compile.predicate.model import BOOLEAN, Call, Compare, Comparison, Literal, Operand, type_of
from pycompiler.compile.values.booleans import IS_FALSE, IS_TRUE, NOT_FALSE, NOT_TRUE, chosen
from pycompiler.compile.values.outcomes import NOTHING, NULL_ONLY, Outcomes
from pycompiler.compile.values.types import HiveType, ValueKind, keeps_values

_MAX_EXCLUDED: Final = 8
"""A branch's condition excludes at most this many earlier branches."""


class Coalesce(FunctionRule):
    """`coalesce(x, 0)`: x is wanted, or x is NULL and 0 is wanted.

    Proof: the result is the first argument that is not NULL, and NULL if all are.
    """

    names = ("coalesce",)

    def invert(self, call: Call, wanted: Outcomes) -> Condition | None:
        if not call.arguments:
            return None
        present = Outcomes(wanted.values, False)
        choices: list[Condition] = []
        for position, value in enumerate(call.arguments):
            nulls = _all_null(call.arguments[: min(position, _MAX_EXCLUDED)])
            choices.append(AllOf((*nulls, _branch(value, call.type, present))))
        if wanted.null:
            choices.append(AllOf(_all_null(call.arguments)))
        return AnyOf(tuple(choices))


class When(FunctionRule):
    """`case when p then a … else b end`: a for the first p that is TRUE, b or NULL if none is.

    Proof: the definition of CASE.
    """

    names = ("when",)

    def invert(self, call: Call, wanted: Outcomes) -> Condition | None:
        branches = list(zip(call.arguments[::2], call.arguments[1::2], strict=False))
        otherwise = call.arguments[-1] if len(call.arguments) % 2 else None
        return _first_that_holds(branches, otherwise, call.type, wanted) if branches else None


class If(When):
    """`if(p, a, b)`: as `When` with one branch.

    Proof: the definition of IF; p is TRUE and the result is a, or p is FALSE or NULL and the result is b.
    """

    names = ("if",)

    def invert(self, call: Call, wanted: Outcomes) -> Condition | None:
        return super().invert(call, wanted) if len(call.arguments) == 3 else None


class Case(FunctionRule):
    """`case x when k then a … else b end`: a for the first k that equals x, b or NULL if none does.

    Proof: as for `When` with x = k, which is never TRUE if either is NULL; x and k have one type.
    """

    names = ("case",)

    def invert(self, call: Call, wanted: Outcomes) -> Condition | None:
        value, *rest = call.arguments
        keys = rest[: len(rest) // 2 * 2 : 2]
        source = type_of(value)
        if not keys or source is None or not all(_is_branch(key, source) for key in keys):
            return None
        if not all(map(fits_default_decimal, keys)):
            return None
        tests = [Compare(Comparison.EQ, value, key) for key in keys]
        otherwise = rest[-1] if len(rest) % 2 else None
        branches = list(zip(tests, rest[1::2], strict=True))
        return _first_that_holds(branches, otherwise, call.type, wanted)


class NullIf(FunctionRule):
    """`nullif(a, b)`: a, or NULL if a = b.

    Proof: the definition of NULLIF; where a = b is FALSE or NULL the result is a.
    """

    names = ("nullif",)

    def invert(self, call: Call, wanted: Outcomes) -> Condition | None:
        if len(call.arguments) != 2:
            return None
        value, other = call.arguments
        if type_of(value) != call.type or not all(_is_branch(part, call.type) for part in (value, other)):
            return None
        if not all(map(fits_default_decimal, call.arguments)):
            return None
        same = Compare(Comparison.EQ, value, other)
        kept = AllOf((Member(value, wanted), Member(same, NOT_TRUE)))
        return AnyOf((kept, Member(same, IS_TRUE))) if wanted.null else kept


_TRUTH_TESTS: Final = {
    "istrue": IS_TRUE,
    "isnottrue": NOT_TRUE,
    "isfalse": IS_FALSE,
    "isnotfalse": NOT_FALSE,
}
_OPPOSITES: Final = {IS_TRUE: NOT_TRUE, NOT_TRUE: IS_TRUE, IS_FALSE: NOT_FALSE, NOT_FALSE: IS_FALSE}


class TruthTest(FunctionRule):
    """`p IS TRUE` and similar tests; never NULL.

    Proof: by definition, the result is TRUE for the truth values of p in the name. Hive first converts other
    types to boolean; those are left alone.
    """

    names = tuple(_TRUTH_TESTS)

    def invert(self, call: Call, wanted: Outcomes) -> Condition | None:
        if len(call.arguments) != 1:
            return None
        (value,) = call.arguments
        if type_of(value) != BOOLEAN:
            return None
        if_true = _TRUTH_TESTS[call.name]
        return Member(value, chosen(wanted, if_true, _OPPOSITES[if_true], if_null=NOTHING))


def _first_that_holds(
    branches: Sequence[tuple[Operand, Operand]],
    otherwise: Operand | None,
    hive_type: HiveType,
    wanted: Outcomes,
) -> Condition:
    """Requires that the first branch with a TRUE test, or else the last, has a wanted value."""
    choices: list[Condition] = []
    passed: list[Condition] = []
    if any(type_of(test) not in (BOOLEAN, None) for test, _ in branches):
        return Anything("a condition is not boolean")
    for test, value in branches:
        before = passed[-_MAX_EXCLUDED:]
        choices.append(AllOf((_branch(value, hive_type, wanted), Member(test, IS_TRUE), *before)))
        passed.append(Member(test, NOT_TRUE))
    if otherwise is not None:
        choices.append(AllOf((_branch(otherwise, hive_type, wanted), *passed)))
    elif wanted.null:
        choices.append(AllOf(tuple(passed)))
    return AnyOf(tuple(choices))


def _branch(value: Operand, hive_type: HiveType, wanted: Outcomes) -> Condition:
    if not _is_branch(value, hive_type):
        return Anything(f"an argument is converted to {hive_type}")
    if isinstance(value, Literal) and value.value is not None and hive_type.kind is ValueKind.TIMESTAMP:
        # Nanoseconds are cut off here, and in the constants it would be compared with.
        return Anything("constants of type timestamp are not compared with each other")
    return Member(value, wanted)


def _is_branch(value: Operand, hive_type: HiveType) -> bool:
    """Whether the argument's value becomes the result unchanged."""
    if hive_type.name == "char":
        # Values that differ in trailing spaces are equal but encoded differently.
        return False
    if isinstance(value, Literal) and value.value is None:
        return True
    source = type_of(value)
    return source is not None and keeps_values(source, hive_type)


def _all_null(operands: Sequence[Operand]) -> tuple[Condition, ...]:
    return tuple(Member(operand, NULL_ONLY) for operand in operands)


RULES: Final = (Coalesce(), If(), When(), Case(), NullIf(), TruthTest())
