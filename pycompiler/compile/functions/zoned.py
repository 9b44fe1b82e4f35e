"""Functions that depend on the session's time zone: `date_format`, `unix_timestamp` and others.

The compiler does not know the zone, so it allows for all zones.
"""

from collections.abc import Collection
from typing import Final

from pycompiler.compile.functions.condition import Condition, Member
from pycompiler.compile.functions.date_patterns import inverted, parse
from pycompiler.compile.functions.rule import FunctionRule
from pycompiler.compile.predicate.model import Call, Literal, Operand, type_of
from pycompiler.compile.values.calendar import DAY_MICROS, SECOND_MICROS
from pycompiler.compile.values.outcomes import Outcomes
from pycompiler.compile.values.spans import moments, spans_of
from pycompiler.compile.values.types import MOMENTS, ValueKind

_OFFSET: Final = 18 * 3600 * SECOND_MICROS
"""The greatest offset from UTC, in microseconds (`java.time.ZoneOffset`)."""
_DEFAULT_PATTERN: Final = "yyyy-MM-dd HH:mm:ss"


class DateFormat(FunctionRule):
    """`date_format(x, pattern)` of dates and timestamps. NULL only for NULL.

    Proof: Hive converts the wall clock to an instant and formats it in the same zone. This returns the same
    wall-clock time, except where clocks were put forward, where it is off by at most a day (Samoa in 2011).
    The time zone rules of SimpleDateFormat and java.time differ by less than a day. So the text is that of
    a moment within a day of x; all such moments are kept.
    """

    names = ("date_format",)

    def invert(self, call: Call, wanted: Outcomes) -> Condition | None:
        match call.arguments:
            case (operand, Literal(_, str(pattern))):
                return _formatted(operand, pattern, call, wanted, MOMENTS, DAY_MICROS)
        return None


class FromUnixtime(FunctionRule):
    """`from_unixtime(seconds)` and `from_unixtime(seconds, pattern)`. NULL only for NULL.

    Proof: the text is that of a UTC moment shifted by the zone's offset, at most 18 hours.
    """

    names = ("from_unixtime",)

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
    """`unix_timestamp(x)` and `to_unix_timestamp(x)` of a date or timestamp. NULL only for NULL.

    Proof: the result is the wall clock in seconds, rounded down, less an offset of at most 18 hours; where
    clocks are put forward, the earlier offset applies.
    """

    names = ("unix_timestamp", "to_unix_timestamp")

    def invert(self, call: Call, wanted: Outcomes) -> Condition | None:
        source = type_of(call.arguments[0]) if len(call.arguments) == 1 else None
        if source is None or source.kind not in MOMENTS or call.type.kind is not ValueKind.INTEGER:
            return None
        values = moments(source, spans_of(call.type, wanted.values), SECOND_MICROS, _OFFSET)
        return Member(call.arguments[0], Outcomes(values, wanted.null))


def _formatted(
    operand: Operand, text: str, call: Call, wanted: Outcomes, kinds: Collection[ValueKind], margin: int
) -> Condition | None:
    source, pattern = type_of(operand), parse(text)
    if source is None or source.kind not in kinds or pattern is None or call.type.name != "string":
        return None
    spans = inverted(pattern, wanted.values)
    return Member(operand, Outcomes(moments(source, spans, pattern.unit, margin), wanted.null))


RULES: Final[tuple[FunctionRule, ...]] = (DateFormat(), FromUnixtime(), UnixTimestamp())
