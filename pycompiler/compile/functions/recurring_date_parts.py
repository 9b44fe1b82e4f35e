"""Recurring parts of a date, inverted over a window of years: `month`, `quarter`, `day`."""

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from datetime import date
from functools import lru_cache
from typing import ClassVar, Final

from pycompiler.compile.functions.condition import Condition, Member
from pycompiler.compile.functions.rule import FunctionRule
from pycompiler.compile.predicate.constants import day_of
from pycompiler.compile.predicate.model import Call, Literal, type_of
from pycompiler.compile.values.calendar import (
    DAY_MICROS,
    date_of,
    first_of_month,
    first_of_year,
    is_known,
    last_of_month,
    last_of_year,
    months_of_years,
)
from pycompiler.compile.values.encoding import encode_value
from pycompiler.compile.values.ordinals import known_ordinals, merged_spans
from pycompiler.compile.values.outcomes import Outcomes
from pycompiler.compile.values.range_set import RangeSet
from pycompiler.compile.values.spans import moments
from pycompiler.compile.values.types import MOMENTS, HiveType, ValueKind


class _PartOfDate(FunctionRule):
    """A recurring whole number of a day. NULL only for NULL.

    Proof: within the window, the days with a wanted number are listed; all other days are kept.
    """

    numbers: ClassVar[range]
    years: ClassVar[range]

    @abstractmethod
    def days(self, first: int, last: int) -> Iterable[tuple[int, int]]:
        """The days in `years` with a number from `first` to `last`, as closed spans."""

    @abstractmethod
    def of(self, day: date) -> int:
        """The number of a day."""

    def invert(self, call: Call, wanted: Outcomes) -> Condition | None:
        source = type_of(call.arguments[0]) if len(call.arguments) == 1 else None
        if source is None or source.kind not in MOMENTS or call.type.kind is not ValueKind.INTEGER:
            return None
        numbers = tuple(number for number in self.numbers if encode_value(call.type, number) in wanted.values)
        return Member(call.arguments[0], Outcomes(_moments(self, numbers, source), wanted.null))

    def evaluate(self, call: Call, arguments: Sequence[Literal]) -> Literal | None:
        if len(arguments) != 1 or call.type.kind is not ValueKind.INTEGER:
            return None
        day = day_of(arguments[0])
        return None if day is None or not is_known(day) else Literal(call.type, self.of(date_of(day)))


class Month(_PartOfDate):
    """`month(x)`, years 1900 to 2100."""

    numbers = range(1, 13)
    years = range(1900, 2101)
    names = ("month",)
    months: ClassVar[int] = 1

    def of(self, day: date) -> int:
        return (day.month - 1) // self.months + 1

    def days(self, first: int, last: int) -> Iterable[tuple[int, int]]:
        for january in range(self.years[0] * 12, self.years[-1] * 12 + 1, 12):
            yield (
                first_of_month(january + self.months * (first - 1)),
                last_of_month(january + self.months * last - 1),
            )


class Quarter(Month):
    """`quarter(x)`, years 1900 to 2100."""

    numbers = range(1, 5)
    names = ("quarter",)
    months = 3


class Day(_PartOfDate):
    """`day(x)`, years 1970 to 2070."""

    numbers = range(1, 32)
    years = range(1970, 2071)
    names = ("day",)

    def of(self, day: date) -> int:
        return day.day

    def days(self, first: int, last: int) -> Iterable[tuple[int, int]]:
        for begin, end in months_of_years(self.years[0], self.years[-1]):
            if begin + first - 1 <= end:
                yield begin + first - 1, min(begin + last - 1, end)


@lru_cache(maxsize=256)
def _moments(part: _PartOfDate, numbers: tuple[int, ...], source: HiveType) -> RangeSet:
    ordinals = known_ordinals(source)
    first, last = first_of_year(part.years[0]), last_of_year(part.years[-1])
    # Every moment is before or after the window, or has a number.
    before = (ordinals.first, first - 1)
    after = (last + 1, ordinals.last)
    runs = merged_spans((number, number) for number in numbers)
    days = (span for run in runs for span in part.days(*run))
    return moments(source, [before, *days, after], DAY_MICROS)


RULES: Final[tuple[FunctionRule, ...]] = (Month(), Quarter(), Day())
