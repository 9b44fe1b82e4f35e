"""Functions that choose one of their arguments: `COALESCE`, `NVL`, `IF`, `CASE`, `NULLIF`, `IS TRUE`.

Source: Hive 4.0.1, `GenericUDFCoalesce`, `GenericUDFIf`, `GenericUDFWhen`, `GenericUDFCase`,
`GenericUDFNullif`. A branch of another type is converted to the type of the result: only conversions that
change no value are understood here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pycompiler.functions.condition import AllOf, AnyOf, Anything, Condition, Member
from pycompiler.functions.rule import FunctionRule
from pycompiler.predicate.constants import is_of_default_decimal
from pycompiler.predicate.model import BOOLEAN, Call, Compare, Comparison, Literal, Operand, type_of
from pycompiler.values.booleans import FALSE, IS_FALSE, IS_TRUE, NOT_FALSE, NOT_TRUE, TRUE
from pycompiler.values.outcomes import NULL_ONLY, Outcomes
from pycompiler.values.types import HiveType, ValueKind, keeps_values

_MAX_EXCLUDED: Final = 8
"""Of how many branches before it a branch is told that they were not taken."""


class Coalesce(FunctionRule):
    """`coalesce(x, 0)`: x is wanted, or x is NULL and 0 is wanted.

    Proof: the result is the first argument that is not NULL, and NULL if all are.
    """

    @property
    def names(self) -> Sequence[str]:
        return ("coalesce",)

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


class If(FunctionRule):
    """`if(p, a, b)`: p is TRUE and a is wanted, or p is FALSE or NULL and b is wanted.

    Proof: the definition of IF.
    """

    @property
    def names(self) -> Sequence[str]:
        return ("if",)

    def invert(self, call: Call, wanted: Outcomes) -> Condition | None:
        if len(call.arguments) != 3:
            return None
        test, if_true, otherwise = call.arguments
        return _first_that_holds([(test, if_true)], otherwise, call.type, wanted)


class When(FunctionRule):
    """`case when p then a … else b end`: a for the first p that is TRUE, b or NULL if none is.

    Proof: the definition of CASE.
    """

    @property
    def names(self) -> Sequence[str]:
        return ("when",)

    def invert(self, call: Call, wanted: Outcomes) -> Condition | None:
        branches = list(zip(call.arguments[::2], call.arguments[1::2], strict=False))
        otherwise = call.arguments[-1] if len(call.arguments) % 2 else None
        return _first_that_holds(branches, otherwise, call.type, wanted) if branches else None


class Case(FunctionRule):
    """`case x when k then a … else b end`: a for the first k that x is equal to, b or NULL if there is none.

    Proof: as for `When` with x = k, which is not TRUE if either is NULL; x and k have one type.
    """

    @property
    def names(self) -> Sequence[str]:
        return ("case",)

    def invert(self, call: Call, wanted: Outcomes) -> Condition | None:
        value, *rest = call.arguments
        keys = rest[: len(rest) // 2 * 2 : 2]
        source = type_of(value)
        if not keys or source is None or not all(_is_branch(key, source) for key in keys):
            return None
        if not all(map(is_of_default_decimal, keys)):
            return None
        tests = [Compare(Comparison.EQ, value, key) for key in keys]
        otherwise = rest[-1] if len(rest) % 2 else None
        branches = list(zip(tests, rest[1::2], strict=True))
        return _first_that_holds(branches, otherwise, call.type, wanted)


class NullIf(FunctionRule):
    """`nullif(a, b)`: a, unless a = b, which makes it NULL.

    Proof: the definition of NULLIF; where a = b is FALSE or NULL the result is a.
    """

    @property
    def names(self) -> Sequence[str]:
        return ("nullif",)

    def invert(self, call: Call, wanted: Outcomes) -> Condition | None:
        if len(call.arguments) != 2:
            return None
        value, other = call.arguments
        if type_of(value) != call.type or not all(_is_branch(part, call.type) for part in (value, other)):
            return None
        if not all(map(is_of_default_decimal, call.arguments)):
            return None
        same = Compare(Comparison.EQ, value, other)
        kept = AllOf((Member(value, wanted), Member(same, NOT_TRUE)))
        return AnyOf((kept, Member(same, IS_TRUE))) if wanted.null else kept


class TruthTest(FunctionRule):
    """`p IS TRUE` and the like: never NULL.

    Proof: the definitions; the result is TRUE for the truth values of p that the name says. Of other values
    Hive makes booleans first; these are left alone.
    """

    @property
    def names(self) -> Sequence[str]:
        return tuple(_TRUTH_TESTS)

    def invert(self, call: Call, wanted: Outcomes) -> Condition | None:
        if len(call.arguments) != 1:
            return None
        (value,) = call.arguments
        if type_of(value) != BOOLEAN:
            return None
        if_true = _TRUTH_TESTS[call.name]
        parts: list[Condition] = []
        if wanted.has(TRUE):
            parts.append(Member(value, if_true))
        if wanted.has(FALSE):
            parts.append(Member(value, _OPPOSITES[if_true]))
        return AnyOf(tuple(parts))


_TRUTH_TESTS: Final = {
    "istrue": IS_TRUE,
    "isnottrue": NOT_TRUE,
    "isfalse": IS_FALSE,
    "isnotfalse": NOT_FALSE,
}
_OPPOSITES: Final = {IS_TRUE: NOT_TRUE, NOT_TRUE: IS_TRUE, IS_FALSE: NOT_FALSE, NOT_FALSE: IS_FALSE}


def _first_that_holds(
    branches: Sequence[tuple[Operand, Operand]],
    otherwise: Operand | None,
    hive_type: HiveType,
    wanted: Outcomes,
) -> Condition:
    """When the value of the first branch whose test is TRUE, else of the last, is wanted."""
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
        # Its nanoseconds are cut off here, and those of what it is compared with.
        return Anything("constants of type timestamp are not compared with each other")
    return Member(value, wanted)


def _is_branch(value: Operand, hive_type: HiveType) -> bool:
    """Whether an argument's value is the result's value as it is."""
    if hive_type.name == "char":
        # What differs in trailing spaces is one value, with several encodings.
        return False
    if isinstance(value, Literal) and value.value is None:
        return True
    source = type_of(value)
    return source is not None and keeps_values(source, hive_type)


def _all_null(operands: Sequence[Operand]) -> tuple[Condition, ...]:
    return tuple(Member(operand, NULL_ONLY) for operand in operands)


RULES: Final = (Coalesce(), If(), When(), Case(), NullIf(), TruthTest())
