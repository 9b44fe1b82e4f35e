"""Monotone functions of the day of a date or timestamp: `year`, `trunc` and others.

A timestamp is the wall clock that Hive shows, without a zone. Strings, which Hive parses as dates, are not
handled.
"""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import ClassVar, Final, TypeAlias

from pycompiler.compile.functions.condition import Condition, Member
from pycompiler.compile.functions.rule import FunctionRule
from pycompiler.compile.predicate.constants import day_of
from pycompiler.compile.predicate.model import Call, Literal, Operand, type_of
from pycompiler.compile.values.calendar import (
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
from pycompiler.compile.values.monotone import Graph, Piece
from pycompiler.compile.values.outcomes import Outcomes
from pycompiler.compile.values.parsing import parse_date
from pycompiler.compile.values.spans import moments, spans_of
from pycompiler.compile.values.types import MOMENTS, HiveType, ValueKind

_DATE: Final = HiveType("date")
MOST_DAYS: Final = (1 << 31) - 1 - max(-FIRST_DAY, LAST_DAY)
"""Days that can be added to each date of the years 1 to 9999 without leaving 32 bits."""
MONTHS_OF_UNIT: Final = {
    **dict.fromkeys(("MM", "MON", "MONTH"), 1),
    **dict.fromkeys(("Q", "QUARTER"), 3),
    **dict.fromkeys(("YY", "YYYY", "YEAR"), 12),
}

Constants: TypeAlias = tuple[Literal, ...]


class _DayFunction(FunctionRule):
    """A function of the day of a date or timestamp and, optionally, a constant. NULL only for NULL.

    Proof: Hive drops the time (`DateWritableV2.millisToDays`, rounded down), so all timestamps of a day share
    the day's result. Within the graph's days the results are in order; days outside it are kept.
    """

    results: ClassVar[ValueKind]

    @abstractmethod
    def graphs(self, source: HiveType, constants: Constants, constant_first: bool) -> Sequence[Graph]:
        """The functions that Hive may compute; more than one if its execution modes differ.

        `constants` are the other arguments, never NULL; `constant_first`: whether the first argument is one.
        """

    def invert(self, call: Call, wanted: Outcomes) -> Condition | None:
        operand, graphs = self._graphs(call, call.arguments)
        source = None if operand is None else type_of(operand)
        if operand is None or source is None or not graphs:
            return None
        outcomes = Outcomes.any_of([graph.preimage(_DATE, call.type, wanted) for graph in graphs])
        if source.kind is ValueKind.DATE:
            return Member(operand, outcomes)
        values = moments(source, spans_of(_DATE, outcomes.values), DAY_MICROS)
        return Member(operand, Outcomes(values, wanted.null))

    def evaluate(self, call: Call, arguments: Sequence[Literal]) -> Literal | None:
        operand, graphs = self._graphs(call, arguments)
        day = day_of(operand) if isinstance(operand, Literal) else None
        if day is None or len(graphs) != 1:
            return None
        (graph,) = graphs
        return Literal(call.type, graph.result(day)) if graph.covers(day) else None

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
        if len(constants) < len(others) or source is None or source.kind not in MOMENTS:
            return None, ()
        return operand, self.graphs(source, constants, constant_first)


class Year(_DayFunction):
    """`year(x)`.

    Proof: years rise with days. Before year 1 Hive counts backwards, so these days are outside the graph.
    """

    results = ValueKind.INTEGER
    names = ("year",)

    def graphs(self, source: HiveType, constants: Constants, constant_first: bool) -> Sequence[Graph]:
        return () if constants else (_graph(lambda day: date_of(day).year),)


class ToDate(_DayFunction):
    """`to_date(x)`: the day itself. Hive turns `date(x)` into a cast, which has its own rules.

    Proof: the identity is monotone.
    """

    results = ValueKind.DATE
    names = ("to_date",)

    def graphs(self, source: HiveType, constants: Constants, constant_first: bool) -> Sequence[Graph]:
        return () if constants else (_graph(lambda day: day),)


class DateAdd(_DayFunction):
    """`date_add(x, n)` and `date_sub(x, n)` with a constant number of days.

    Proof: adding a constant keeps the order; for years 1 to 9999 the sum fits 32 bits.
    """

    results = ValueKind.DATE
    names = ("date_add",)
    sign: ClassVar[int] = 1

    def graphs(self, source: HiveType, constants: Constants, constant_first: bool) -> Sequence[Graph]:
        if constant_first or len(constants) != 1:
            return ()
        days = small_integer(constants[0])
        if days is None or abs(days) > MOST_DAYS:
            return ()
        added = self.sign * days
        return (_graph(lambda day: day + added),)


class DateSub(DateAdd):
    """`date_sub(x, n)`: `date_add(x, -n)`."""

    sign = -1
    names = ("date_sub",)


class DateDiff(_DayFunction):
    """`datediff(x, constant)`, which rises with x, and `datediff(constant, x)`, which falls.

    Proof: it is the difference in days.
    """

    results = ValueKind.INTEGER
    names = ("datediff",)

    def graphs(self, source: HiveType, constants: Constants, constant_first: bool) -> Sequence[Graph]:
        fixed = _day_of(constants[0]) if len(constants) == 1 else None
        if fixed is None:
            return ()
        if constant_first:
            return (_graph(lambda day: fixed - day, falling=True),)
        return (_graph(lambda day: day - fixed),)


class AddMonths(_DayFunction):
    """`add_months(x, n)` with a constant number of months, as text.

    Proof: the result lies n months later, so months stay in order. Within a month, a day maps to the same day
    of the target month, or to its last day if there is no such day; the last day maps to the last day.
    """

    results = ValueKind.STRING
    names = ("add_months",)

    def graphs(self, source: HiveType, constants: Constants, constant_first: bool) -> Sequence[Graph]:
        added = small_integer(constants[0]) if len(constants) == 1 and not constant_first else None
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

        return (_graph(result, first_of_month(first), last_of_month(last)),)


class LastDay(_DayFunction):
    """`last_day(x)`: the last day of the month, as text. Proof: later months end later."""

    results = ValueKind.STRING
    names = ("last_day",)

    def graphs(self, source: HiveType, constants: Constants, constant_first: bool) -> Sequence[Graph]:
        return () if constants else (_graph(lambda day: text_of(last_of_month(month_of(day)))),)


class Trunc(_DayFunction):
    """`trunc(x, unit)`: the first day of the month, quarter or year, as text.

    Proof: later units begin later. Hive's vectorised form reads the days of a date as milliseconds
    (`TruncDateFromDate`), which is also monotone; both forms are allowed for. They differ on unknown units,
    which are not handled.
    """

    results = ValueKind.STRING
    names = ("trunc",)

    def graphs(self, source: HiveType, constants: Constants, constant_first: bool) -> Sequence[Graph]:
        if constant_first or len(constants) != 1:
            return ()
        months = MONTHS_OF_UNIT.get(str(constants[0].value)) if constants[0].type.name == "string" else None
        if months is None:
            return ()

        by_day = _graph(lambda day: truncated(day, months))
        if source.kind is ValueKind.DATE:
            return (by_day, _graph(lambda day: truncated(day * 1000 // DAY_MICROS, months)))
        return (by_day,)


def truncated(day: int, months: int) -> str:
    """The first day of the stretch of so many months that a day is in, as text; 12 for a year."""
    month = month_of(day)
    return text_of(first_of_month(month - month % months))


def _graph(
    result: Callable[[int], int | str], first: int = FIRST_DAY, last: int = LAST_DAY, *, falling: bool = False
) -> Graph:
    """A function of a day, and the days on which it is certain and monotone."""
    return Graph(result, (Piece(first, last, falling),))


def small_integer(literal: Literal) -> int | None:
    """The value of a constant whose type Hive accepts as a number of days or months."""
    is_small = literal.type.name in ("tinyint", "smallint", "int")
    return literal.value if is_small and isinstance(literal.value, int) else None


def _day_of(literal: Literal) -> int | None:
    """The day of a constant: a date, a timestamp, or a text that each of Hive's parsers reads as a date."""
    day = parse_date(literal.value) if isinstance(literal.value, str) else day_of(literal)
    return day if day is not None and is_known(day) else None


RULES: Final = (Year(), ToDate(), DateAdd(), DateSub(), DateDiff(), AddMonths(), LastDay(), Trunc())
