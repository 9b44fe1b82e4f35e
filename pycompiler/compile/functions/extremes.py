"""`GREATEST` and `LEAST`.

Source: Hive 4.0.1, `GenericUDFGreatest` and `GenericUDFBaseNwayCompare`: NULL if any argument is. Arguments
are converted to the result's type and compared there; NaN is above all numbers.
"""

import math
from typing import ClassVar, Final

from pycompiler.compile.functions.casts import MonotoneCast
from pycompiler.compile.functions.condition import AllOf, AnyOf, Condition, Member
from pycompiler.compile.functions.rule import FunctionRule
from pycompiler.compile.predicate.model import Call, Column, Literal, Operand, type_of
from pycompiler.compile.values.encoding import encode_value
from pycompiler.compile.values.outcomes import NULL_ONLY, Outcomes
from pycompiler.compile.values.range_set import EMPTY, Range, RangeSet
from pycompiler.compile.values.types import HiveType, ValueKind, keeps_values

_NAN: Final = RangeSet.point(encode_value(HiveType("double"), math.nan))
_FIRST_AMBIGUOUS: Final = 0xEE
"""Lead byte of U+E000: from there on, UTF-8 and UTF-16 order strings differently."""


class Greatest(FunctionRule):
    """`greatest(a, b, …)`: one of the arguments is wanted, and the others are no higher than what is wanted.

    Proof: the result is one of the arguments, and none is above it. NaN is the result if any argument is NaN.
    A function may have a value outside its type in vectors, so only columns and constants are compared with
    the result. Bounds that UTF-8 and UTF-16 may order differently are not used.
    """

    names = ("greatest",)
    is_greatest: ClassVar[bool] = True

    def invert(self, call: Call, wanted: Outcomes) -> Condition | None:
        arguments = [_converted(argument, call.type) for argument in call.arguments]
        known = [argument for argument in arguments if argument is not None]
        if not known or len(known) < len(arguments) or call.type.name == "char":
            return None
        is_number = call.type.kind is ValueKind.FLOAT
        values = wanted.values & _NAN.complement() if is_number else wanted.values
        chosen: Condition = AnyOf(tuple(Member(argument, Outcomes(values, False)) for argument in known))
        if all(isinstance(argument, Column | Literal) for argument in known):
            above = _NAN if is_number and not self.is_greatest else EMPTY
            others = Outcomes(self._no_farther(values) | above, False)
            chosen = AllOf((chosen, *(Member(argument, others) for argument in known)))
        choices = [chosen]
        if is_number:
            choices += [Member(argument, Outcomes(_NAN, False)) for argument in known]
        if wanted.null:
            choices += [Member(argument, NULL_ONLY) for argument in known]
        return AnyOf(tuple(choices))

    def _no_farther(self, values: RangeSet) -> RangeSet:
        """All values up to the highest wanted one, or down to the lowest."""
        if values.is_empty:
            return EMPTY
        first, last = values.ranges[0], values.ranges[-1]
        end = last.high if self.is_greatest else first.low
        if end is None or any(byte >= _FIRST_AMBIGUOUS for byte in end.value):
            return RangeSet.of([Range()])
        return RangeSet.of([Range(None, end) if self.is_greatest else Range(end, None)])


class Least(Greatest):
    """`least(a, b, …)`: as `Greatest`, the other way round.

    Proof: the same; NaN is the result only if all arguments are NaN, and is above any other.
    """

    names = ("least",)
    is_greatest = False


def _converted(argument: Operand, target: HiveType) -> Operand | None:
    """An argument in the result's type; None if its value may change."""
    source = type_of(argument)
    if isinstance(argument, Literal):
        if argument.value is None or target.kind is ValueKind.TIMESTAMP:
            # Nanoseconds are cut off here.
            return None
        if source == target:
            return argument
        return MonotoneCast().evaluate(Call("cast", target, (argument,)), (argument,))
    if source is None or not keeps_values(source, target):
        is_exact = source is not None and (source.kind, target.kind) == (ValueKind.INTEGER, ValueKind.DECIMAL)
        return Call("cast", target, (argument,)) if is_exact else None
    return argument


RULES: Final[tuple[FunctionRule, ...]] = (Greatest(), Least())
