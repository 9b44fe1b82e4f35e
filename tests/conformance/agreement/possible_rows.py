"""Decides by trying rows what an expression may keep: an oracle that knows none of the evaluator's rules.

The encoded values of a test and of its columns' statistics are marks on a line, with space between, below and
above them. A file is kept if positions on the line, or NULLs, are within its statistics and pass the test.
For two timestamps, every time zone shift in which they may be shown is tried.
"""

from collections.abc import Iterator, Mapping
from datetime import date
from fractions import Fraction
from itertools import product

from pycompiler.compile.expression.model import (
    ColumnDifference,
    ColumnPair,
    ColumnTest,
    Group,
    HiveTerm,
    HudiExpression,
    KindQuestion,
    Leaf,
    Operator,
    Ranges,
    Unknown,
)
from pycompiler.compile.expression.statistics import ColumnStatistics
from pycompiler.compile.values.range_set import Range
from pycompiler.compile.values.types import ValueKind
from tests.contents import OCTETS, all_values, bloom_filter

_SHIFT = 36 * 3600 * 1_000_000
_DAY = 24 * 3600 * 1_000_000
_FAR = 1 << 80
_BIGINTS = 1 << 63
_FIRST_DAY, _LAST_DAY = ((day - date(1970, 1, 1)).days for day in (date.min, date.max))


def may_match(expression: HudiExpression, statistics: Mapping[str, ColumnStatistics]) -> bool | None:
    """Returns whether a file must be kept; None if that depends on the unknown order of strings."""
    votes: list[bool | None] = []
    for node in expression.nodes:
        if isinstance(node, Group):
            children = votes[len(votes) - node.arity :]
            del votes[len(votes) - node.arity :]
            if None in children:
                votes.append(None)
            else:
                votes.append(all(children) if node.operator is Operator.AND else any(children))
        elif isinstance(node, Leaf | Ranges | ColumnPair | ColumnDifference | HiveTerm | KindQuestion):
            votes.append(may_be_true(node, statistics))
        else:
            votes.append(isinstance(node, Unknown))
    return votes.pop()


def may_be_true(test: ColumnTest, statistics: Mapping[str, ColumnStatistics]) -> bool | None:
    """Returns whether some row within the statistics passes a test; None as for `may_match`."""
    if isinstance(test, HiveTerm) or any(
        name not in statistics or statistics[name].read_as(read_as) is None for name, read_as in test.columns
    ):
        return True
    read = (statistics[name].read_as(read_as) for name, read_as in test.columns)
    columns = [column for column in read if column is not None]
    has_values = all(
        column.null_count is None or column.null_count != column.value_count for column in columns
    )
    if isinstance(test, Leaf) and test.operator is Operator.IS_NULL:
        return columns[0].null_count != 0
    if not has_values:
        return False
    if isinstance(test, KindQuestion):
        # Only the tests' own kind can be evaluated: each of its octets stands for a row.
        name, read_as = test.subject
        is_about = test.kind == OCTETS and statistics[name].type.kind is read_as.kind
        octets = columns[-1].contents.get(OCTETS) if is_about else None
        return octets is None or any(octets.may_match(bytes([octet])) for octet in test.question)
    if isinstance(test, Leaf) and test.operator is Operator.IS_NOT_NULL:
        return True
    if test.type.kind is ValueKind.FLOAT and any(column.nan_count != 0 for column in columns):
        return True
    if isinstance(test, ColumnPair):
        return _pair_may_be_true(test, *columns)
    if isinstance(test, ColumnDifference):
        return _difference_may_be_wanted(test, *columns)
    line = _Line(_marks(test, columns))
    return any(_passes(test, line, position, columns[0]) for position in line.positions(columns[0]))


class _Line:
    """Returns marks with two positions below the first, between neighbours, and above the last."""

    def __init__(self, marks: set[bytes]) -> None:
        self._marks = sorted(marks)
        self._of = {mark: 3 * rank + 2 for rank, mark in enumerate(self._marks)}

    def __getitem__(self, mark: bytes) -> int:
        return self._of[mark]

    def positions(self, statistics: ColumnStatistics, *, sets: bool = True) -> Iterator[int]:
        """Returns the positions that the bounds and, if requested, the value set allow."""
        low = 0 if statistics.lower is None else self[statistics.lower]
        high = 3 * len(self._marks) + 1 if statistics.upper is None else self[statistics.upper]
        values = all_values(statistics) if sets else None
        only = None if values is None else {self[value] for value in values}
        return (place for place in range(low, high + 1) if only is None or place in only)


def _marks(test: Leaf | Ranges | ColumnPair, columns: list[ColumnStatistics]) -> set[bytes]:
    marks: set[bytes] = set()
    for column in columns:
        marks.update(bound for bound in (column.lower, column.upper) if bound is not None)
        marks.update(all_values(column) or ())
    if isinstance(test, Leaf):
        marks.update(test.values)
    elif isinstance(test, Ranges):
        marks.update(end.value for range_ in test.ranges.ranges for end in (range_.low, range_.high) if end)
    return marks


def _passes(test: Leaf | Ranges, line: _Line, position: int, column: ColumnStatistics) -> bool:
    if isinstance(test, Ranges):
        return any(_is_in(range_, line, position, column) for range_ in test.ranges.ranges)
    wanted = [line[value] for value in test.values]
    match test.operator:
        case Operator.EQ | Operator.IN:
            return any(line[value] == position and _is_possible(column, value) for value in test.values)
        case Operator.NE | Operator.NOT_IN:
            return position not in wanted
        case Operator.LT:
            return position < wanted[0]
        case Operator.LTEQ:
            return position <= wanted[0]
        case Operator.GT:
            return position > wanted[0]
        case Operator.GTEQ:
            return position >= wanted[0]
    raise AssertionError(test)


def _is_possible(column: ColumnStatistics, value: bytes) -> bool:
    bloom = bloom_filter(column)
    return bloom is None or bloom.might_contain(value)


def _is_in(range_: Range, line: _Line, position: int, column: ColumnStatistics) -> bool:
    low, high = range_.low, range_.high
    if low is not None and low == high:
        return position == line[low.value] and _is_possible(column, low.value)
    above = low is None or position > line[low.value] or (low.included and position == line[low.value])
    below = high is None or position < line[high.value] or (high.included and position == line[high.value])
    return above and below


def _pair_may_be_true(test: ColumnPair, left: ColumnStatistics, right: ColumnStatistics) -> bool | None:
    if test.type.kind is ValueKind.TIMESTAMP:
        ends = [_shown(column) for column in (left, right)]
        points = {point for interval in ends for point in interval}
        reachable = [[point for point in points if low <= point <= high] for low, high in ends]
        return any(_holds(test.operator, a, b) for a, b in product(*reachable))
    if test.type.kind is ValueKind.STRING and test.operator in (Operator.LT_COLUMN, Operator.LTEQ_COLUMN):
        pivots = (left.lower, right.upper)
        if all(pivot is not None and max(pivot, default=0) >= 0xEE for pivot in pivots):
            return None
    line = _Line(_marks(test, [left, right]))
    tried = product(line.positions(left, sets=False), line.positions(right, sets=False))
    return any(_holds(test.operator, a, b) for a, b in tried)


def _difference_may_be_wanted(
    test: ColumnDifference, left: ColumnStatistics, right: ColumnStatistics
) -> bool:
    bounds = [left.lower, left.upper, right.lower, right.upper]
    numbers = [_number(bound) for bound in bounds if bound is not None]
    if len(numbers) < len(bounds):
        return True
    if test.type.kind is not ValueKind.INTEGER:
        kinds = [test.type.kind] * 2 + [test.other_type.kind] * 2
        numbers = list(map(_shown_day, numbers, kinds, [-_SHIFT, _SHIFT] * 2))
        if not all(_FIRST_DAY <= number <= _LAST_DAY for number in numbers):
            return True
    # There is space between neighbours, as on a line.
    left_low, left_high, right_low, right_high = (Fraction(number) for number in numbers)
    ends = [end for range_ in test.differences.ranges for end in (range_.low, range_.high) if end]
    near = [_number(end.value) + Fraction(step, 2) for end in ends for step in (-1, 0, 1)]
    for wanted in (*near, left_low - right_high, left_high - right_low):
        b = min(max(left_low - wanted, right_low), right_high)
        if left_low <= b + wanted <= left_high and (
            not -_BIGINTS <= wanted < _BIGINTS
            or any(_is_between(range_, wanted) for range_ in test.differences.ranges)
        ):
            return True
    return False


def _shown_day(number: int, kind: ValueKind | None, shift: int) -> int:
    if kind is not ValueKind.TIMESTAMP:
        return number
    return (number + shift) // _DAY


def _is_between(range_: Range, number: Fraction) -> bool:
    low, high = range_.low, range_.high
    above = low is None or number > _number(low.value) or (low.included and number == _number(low.value))
    below = high is None or number < _number(high.value) or (high.included and number == _number(high.value))
    return above and below


def _number(encoded: bytes) -> int:
    return int.from_bytes(encoded, "big") - _BIGINTS


def _shown(column: ColumnStatistics) -> tuple[int, int]:
    low = -_FAR if column.lower is None else int.from_bytes(column.lower, "big")
    high = _FAR if column.upper is None else int.from_bytes(column.upper, "big")
    return low - _SHIFT, high + _SHIFT


def _holds(operator: Operator, left: int, right: int) -> bool:
    match operator:
        case Operator.EQ_COLUMN:
            return left == right
        case Operator.NE_COLUMN:
            return left != right
        case Operator.LT_COLUMN:
            return left < right
    return left <= right
