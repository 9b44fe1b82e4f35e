"""Timestamps rounded down to a unit of time: `floor(ts TO MONTH)`, Hive's `date_trunc`."""

from collections.abc import Sequence
from typing import Final

from pycompiler.compile.functions.condition import Condition, Member
from pycompiler.compile.functions.rule import FunctionRule
from pycompiler.compile.predicate.model import Call, Literal, type_of
from pycompiler.compile.values.calendar import (
    DAY_MICROS,
    FIRST_DAY,
    LAST_DAY,
    SECOND_MICROS,
    first_of_month,
    month_of,
)
from pycompiler.compile.values.monotone import Graph, Piece
from pycompiler.compile.values.outcomes import Outcomes
from pycompiler.compile.values.types import ValueKind

_PIECES: Final = (Piece(FIRST_DAY * DAY_MICROS, (LAST_DAY + 1) * DAY_MICROS - 1),)
# 1970-01-05, a Monday.
_MONDAY: Final = 4 * DAY_MICROS


class FloorTimestamp(FunctionRule):
    """`floor_month(ts)` and similar; weeks begin on Monday.

    Proof: later units begin later. Years 1 to 9999; NULL only for NULL.
    """

    @property
    def names(self) -> Sequence[str]:
        return tuple(_GRAPHS)

    def invert(self, call: Call, wanted: Outcomes) -> Condition | None:
        source = type_of(call.arguments[0]) if len(call.arguments) == 1 else None
        if source is None or source.kind is not ValueKind.TIMESTAMP or source != call.type:
            return None
        return Member(call.arguments[0], _GRAPHS[call.name].preimage(source, call.type, wanted))

    def evaluate(self, call: Call, arguments: Sequence[Literal]) -> Literal | None:
        if len(arguments) != 1 or arguments[0].type != call.type or not isinstance(arguments[0].value, int):
            return None
        micros, graph = arguments[0].value, _GRAPHS[call.name]
        is_certain = call.type.kind is ValueKind.TIMESTAMP and graph.covers(micros)
        return Literal(call.type, graph.result(micros)) if is_certain else None


def _to_months(months: int) -> Graph:
    def floor(micros: int) -> int:
        month = month_of(micros // DAY_MICROS)
        return first_of_month(month - month % months) * DAY_MICROS

    return Graph(floor, _PIECES)


def _to_multiple(unit: int, origin: int = 0) -> Graph:
    return Graph(lambda micros: micros - (micros - origin) % unit, _PIECES)


_GRAPHS: Final = {
    "floor_year": _to_months(12),
    "floor_quarter": _to_months(3),
    "floor_month": _to_months(1),
    "floor_week": _to_multiple(7 * DAY_MICROS, _MONDAY),
    "floor_day": _to_multiple(DAY_MICROS),
    "floor_hour": _to_multiple(3600 * SECOND_MICROS),
    "floor_minute": _to_multiple(60 * SECOND_MICROS),
    "floor_second": _to_multiple(SECOND_MICROS),
}

RULES: Final[tuple[FunctionRule, ...]] = (FloorTimestamp(),)
