"""Casts to text and from constant text: `CAST(… AS STRING)`, `CAST('…' AS …)`."""

import math
import re
from collections.abc import Sequence
from typing import Final

from pycompiler.functions.condition import Condition, Member
from pycompiler.functions.rule import FunctionRule
from pycompiler.predicate.constants import moment_of, text_of
from pycompiler.predicate.model import Call, Literal, type_of
from pycompiler.values.calendar import FIRST_AGREED_DAY, LAST_DAY
from pycompiler.values.calendar import text_of as text_of_day
from pycompiler.values.encoding import encode_value
from pycompiler.values.monotone import Graph, Piece
from pycompiler.values.ordinals import ordinals_of
from pycompiler.values.outcomes import Outcomes
from pycompiler.values.range_set import RangeSet
from pycompiler.values.types import MOMENTS, HiveType, ValueKind

_BIGINT: Final = HiveType("bigint")
_WHOLE: Final = re.compile(r"-?(0|[1-9][0-9]{0,18})")


class DateAsText(FunctionRule):
    """`cast(date as string)`.

    Proof: yyyy-MM-dd with a four-digit year sorts as the days do; days before 1583 or after 9999 are kept.
    """

    names = ("cast",)

    def invert(self, call: Call, wanted: Outcomes) -> Condition | None:
        (argument,) = call.arguments
        source = type_of(argument)
        if source is None or source.kind is not ValueKind.DATE or call.type.name != "string":
            return None
        graph = Graph(text_of_day, (Piece(FIRST_AGREED_DAY, LAST_DAY),))
        return Member(argument, graph.preimage(source, call.type, wanted))


class IntegerAsText(FunctionRule):
    """`cast(integer as string)`, where only single texts are wanted, or all but single ones.

    Proof: an integer has one spelling only, its decimal digits without `+` or leading zeros, so each text
    stands for one integer or none.
    """

    names = ("cast",)

    def invert(self, call: Call, wanted: Outcomes) -> Condition | None:
        (argument,) = call.arguments
        source = type_of(argument)
        if source is None or source.kind is not ValueKind.INTEGER or call.type.name != "string":
            return None
        points = wanted.values.as_points
        excluded = wanted.values.complement().as_points
        if points is not None:
            return Member(argument, Outcomes(_integers(points), wanted.null))
        if excluded is not None:
            return Member(argument, Outcomes(_integers(excluded).complement(), wanted.null))
        return None


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


def _integers(texts: Sequence[bytes]) -> RangeSet:
    written = [text.decode("utf-8", "replace") for text in texts]
    numbers = [int(text) for text in written if _WHOLE.fullmatch(text) and text != "-0"]
    return RangeSet.points(
        [encode_value(_BIGINT, number) for number in numbers if -(1 << 63) <= number < 1 << 63]
    )


RULES: Final[tuple[FunctionRule, ...]] = (DateAsText(), IntegerAsText(), ConstantText())
