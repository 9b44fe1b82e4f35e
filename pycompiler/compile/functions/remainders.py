"""`x % c` and `pmod(x, c)` of integers."""

from collections.abc import Iterable, Sequence
from typing import Final

from pycompiler.compile.functions.condition import Condition, Member
from pycompiler.compile.functions.rule import FunctionRule
from pycompiler.compile.predicate.constants import integer_of
from pycompiler.compile.predicate.model import Call, Literal, type_of
from pycompiler.compile.values.ordinals import Ordinals, ordinals_of
from pycompiler.compile.values.outcomes import Outcomes
from pycompiler.compile.values.spans import spans_of
from pycompiler.compile.values.types import INTEGER_BITS, ValueKind

_FARTHEST: Final = 1 << 63
_MAX_RANGES: Final = 256
"""Most ranges on either side of 0: farther from 0, integers are kept if any of them has a wanted result."""


class Remainder(FunctionRule):
    """`x % c`: x in one of the stretches of |c| integers, at a wanted distance from its end next to 0.

    Proof: the result has the sign of x and is less than |c| (`LongColModuloLongScalar`, Java's `%`). From a
    multiple of c away from 0 it grows by one to |c| - 1, and starts again. It is NULL for a c of 0.
    """

    names = ("%",)

    def invert(self, call: Call, wanted: Outcomes) -> Condition | None:
        source, divisor = _divided(call)
        if source is None or divisor is None:
            return None
        if divisor == 0:
            return Member(Literal(call.type, None), wanted)
        size = abs(divisor)
        results = spans_of(call.type, wanted.values)
        above = _stretches(_within(results, 0, size - 1), size)
        below = [(-last, -first) for first, last in _stretches(_mirrored(results, size), size)]
        return Member(call.arguments[0], Outcomes(source.ranges([*below, *above]), wanted.null))


class PositiveRemainder(FunctionRule):
    """`pmod(x, c)` for a positive c: x in one of the stretches of c integers, from a multiple of c on.

    Proof: Hive computes ((x % c) + c) % c, which is x less the next multiple of c at or below it. The sum is
    below 2c and so fits the result's type, as c is at most half of its greatest value.
    """

    names = ("pmod",)

    def invert(self, call: Call, wanted: Outcomes) -> Condition | None:
        source, divisor = _divided(call)
        if source is None or divisor is None or not 0 < divisor < 1 << (INTEGER_BITS[call.type.name] - 2):
            return None
        results = _within(spans_of(call.type, wanted.values), 0, divisor - 1)
        above = _stretches(results, divisor)
        # -1 has the greatest result.
        from_the_end = [(divisor - 1 - last, divisor - 1 - first) for first, last in reversed(results)]
        below = [(-1 - last, -1 - first) for first, last in _stretches(from_the_end, divisor)]
        return Member(call.arguments[0], Outcomes(source.ranges([*below, *above]), wanted.null))


def _divided(call: Call) -> tuple[Ordinals | None, int | None]:
    """The values of an integer x, and the constant by which it is divided."""
    if len(call.arguments) != 2 or call.type.kind is not ValueKind.INTEGER:
        return None, None
    source = type_of(call.arguments[0])
    if source is None or source.kind is not ValueKind.INTEGER:
        return None, None
    return ordinals_of(source), integer_of(call.arguments[1])


def _within(spans: Sequence[tuple[int, int]], least: int, most: int) -> list[tuple[int, int]]:
    cut = ((max(first, least), min(last, most)) for first, last in spans)
    return [(first, last) for first, last in cut if first <= last]


def _mirrored(spans: Sequence[tuple[int, int]], size: int) -> list[tuple[int, int]]:
    """The sizes of the results that negative integers may have."""
    return [(-last, -first) for first, last in reversed(_within(spans, 1 - size, 0))]


def _stretches(distances: Sequence[tuple[int, int]], size: int) -> Iterable[tuple[int, int]]:
    """The integers from 0 on at one of the distances from a multiple of `size` at or below them."""
    if not distances:
        return
    if distances == [(0, size - 1)]:
        yield 0, _FARTHEST
        return
    count = max(1, _MAX_RANGES // len(distances))
    for start in range(0, min(count * size, _FARTHEST), size):
        yield from ((start + first, start + last) for first, last in distances)
    if count * size < _FARTHEST:
        yield count * size, _FARTHEST


RULES: Final[tuple[FunctionRule, ...]] = (Remainder(), PositiveRemainder())
