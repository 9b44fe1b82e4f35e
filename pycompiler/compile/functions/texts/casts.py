"""Casts to text and from constant text: `CAST(… AS STRING)`, `CAST('…' AS …)`."""

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from pycompiler.compile.functions.condition import Condition, Member
from pycompiler.compile.functions.rule import FunctionRule
from pycompiler.compile.predicate.constants import moment_of, text_of
from pycompiler.compile.predicate.model import Call, Literal, type_of
from pycompiler.compile.values.calendar import DAY_MICROS, FIRST_AGREED_DAY, LAST_DAY, SECOND_MICROS
from pycompiler.compile.values.calendar import text_of as text_of_day
from pycompiler.compile.values.encoding import encode_value
from pycompiler.compile.values.monotone import Graph, Piece
from pycompiler.compile.values.ordinals import known_ordinals, ordinals_of
from pycompiler.compile.values.outcomes import Outcomes
from pycompiler.compile.values.range_set import End, Range, RangeSet
from pycompiler.compile.values.spans import moments, spans_of
from pycompiler.compile.values.types import INTEGER_BITS, MOMENTS, HiveType, ValueKind

_BIGINT: Final = HiveType("bigint")
_DAY_SECONDS: Final = DAY_MICROS // SECOND_MICROS
_SECOND_LENGTH: Final = len("yyyy-MM-dd HH:mm:ss")
_WHOLE: Final = re.compile(r"-?(0|[1-9][0-9]{0,18})")


class DateAsText(FunctionRule):
    """`cast(date as string)`.

    Proof: yyyy-MM-dd with a four-digit year sorts as the days do; days before 1583 or after 9999 are kept.
    """

    names = ("cast",)

    def invert(self, call: Call, wanted: Outcomes) -> Condition | None:
        (argument,) = call.arguments
        source = _written_type(call, ValueKind.DATE)
        if source is None:
            return None
        graph = Graph(text_of_day, (Piece(FIRST_AGREED_DAY, LAST_DAY),))
        return Member(argument, graph.preimage(source, call.type, wanted))


class IntegerAsText(FunctionRule):
    """`cast(integer as string)`.

    Proof: an integer has one spelling only, its decimal digits without `+` or leading zeros, so a text stands
    for one integer or none. Integers with as many digits and one sign sort as their texts do, in reverse if
    they are negative.
    """

    names = ("cast",)

    def invert(self, call: Call, wanted: Outcomes) -> Condition | None:
        (argument,) = call.arguments
        source = _written_type(call, ValueKind.INTEGER)
        if source is None:
            return None
        points = wanted.values.as_points
        excluded = wanted.values.complement().as_points
        if points is not None:
            return Member(argument, Outcomes(_integers(points), wanted.null))
        if excluded is not None:
            return Member(argument, Outcomes(_integers(excluded).complement(), wanted.null))
        return Member(argument, _DIGITS[source.name].preimage(source, call.type, wanted))


class TimestampAsText(FunctionRule):
    """`cast(timestamp as string)`: yyyy-MM-dd HH:mm:ss and, if there is one, the fraction without last zeros.

    Proof: years 1583 to 9999 have four digits, so the first 19 characters sort as the seconds do. A text x is
    not above its range's upper end only if these characters are not, as a prefix of x, and not below the
    lower end only if they are not below the end's own first 19. Other years are kept.
    """

    names = ("cast",)

    def invert(self, call: Call, wanted: Outcomes) -> Condition | None:
        (argument,) = call.arguments
        source = _written_type(call, ValueKind.TIMESTAMP)
        if source is None:
            return None
        texts = RangeSet.of(_of_seconds(range_) for range_ in wanted.values.ranges)
        found = _SECONDS.preimage(_BIGINT, call.type, Outcomes(texts, wanted.null))
        values = moments(source, spans_of(_BIGINT, found.values), SECOND_MICROS)
        return Member(argument, Outcomes(values, wanted.null))


class ConstantText(FunctionRule):
    """`cast('…' as …)` of plain integers that fit the type, plain dates and times, and NaN."""

    names = ("cast",)

    def invert(self, call: Call, wanted: Outcomes) -> Condition | None:
        return None

    def evaluate(self, call: Call, arguments: Sequence[Literal]) -> Literal | None:
        text = text_of(arguments[0])
        if text is None:
            return None
        if call.type.kind in MOMENTS:
            return moment_of(text, call.type)
        if call.type.name == "double" and text == "NaN":
            return Literal(call.type, math.nan)
        ordinals = ordinals_of(call.type)
        if call.type.kind is not ValueKind.INTEGER or ordinals is None or not _WHOLE.fullmatch(text):
            return None
        return Literal(call.type, int(text)) if ordinals.first <= int(text) <= ordinals.last else None


def _written_type(call: Call, kind: ValueKind) -> HiveType | None:
    """The type of a cast's argument if values of that kind are cast to string."""
    source = type_of(call.arguments[0])
    return source if source is not None and source.kind is kind and call.type.name == "string" else None


def _by_digits(source: HiveType) -> Graph:
    """The text of an integer, on pieces of one sign and number of digits."""
    ordinals = known_ordinals(source)
    pieces = [Piece(0, 0)]
    power = 1
    while power <= -ordinals.first:
        pieces.append(Piece(max(1 - 10 * power, ordinals.first), -power, falling=True))
        if power <= ordinals.last:
            pieces.append(Piece(power, min(10 * power - 1, ordinals.last)))
        power *= 10
    return Graph(str, tuple(pieces))


def _text_of_second(second: int) -> str:
    day, rest = divmod(second, _DAY_SECONDS)
    return f"{text_of_day(day)} {rest // 3600:02d}:{rest // 60 % 60:02d}:{rest % 60:02d}"


def _of_seconds(range_: Range) -> Range:
    """A range in which the first characters of each text of a range are."""
    low = range_.low
    return replace(range_, low=None if low is None else End(low.value[:_SECOND_LENGTH], True))


def _integers(texts: Sequence[bytes]) -> RangeSet:
    written = [text.decode("utf-8", "replace") for text in texts]
    numbers = [int(text) for text in written if _WHOLE.fullmatch(text) and text != "-0"]
    return RangeSet.points(
        [encode_value(_BIGINT, number) for number in numbers if -(1 << 63) <= number < 1 << 63]
    )


_DIGITS: Final = {name: _by_digits(HiveType(name)) for name in INTEGER_BITS}
_SECONDS: Final = Graph(
    _text_of_second, (Piece(FIRST_AGREED_DAY * _DAY_SECONDS, (LAST_DAY + 1) * _DAY_SECONDS - 1),)
)
RULES: Final[tuple[FunctionRule, ...]] = (DateAsText(), IntegerAsText(), TimestampAsText(), ConstantText())
