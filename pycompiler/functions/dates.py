"""Functions of the day of a date or timestamp that never fall, or never rise: `year`, `trunc` and others.

A timestamp is the wall clock that Hive shows, without a zone. In strings Hive finds dates by parsing; nothing
is said about these.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import ClassVar, Final, TypeAlias

from pycompiler.functions.condition import Condition, Member
from pycompiler.functions.rule import FunctionRule
from pycompiler.predicate.model import Call, Literal, Operand, type_of
from pycompiler.values.calendar import (
    DAY_MICROS,
    FIRST_DAY,
    FIRST_MONTH,
    LAST_DAY,
    LAST_MONTH,
    date_of,
    first_of_month,
    is_known,
    last_of_month,
    month_of,
    text_of,
)
from pycompiler.values.encoding import encode_value
from pycompiler.values.monotone import Piece, preimage
from pycompiler.values.ordinals import Ordinals, ordinals_of
from pycompiler.values.outcomes import Outcomes
from pycompiler.values.range_set import RangeSet
from pycompiler.values.spans import moments, spans_of
from pycompiler.values.types import MOMENTS, HiveType, ValueKind

_ISO_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_DAYS: Final = ordinals_of(HiveType("date"))
_MOST_DAYS: Final = (1 << 31) - 1 - max(-FIRST_DAY, LAST_DAY)
_MONTHS_OF_UNIT: Final = {
    **dict.fromkeys(("MM", "MON", "MONTH"), 1),
    **dict.fromkeys(("Q", "QUARTER"), 3),
    **dict.fromkeys(("YY", "YYYY", "YEAR"), 12),
}

Result: TypeAlias = int | str
"""An integer, the days of a date, or a text."""


@dataclass(frozen=True, slots=True)
class Graph:
    """A function of a day, and the days on which it is certain and in order."""

    result: Callable[[int], Result]
    first: int = FIRST_DAY
    last: int = LAST_DAY
    falling: bool = False


class _OfDay(FunctionRule):
    """A function of the day of a date or timestamp, and perhaps a constant. NULL only of NULL.

    Proof: Hive cuts the time off (`DateWritableV2.millisToDays`, rounded down), so all timestamps of a day
    have the result of the day; within the days of the graph the results are in order, outside all is kept.
    """

    results: ClassVar[ValueKind]

    @abstractmethod
    def graphs(
        self, source: HiveType, constants: tuple[Literal, ...], constant_first: bool
    ) -> Sequence[Graph]:
        """What Hive may compute of a day: more than one where its modes of execution differ.

        Args:
            source: The operand's type, date or timestamp.
            constants: The other arguments, never NULL.
            constant_first: Whether the first argument is a constant.
        """

    def invert(self, call: Call, wanted: Outcomes) -> Condition | None:
        operand, graphs = self._graphs(call, call.arguments)
        ordinals = _moment_ordinals(operand)
        if operand is None or ordinals is None or not graphs:
            return None
        values = RangeSet.any_of([_days_of(graph, call.type, wanted) for graph in graphs])
        if ordinals.type.kind is not ValueKind.DATE:
            assert _DAYS is not None
            values = moments(ordinals, spans_of(_DAYS, values), DAY_MICROS)
        return Member(operand, Outcomes(values, wanted.null))

    def evaluate(self, call: Call, arguments: Sequence[Literal]) -> Literal | None:
        operand, graphs = self._graphs(call, arguments)
        if not isinstance(operand, Literal) or not isinstance(operand.value, int) or len(graphs) != 1:
            return None
        day = operand.value if operand.type.kind is ValueKind.DATE else operand.value // DAY_MICROS
        graph = graphs[0]
        return Literal(call.type, graph.result(day)) if graph.first <= day <= graph.last else None

    def _graphs(self, call: Call, arguments: Sequence[Operand]) -> tuple[Operand | None, Sequence[Graph]]:
        if not arguments or call.type.kind is not self.results:
            return None, ()
        constant_first = isinstance(arguments[0], Literal) and any(
            not isinstance(argument, Literal) for argument in arguments
        )
        position = 1 if constant_first else 0
        operand = arguments[position]
        others = (*arguments[:position], *arguments[position + 1 :])
        constants = tuple(other for other in others if isinstance(other, Literal) and other.value is not None)
        source = type_of(operand)
        if len(constants) < len(others) or source is None or _moment_ordinals(operand) is None:
            return None, ()
        return operand, self.graphs(source, constants, constant_first)


class Year(_OfDay):
    """`year(x)`.

    Proof: years follow each other. Before year 1 Hive counts backwards, so these days are outside.
    """

    results = ValueKind.INTEGER

    @property
    def names(self) -> Sequence[str]:
        return ("year",)

    def graphs(
        self, source: HiveType, constants: tuple[Literal, ...], constant_first: bool
    ) -> Sequence[Graph]:
        return () if constants else (Graph(lambda day: date_of(day).year),)


class ToDate(_OfDay):
    """`to_date(x)`: the day itself. For `date(x)` Hive puts a cast, which has rules of its own.

    Proof: days are in the order of days.
    """

    results = ValueKind.DATE

    @property
    def names(self) -> Sequence[str]:
        return ("to_date",)

    def graphs(
        self, source: HiveType, constants: tuple[Literal, ...], constant_first: bool
    ) -> Sequence[Graph]:
        return () if constants else (Graph(lambda day: day),)


class DateAdd(_OfDay):
    """`date_add(x, n)` and `date_sub(x, n)` of a constant number of days.

    Proof: adding a number keeps the order; the sum of a day of years 1 to 9999 and n fits 32 bits.
    """

    results = ValueKind.DATE

    @property
    def names(self) -> Sequence[str]:
        return ("date_add",)

    sign: ClassVar[int] = 1

    def graphs(
        self, source: HiveType, constants: tuple[Literal, ...], constant_first: bool
    ) -> Sequence[Graph]:
        if constant_first or len(constants) != 1:
            return ()
        days = _small_integer(constants[0])
        if days is None or abs(days) > _MOST_DAYS:
            return ()
        added = self.sign * days
        return (Graph(lambda day: day + added),)


class DateSub(DateAdd):
    """`date_sub(x, n)`: `date_add(x, -n)`."""

    sign = -1

    @property
    def names(self) -> Sequence[str]:
        return ("date_sub",)


class DateDiff(_OfDay):
    """`datediff(x, constant)` rises with x, `datediff(constant, x)` falls.

    Proof: it is the difference of the days.
    """

    results = ValueKind.INTEGER

    @property
    def names(self) -> Sequence[str]:
        return ("datediff",)

    def graphs(
        self, source: HiveType, constants: tuple[Literal, ...], constant_first: bool
    ) -> Sequence[Graph]:
        fixed = _day_of(constants[0]) if len(constants) == 1 else None
        if fixed is None:
            return ()
        if constant_first:
            return (Graph(lambda day: fixed - day, falling=True),)
        return (Graph(lambda day: day - fixed),)


class AddMonths(_OfDay):
    """`add_months(x, n)` of a constant number of months, as text.

    Proof: the result is in the month that is n later, and later months have later ones. Within a month a day
    becomes the same day of the other, the last one if there is no such day; the last day becomes the last.
    """

    results = ValueKind.STRING

    @property
    def names(self) -> Sequence[str]:
        return ("add_months",)

    def graphs(
        self, source: HiveType, constants: tuple[Literal, ...], constant_first: bool
    ) -> Sequence[Graph]:
        added = _small_integer(constants[0]) if len(constants) == 1 and not constant_first else None
        if added is None:
            return ()
        first = max(FIRST_MONTH, FIRST_MONTH - added)
        last = min(LAST_MONTH, LAST_MONTH - added)
        if first > last:
            return ()

        def result(day: int) -> str:
            month = month_of(day)
            begin, end = first_of_month(month + added), last_of_month(month + added)
            is_last = day == last_of_month(month)
            return text_of(end if is_last else min(begin + day - first_of_month(month), end))

        return (Graph(result, first_of_month(first), last_of_month(last)),)


class LastDay(_OfDay):
    """`last_day(x)`: the last day of the month, as text.

    Proof: later months end later.
    """

    results = ValueKind.STRING

    @property
    def names(self) -> Sequence[str]:
        return ("last_day",)

    def graphs(
        self, source: HiveType, constants: tuple[Literal, ...], constant_first: bool
    ) -> Sequence[Graph]:
        return () if constants else (Graph(lambda day: text_of(last_of_month(month_of(day)))),)


class Trunc(_OfDay):
    """`trunc(x, unit)`: the first day of the month, quarter or year, as text.

    Proof: later units begin later. Hive's vectorized form takes the days of a date for milliseconds
    (`TruncDateFromDate`), which is in order as well; a query may be run in either form, so both are allowed
    for. Of a unit that Hive does not know the forms differ, and nothing is said.
    """

    results = ValueKind.STRING

    @property
    def names(self) -> Sequence[str]:
        return ("trunc",)

    def graphs(
        self, source: HiveType, constants: tuple[Literal, ...], constant_first: bool
    ) -> Sequence[Graph]:
        if constant_first or len(constants) != 1:
            return ()
        months = _MONTHS_OF_UNIT.get(str(constants[0].value)) if constants[0].type.name == "string" else None
        if months is None:
            return ()

        def result(day: int) -> str:
            month = month_of(day)
            return text_of(first_of_month(month - month % months))

        if source.kind is ValueKind.DATE:
            return (Graph(result), Graph(lambda day: result(day * 1000 // DAY_MICROS)))
        return (Graph(result),)


def _moment_ordinals(operand: Operand | None) -> Ordinals | None:
    hive_type = None if operand is None else type_of(operand)
    if hive_type is None or hive_type.kind not in MOMENTS:
        return None
    return ordinals_of(hive_type)


def _days_of(graph: Graph, result_type: HiveType, wanted: Outcomes) -> RangeSet:
    assert _DAYS is not None

    def forward(day: int) -> bytes:
        return encode_value(result_type, graph.result(day))

    return preimage(_DAYS, [Piece(graph.first, graph.last, graph.falling)], forward, wanted)


def _small_integer(literal: Literal) -> int | None:
    """A constant of a type that Hive takes as a number of days or months."""
    is_small = literal.type.name in ("tinyint", "smallint", "int")
    return literal.value if is_small and isinstance(literal.value, int) else None


def _day_of(literal: Literal) -> int | None:
    """The day of a constant: a date, a timestamp, or a text that is a date for each of Hive's parsers."""
    day = None
    match literal.type.kind, literal.value:
        case ValueKind.DATE, int(days):
            day = days
        case ValueKind.TIMESTAMP, int(micros):
            day = micros // DAY_MICROS
        case ValueKind.STRING, str(text) if _ISO_DAY.fullmatch(text):
            try:
                day = date.fromisoformat(text).toordinal() - date(1970, 1, 1).toordinal()
            except ValueError:
                return None
    return day if day is not None and is_known(day) else None


RULES: Final[tuple[FunctionRule, ...]] = (
    Year(),
    ToDate(),
    DateAdd(),
    DateSub(),
    DateDiff(),
    AddMonths(),
    LastDay(),
    Trunc(),
)
"""The rules of this module."""
