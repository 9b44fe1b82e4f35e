"""Conversions between numbers, dates and timestamps: `CAST`, and what Hive does to compare two types."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import TypeAlias

from pycompiler.encoding import encode_value
from pycompiler.functions.condition import Condition, Member
from pycompiler.functions.monotone import Piece, preimage
from pycompiler.functions.ordinals import DAY_MICROS, Number, ordinals_of
from pycompiler.functions.rule import FunctionRule
from pycompiler.predicate.model import Call, Literal, type_of
from pycompiler.ranges.outcomes import Outcomes
from pycompiler.types import HiveType, ValueKind

Converter: TypeAlias = Callable[[Number], Number]
"""A value of one type to one of another."""


class WideningCast(FunctionRule):
    """A conversion that changes no value, between types with one encoding: `cast(int as bigint)`.

    Proof: the result is the argument, byte for byte, and it is NULL where the argument is.
    """

    @property
    def names(self) -> Sequence[str]:
        return ("cast",)

    def invert(self, call: Call, wanted: Outcomes) -> Condition | None:
        source = type_of(call.arguments[0])
        if source is None or not keeps_values(source, call.type):
            return None
        return Member(call.arguments[0], wanted)

    def evaluate(self, call: Call, arguments: Sequence[Literal]) -> Literal | None:
        (value,) = arguments
        return Literal(call.type, value.value) if keeps_values(value.type, call.type) else None


class MonotoneCast(FunctionRule):
    """A conversion that keeps the order of values, also where it rounds: `cast(bigint as double)`.

    Proof: rounding to the nearest or down to a day never puts a greater value below a smaller one. Values that
    the target cannot hold (NULL, or bits cut off) are outside of the pieces, so they are kept.
    """

    @property
    def names(self) -> Sequence[str]:
        return ("cast",)

    def invert(self, call: Call, wanted: Outcomes) -> Condition | None:
        (argument,) = call.arguments
        source = type_of(argument)
        found = None if source is None else _conversion(source, call.type)
        if source is None or found is None:
            return None
        convert, pieces = found
        ordinals = ordinals_of(source)
        assert ordinals is not None

        def forward(ordinal: int) -> bytes | None:
            return encode_value(call.type, convert(ordinals.decode(ordinal)))

        return Member(argument, Outcomes(preimage(ordinals, pieces, forward, wanted), wanted.null))

    def evaluate(self, call: Call, arguments: Sequence[Literal]) -> Literal | None:
        (value,) = arguments
        if value.value is None:
            return Literal(call.type, None)
        found = _conversion(value.type, call.type)
        if found is None or isinstance(value.value, str | Decimal):
            return None
        convert, pieces = found
        is_inside = any(piece.first <= value.value <= piece.last for piece in pieces)
        return Literal(call.type, convert(value.value)) if is_inside else None


def keeps_values(source: HiveType, target: HiveType) -> bool:
    """Tells whether a conversion changes no value and both types have one encoding."""
    if source == target:
        return True
    widths = {"tinyint": 1, "smallint": 2, "int": 3, "bigint": 4, "float": 1, "double": 2}
    if source.kind is target.kind and source.kind in (ValueKind.INTEGER, ValueKind.FLOAT):
        return widths[source.name] <= widths[target.name]
    if source.precision is not None and target.precision is not None:
        before, after = source.precision - (source.scale or 0), target.precision - (target.scale or 0)
        return before <= after and (source.scale or 0) <= (target.scale or 0)
    # A varchar's logical value is the string.
    return source.name == "varchar" and target.name == "string"


def _conversion(source: HiveType, target: HiveType) -> tuple[Converter, list[Piece]] | None:
    """How values are converted, and on which stretches of the source."""
    ordinals = ordinals_of(source)
    if ordinals is None:
        return None
    whole = [Piece(ordinals.first, ordinals.last)]
    match source.kind, target.kind:
        case ValueKind.INTEGER, ValueKind.INTEGER:
            # Outside of the narrower type the bits that do not fit are cut off.
            narrow = ordinals_of(target)
            assert narrow is not None
            return int, [Piece(max(ordinals.first, narrow.first), min(ordinals.last, narrow.last))]
        case ValueKind.INTEGER, ValueKind.FLOAT if target.name == "double":
            return float, whole
        case ValueKind.DATE, ValueKind.TIMESTAMP:
            limit = ordinals_of(target)
            assert limit is not None
            fitting = Piece(-(-limit.first // DAY_MICROS), limit.last // DAY_MICROS)
            return lambda days: int(days) * DAY_MICROS, [fitting]
        case ValueKind.TIMESTAMP, ValueKind.DATE:
            return lambda micros: int(micros) // DAY_MICROS, whole
    return None
