"""Arithmetic with a constant, negation and absolute value."""

import math
from abc import abstractmethod
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Final

from pycompiler.compile.functions.condition import Condition, Member
from pycompiler.compile.functions.rule import FunctionRule
from pycompiler.compile.predicate.model import Call, Literal, type_of
from pycompiler.compile.values.monotone import Graph, Piece
from pycompiler.compile.values.ordinals import (
    EXACT,
    Ordinals,
    exact_ordinal,
    float_ordinal,
    ordinals_of,
    unscaled_decimal,
)
from pycompiler.compile.values.outcomes import Outcomes
from pycompiler.compile.values.types import INTEGER_BITS, NUMBERS, HiveType, ValueKind

_MAX_WRAPS: Final = 4
_INFINITIES: Final = (float_ordinal(-math.inf), float_ordinal(math.inf))


class _NumericFunction(FunctionRule):
    """A function of one number and, optionally, one constant."""

    @abstractmethod
    def graph(
        self, source: Ordinals, constant: Literal | None, first: bool, result: HiveType
    ) -> Graph | None:
        """The function of the non-constant operand; None if it is not certain.

        `constant` is the other operand, never NULL; None if there is none. `first`: it is on the left.
        """

    def invert(self, call: Call, wanted: Outcomes) -> Condition | None:
        match call.arguments:
            case (Literal(_, None), _) | (_, Literal(_, None)):
                return Member(Literal(call.type, None), wanted)
            case (operand,):
                constant, first = None, False
            case (operand, Literal() as constant):
                first = False
            case (Literal() as constant, operand):
                first = True
            case _:
                return None
        hive_type = type_of(operand)
        graph = None if hive_type is None else self._numeric_graph(hive_type, constant, first, call.type)
        if hive_type is None or graph is None:
            return None
        return Member(operand, graph.preimage(hive_type, call.type, wanted))

    def evaluate(self, call: Call, arguments: Sequence[Literal]) -> Literal | None:
        value, constant = (*arguments, None)[:2] if len(arguments) in (1, 2) else (None, None)
        if value is None or value.value is None or (constant is not None and constant.value is None):
            return None
        graph = self._numeric_graph(value.type, constant, False, call.type)
        if graph is None or graph.steps or isinstance(value.value, str):
            return None
        ordinal = exact_ordinal(value.type, value.value)
        if ordinal is None or not graph.covers(ordinal):
            return None
        result = graph.result(ordinal)
        return Literal(call.type, result.normalize(EXACT) if isinstance(result, Decimal) else result)

    def _numeric_graph(
        self, source: HiveType, constant: Literal | None, first: bool, result: HiveType
    ) -> Graph | None:
        types = [source, result, *([] if constant is None else [constant.type])]
        ordinals = ordinals_of(source)
        if ordinals is None or any(hive_type.kind not in NUMBERS for hive_type in types):
            return None
        number = None if constant is None else constant.value
        if isinstance(number, float) and not math.isfinite(number):
            return None
        return self.graph(ordinals, constant, first, result)


class _Linear(_NumericFunction):
    """`a·x + b` in the result's type.

    Proof: the exact result rises with x (falls if a < 0), and rounding to double keeps that order. A bigint
    that overflows wraps around: one piece per wrap. Arguments outside the pieces (other overflows) are kept,
    because Hive's row and vectorised modes differ there.
    """

    @abstractmethod
    def coefficients(self, constant: Fraction, first: bool) -> tuple[Fraction, Fraction]:
        """Slope a and intercept b."""

    def graph(
        self, source: Ordinals, constant: Literal | None, first: bool, result: HiveType
    ) -> Graph | None:
        a, b = self.coefficients(Fraction(0) if constant is None else _fraction(constant), first)
        match result.kind:
            case ValueKind.INTEGER if _is_whole(source.type, constant):
                return _whole_line(source, int(a), int(b), result)
            case ValueKind.FLOAT if result.name == "double" and source.type.kind is not ValueKind.DECIMAL:
                if a == 0:
                    return None
                slope, intercept = float(a), float(b)

                def in_doubles(ordinal: int) -> float:
                    # Rounds once, as Java does: a is 1 or -1, or b is 0.
                    return slope * float(source.decode(ordinal)) + intercept

                return Graph(in_doubles, (Piece(*_numbers(source), falling=a < 0),))
            case ValueKind.DECIMAL if source.type.kind is not ValueKind.FLOAT and a != 0:
                return _decimal_line(source, a, b, result)
        return None


class Plus(_Linear):
    """`x + c`. Proof: see `_Linear` with a = 1."""

    names = ("+",)

    def coefficients(self, constant: Fraction, first: bool) -> tuple[Fraction, Fraction]:
        return Fraction(1), constant


class Minus(_Linear):
    """`x - c` and `c - x`. Proof: see `_Linear` with a = 1 and a = -1."""

    names = ("-",)

    def coefficients(self, constant: Fraction, first: bool) -> tuple[Fraction, Fraction]:
        return (Fraction(-1), constant) if first else (Fraction(1), -constant)


class Times(_Linear):
    """`x * c`. Proof: see `_Linear` with a = c."""

    names = ("*",)

    def coefficients(self, constant: Fraction, first: bool) -> tuple[Fraction, Fraction]:
        return constant, Fraction(0)


class Negative(_Linear):
    """`-x`. Proof: see `_Linear` with a = -1."""

    names = ("negative",)

    def coefficients(self, constant: Fraction, first: bool) -> tuple[Fraction, Fraction]:
        return Fraction(-1), Fraction(0)


class Divide(_NumericFunction):
    """`x / c` and `c / x` in doubles or decimals; NULL for a divisor of 0.

    Proof: x / c rises with x if c > 0 and falls if c < 0; on either side of 0, c / x falls if c > 0 and rises
    if c < 0. Rounding keeps the order.
    """

    names = ("/",)

    def graph(
        self, source: Ordinals, constant: Literal | None, first: bool, result: HiveType
    ) -> Graph | None:
        if constant is None:
            return None
        c = _fraction(constant)
        pieces = _quotient_pieces(source, c, first)
        if (
            result.kind is ValueKind.FLOAT
            and result.name == "double"
            and source.type.kind is not ValueKind.DECIMAL
        ):
            divisor = float(c)

            def in_doubles(ordinal: int) -> float | None:
                value = float(source.decode(ordinal))
                numerator, denominator = (divisor, value) if first else (value, divisor)
                return None if denominator == 0 else numerator / denominator

            return Graph(in_doubles, pieces)
        if result.kind is not ValueKind.DECIMAL or source.type.kind is ValueKind.FLOAT or first:
            return None
        if c == 0:
            return Graph(lambda ordinal: None, pieces)
        # Hive may round an intermediate result, by at most one in the last digit.
        return _decimal_line(source, 1 / c, Fraction(0), result, steps=1)


class WholeQuotient(_NumericFunction):
    """`x div c` of integers: the quotient without its fraction; NULL for a divisor of 0.

    Proof: x / c rises with x if c > 0 and falls if c < 0, and cutting the fraction off keeps the order. The
    least integer divided by -1 overflows and is kept.
    """

    names = ("div",)

    def graph(
        self, source: Ordinals, constant: Literal | None, first: bool, result: HiveType
    ) -> Graph | None:
        if constant is None or first or result.name != "bigint" or not _is_whole(source.type, constant):
            return None
        c = int(_fraction(constant))
        least = source.first + 1 if c == -1 else source.first

        def whole(ordinal: int) -> int | None:
            return None if c == 0 else abs(ordinal) // abs(c) * (1 if (ordinal < 0) == (c < 0) else -1)

        return Graph(whole, (Piece(least, source.last, falling=c < 0),))


class Absolute(_NumericFunction):
    """`abs(x)`. Proof: falls below 0 and rises from 0 on.

    The least integer cannot be negated within its type and is kept.
    """

    names = ("abs",)

    def graph(
        self, source: Ordinals, constant: Literal | None, first: bool, result: HiveType
    ) -> Graph | None:
        if constant is not None or result.kind is not source.type.kind or result != source.type:
            return None
        start, end = _numbers(source)
        start = max(start, -end)

        def magnitude(ordinal: int) -> int | float | Decimal:
            value = source.decode(ordinal)
            return abs(value) if isinstance(value, int | float) else value.copy_abs()

        return Graph(magnitude, (Piece(start, -1, falling=True), Piece(0, end)))


def _is_whole(source: HiveType, constant: Literal | None) -> bool:
    kinds = {source.kind} if constant is None else {source.kind, constant.type.kind}
    return kinds == {ValueKind.INTEGER}


def _fraction(literal: Literal) -> Fraction:
    assert literal.value is not None and not isinstance(literal.value, str)
    return Fraction(literal.value)


def _numbers(source: Ordinals) -> tuple[int, int]:
    """The first and last ordinals, excluding NaN."""
    return _INFINITIES if source.type.kind is ValueKind.FLOAT else (source.first, source.last)


def _whole_line(source: Ordinals, a: int, b: int, result: HiveType) -> Graph:
    bits = INTEGER_BITS[result.name]
    least, turn = -(1 << (bits - 1)), 1 << bits

    def wrapped(ordinal: int) -> int:
        return (a * ordinal + b - least) % turn + least

    if a == 0:
        return Graph(wrapped, (Piece(source.first, source.last),))
    ends = sorted((a * source.first + b, a * source.last + b))
    turns = range((ends[0] - least) // turn, (ends[1] - least) // turn + 1)
    if result.name != "bigint" or turns.stop - turns.start > _MAX_WRAPS:
        # Vectorised Hive computes in 64 bits and may not truncate to a narrower type.
        turns = range(1)
    pieces = []
    for count in turns:
        low = Fraction(least + count * turn - b, a)
        high = Fraction(least + (count + 1) * turn - 1 - b, a)
        pieces.append(_between(source, low, high, falling=a < 0))
    return Graph(wrapped, tuple(piece for piece in pieces if piece is not None))


def _decimal_line(
    source: Ordinals, a: Fraction, b: Fraction, result: HiveType, *, steps: int = 0
) -> Graph | None:
    """Exact if the result's scale holds all digits; with `steps`, rounded half up to the scale."""
    scale = result.scale or 0
    unit = Fraction(1, 10 ** (source.type.scale or 0))
    factor = 10**scale
    if not steps and ((a * unit * factor).denominator != 1 or (b * factor).denominator != 1):
        return None
    limit = Fraction(10 ** (result.precision or 0) - 1, factor)
    slope, start = a * unit * factor, b * factor
    divisor = math.lcm(slope.denominator, start.denominator)
    slope_parts, start_parts = int(slope * divisor), int(start * divisor)

    def rounded(ordinal: int) -> Decimal:
        parts = slope_parts * ordinal + start_parts
        whole = (2 * abs(parts) + divisor) // (2 * divisor)
        return unscaled_decimal(whole if parts >= 0 else -whole, scale)

    low, high = (-limit - b) / (a * unit), (limit - b) / (a * unit)
    piece = _between(source, low, high, falling=a < 0)
    return Graph(rounded, (piece,) if piece is not None else (), steps)


def _between(source: Ordinals, low: Fraction, high: Fraction, *, falling: bool) -> Piece | None:
    low, high = min(low, high), max(low, high)
    first, last = max(source.first, math.ceil(low)), min(source.last, math.floor(high))
    return Piece(first, last, falling) if first <= last else None


def _quotient_pieces(source: Ordinals, c: Fraction, first: bool) -> tuple[Piece, ...]:
    start, end = _numbers(source)
    if not first:
        return (Piece(start, end, falling=c < 0),)
    # -0.0 sorts just below 0.0.
    zero = -1 if source.type.kind is ValueKind.FLOAT else 0
    return (Piece(start, zero - 1, falling=c > 0), Piece(zero, 0), Piece(1, end, falling=c > 0))


RULES: Final = (Plus(), Minus(), Times(), Negative(), Divide(), WholeQuotient(), Absolute())
