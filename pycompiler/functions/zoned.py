"""Functions that go through the time zone of Hive's session: `date_format`, `unix_timestamp` and others.

The compiler does not know the zone, so it allows for all of them.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from pycompiler.functions.condition import Condition, Member
from pycompiler.functions.date_patterns import inverted, parse
from pycompiler.functions.rule import FunctionRule
from pycompiler.predicate.model import Call, Literal, Operand, type_of
from pycompiler.values.calendar import DAY_MICROS, SECOND_MICROS
from pycompiler.values.ordinals import ordinals_of
from pycompiler.values.outcomes import Outcomes
from pycompiler.values.spans import moments, spans_of
from pycompiler.values.types import MOMENTS, ValueKind

_OFFSET: Final = 18 * 3600 * SECOND_MICROS
"""No offset from UTC is greater (`java.time.ZoneOffset`)."""
_DEFAULT_PATTERN: Final = "yyyy-MM-dd HH:mm:ss"


class DateFormat(FunctionRule):
    """`date_format(x, pattern)` of dates and timestamps. NULL only of NULL.

    Proof: Hive makes an instant of the wall clock, with the zone's offset, and writes it in the same zone.
    That gives the wall clock back, except where clocks were put forward: they skip a day at most (Samoa in
    2011), and the zones of SimpleDateFormat differ from java.time's by less. So the text is that of a moment
    at most a day from x, and all these are kept.
    """

    @property
    def names(self) -> Sequence[str]:
        return ("date_format",)

    def invert(self, call: Call, wanted: Outcomes) -> Condition | None:
        match call.arguments:
            case (operand, Literal(_, str(pattern))):
                return _formatted(operand, pattern, call, wanted, MOMENTS, DAY_MICROS)
        return None


class FromUnixtime(FunctionRule):
    """`from_unixtime(seconds)` and `from_unixtime(seconds, pattern)`. NULL only of NULL.

    Proof: the text is that of the moment in UTC that is the zone's offset, at most 18 hours, away.
    """

    @property
    def names(self) -> Sequence[str]:
        return ("from_unixtime",)

    def invert(self, call: Call, wanted: Outcomes) -> Condition | None:
        match call.arguments:
            case (operand,):
                pattern = _DEFAULT_PATTERN
            case (operand, Literal(_, str(text))):
                pattern = text
            case _:
                return None
        return _formatted(operand, pattern, call, wanted, (ValueKind.INTEGER,), _OFFSET)


class UnixTimestamp(FunctionRule):
    """`unix_timestamp(x)` and `to_unix_timestamp(x)` of a date or timestamp. NULL only of NULL.

    Proof: the result is the seconds of the wall clock, rounded down, less an offset of at most 18 hours;
    where clocks are put forward it is the offset before.
    """

    @property
    def names(self) -> Sequence[str]:
        return ("unix_timestamp", "to_unix_timestamp")

    def invert(self, call: Call, wanted: Outcomes) -> Condition | None:
        source = type_of(call.arguments[0]) if len(call.arguments) == 1 else None
        seconds = ordinals_of(call.type)
        if source is None or source.kind not in MOMENTS or call.type.kind is not ValueKind.INTEGER:
            return None
        ordinals = ordinals_of(source)
        assert ordinals is not None and seconds is not None
        values = moments(ordinals, spans_of(seconds, wanted.values), SECOND_MICROS, _OFFSET)
        return Member(call.arguments[0], Outcomes(values, wanted.null))


def _formatted(
    operand: Operand, text: str, call: Call, wanted: Outcomes, kinds: Collection[ValueKind], margin: int
) -> Condition | None:
    source, pattern = type_of(operand), parse(text)
    ordinals = None if source is None or source.kind not in kinds else ordinals_of(source)
    if ordinals is None or pattern is None or call.type.name != "string":
        return None
    spans = inverted(pattern, wanted)
    return Member(operand, Outcomes(moments(ordinals, spans, pattern.unit, margin), wanted.null))


RULES: Final[tuple[FunctionRule, ...]] = (DateFormat(), FromUnixtime(), UnixTimestamp())
"""The rules of this module."""
