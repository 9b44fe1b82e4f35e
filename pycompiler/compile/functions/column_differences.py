"""Differences of two columns of the same row, each of them plus or minus a constant.

Hive 4.0.1: `GenericUDFBaseArithmetic` converts both operands to the type of the result and wraps around in
it; vectorised `+` and `-` compute in 64 bits and may not truncate to a narrower type. `GenericUDFDateDiff`,
`GenericUDFDateAdd` and their vectorised forms compute with days, to which they round timestamps down.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from pycompiler.compile.expression.model import DIFFERENCE_TYPE, ColumnDifference
from pycompiler.compile.functions.condition import AnyOf, Condition, Member
from pycompiler.compile.functions.dates import MOST_DAYS, small_integer
from pycompiler.compile.functions.rule import FunctionRule
from pycompiler.compile.predicate.model import Call, Column, Literal, Operand, type_of
from pycompiler.compile.values.calendar import FIRST_DAY, LAST_DAY
from pycompiler.compile.values.ordinals import Ordinals, known_ordinals
from pycompiler.compile.values.outcomes import NULL_ONLY, Outcomes
from pycompiler.compile.values.range_set import FULL, RangeSet
from pycompiler.compile.values.spans import spans_of
from pycompiler.compile.values.types import MOMENTS, HiveType, ValueKind, keeps_values

_DATE: Final = HiveType("date")
FAR: Final = 1 << 66
"""Beyond each difference of two bigints, and each constant that is added to one."""
_MOST_ADDED: Final = 1 << 63


@dataclass(frozen=True, slots=True)
class Shifted:
    """A column, or the day of a timestamp, plus a constant.

    Attributes:
        column: The column. Of any type if nothing is added to it, else of an integer type, date or timestamp.
        offset: The constant; for a day, a number of days.
        exact: Values of the column for which Hive's result is the exact sum; all, if nothing is added.
        is_day: Whether it is a day: that of a timestamp, or a date.
    """

    column: Column
    offset: int = 0
    exact: RangeSet = FULL
    is_day: bool = False

    @property
    def type(self) -> HiveType:
        """Date if it is a day, else the column's type."""
        return _DATE if self.is_day else self.column.type

    @property
    def is_column(self) -> bool:
        """Whether it is the column itself."""
        return self.offset == 0 and self.exact.is_full and self.type == self.column.type


def shifted(operand: Operand) -> Shifted | None:
    """The operand as a column plus a constant; None if it is none, or may wrap around for every value.

    Looks through casts that change no value, and those of timestamps to dates.
    """
    is_day = type_of(operand) == _DATE
    sums: list[tuple[int, HiveType]] = []
    while not isinstance(operand, Column):
        step = _step(operand) if isinstance(operand, Call) else None
        if step is None:
            return None
        operand, added, computed_in = step
        if added:
            sums.append((added, computed_in))
    offset, exact = 0, FULL
    for added, computed_in in reversed(sums):
        offset += added
        if computed_in.kind is ValueKind.DATE:
            # A file with days outside the years 1 to 9999 is kept; from these, the sums fit 32 bits.
            if abs(offset) > MOST_DAYS:
                return None
            continue
        if abs(offset) >= _MOST_ADDED:
            return None
        exact &= _exact(operand.type, computed_in, offset)
    return None if exact.is_empty else Shifted(operand, offset, exact, is_day)


def difference(left: Shifted, right: Shifted, wanted: Iterable[tuple[int, int]]) -> Condition:
    """`left - right` may lie in one of the closed spans.

    Proof: where no sum leaves its type, it is a - b plus the offset of a, less that of b, where a and b are
    days if they are dates or timestamps; other rows match.
    """
    a, b = left.column, right.column
    moved = right.offset - left.offset
    spans = [(first + moved, last + moved) for first, last in wanted]
    leaf = ColumnDifference(a.name, a.type, b.name, b.type, _differences(a.type, b.type).ranges(spans))
    overflows = [
        Member(side.column, Outcomes(side.exact.complement(), False))
        for side in (left, right)
        if not side.exact.is_full
    ]
    return AnyOf((leaf, *overflows)) if overflows else leaf


class DifferenceOfColumns(FunctionRule):
    """`a - b` of integers, `datediff(a, b)` of dates and timestamps.

    a and b are columns, plus or minus a constant.

    Proof: a difference within the result's type is exact; the others wrap around or, in vectors, do not fit
    the type, and are kept. NULL only if a or b is.
    """

    names = ("-", "datediff")

    def invert(self, call: Call, wanted: Outcomes) -> Condition | None:
        of_dates = call.name == "datediff"
        match tuple(shifted(argument) for argument in call.arguments):
            case (Shifted() as left, Shifted() as right):
                pass
            case _:
                return None
        for argument in call.arguments:
            hive_type = type_of(argument)
            assert hive_type is not None, "it is a column, or a sum of one"
            is_exact = hive_type.kind in MOMENTS if of_dates else keeps_values(hive_type, call.type)
            if not is_exact:
                return None
        if call.type.kind is not ValueKind.INTEGER:
            return None
        limits = known_ordinals(call.type)
        inexact = [(-FAR, limits.first - 1), (limits.last + 1, FAR)]
        found = difference(left, right, [*spans_of(call.type, wanted.values), *inexact])
        if not wanted.null:
            return found
        return AnyOf((found, Member(left.column, NULL_ONLY), Member(right.column, NULL_ONLY)))


def _step(call: Call) -> tuple[Column | Call, int, HiveType] | None:
    """The operand of a sum with a constant or of a cast, what is added, and the type of the result."""
    result = call.type
    match call.name, call.arguments:
        case "cast" | "to_date", (Column() | Call() as inner,) if result == _DATE:
            return (inner, 0, result) if inner.type.kind in MOMENTS else None
        case "cast", (Column() | Call() as inner,):
            return (inner, 0, result) if keeps_values(inner.type, result) else None
        case ("+" | "-") as name, (Column() | Call() as inner, Literal(constant, int(number))):
            sign = 1 if name == "+" else -1
        case "+", (Literal(constant, int(number)), Column() | Call() as inner):
            sign = 1
        case ("date_add" | "date_sub") as name, (Column() | Call() as inner, Literal() as literal):
            days = small_integer(literal)
            if days is None or inner.type.kind not in MOMENTS or result != _DATE:
                return None
            return inner, days if name == "date_add" else -days, result
        case _:
            return None
    kinds = {inner.type.kind, constant.kind, result.kind}
    are_widened = keeps_values(inner.type, result) and keeps_values(constant, result)
    if kinds != {ValueKind.INTEGER} or not are_widened:
        return None
    return inner, sign * number, result


def _exact(hive_type: HiveType, computed_in: HiveType, offset: int) -> RangeSet:
    """The values whose sum with the offset is one of the type in which it is computed."""
    limits = known_ordinals(computed_in)
    return known_ordinals(hive_type).ranges([(limits.first - offset, limits.last - offset)])


def _differences(left: HiveType, right: HiveType) -> Ordinals:
    """The differences in files for which DIFFERENCE decides: it keeps those with others."""
    (first, last), (other_first, other_last) = map(_limits, (left, right))
    bigints = known_ordinals(DIFFERENCE_TYPE)
    low, high = max(first - other_last, bigints.first), min(last - other_first, bigints.last)
    return Ordinals(DIFFERENCE_TYPE, low, high)


def _limits(hive_type: HiveType) -> tuple[int, int]:
    if hive_type.kind in MOMENTS:
        return FIRST_DAY, LAST_DAY
    ordinals = known_ordinals(hive_type)
    return ordinals.first, ordinals.last


RULES: Final[tuple[FunctionRule, ...]] = (DifferenceOfColumns(),)
