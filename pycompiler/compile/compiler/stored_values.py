"""Converts requirements on a column's values in Hive to requirements on its stored values, by type.

A rule may only widen: every row with one of the outcomes must have a stored value in the resulting set.
"""

import math
from dataclasses import replace
from functools import partial
from typing import Final

from pycompiler.compile.predicate.model import Column
from pycompiler.compile.values.calendar import ZONE_MICROS
from pycompiler.compile.values.encoding import encode_value, prefix_successor
from pycompiler.compile.values.monotone import widened
from pycompiler.compile.values.outcomes import Outcomes
from pycompiler.compile.values.prefixes import beginning_with, end_of_prefixes_below, first_characters
from pycompiler.compile.values.range_set import End, Range, RangeSet
from pycompiler.compile.values.types import HiveType, ValueKind

_INFINITY: Final = encode_value(HiveType("double"), math.inf)
_NUMBERS: Final = RangeSet.below(_INFINITY, included=True)
_ABOVE_NUMBERS: Final = _NUMBERS.complement()
_PADDING: Final = b" "


def stored_outcomes(column: Column, outcomes: Outcomes) -> tuple[Outcomes, str | None]:
    """What a column's stored values must be for a row to show one of the outcomes.

    Returns:
        The outcomes, and the name of the rule that widened them; None if nothing was widened.
    """
    values = outcomes.values
    if values.is_empty or values.is_full:
        return outcomes, None
    match column.type.name:
        case "varchar":
            return replace(outcomes, values=_varchar(values, column.type.length or 0)), "varchar prefix"
        case "char":
            return replace(outcomes, values=_char(values, column.type.length or 0)), "char padding"
        case "timestamp":
            # The stored instant is within 36 hours of what the row shows; neighbours are a microsecond apart.
            stored = widened(values, column.type, ZONE_MICROS)
            return replace(outcomes, values=stored), "reader's time zone"
    if column.type.kind is ValueKind.FLOAT:
        # Tests of numbers keep every file with NaN: docs/inside/formats.md.
        return replace(outcomes, values=_numbers(values)), None
    return outcomes, None


def _numbers(values: RangeSet) -> RangeSet:
    numbers = values & _NUMBERS
    return numbers | _ABOVE_NUMBERS if _INFINITY in numbers else numbers


def _varchar(values: RangeSet, length: int) -> RangeSet:
    """The row's value p is the first n characters of the stored string x: a prefix of it."""
    return RangeSet.of(_of_prefixes(range_, length) for range_ in values.ranges)


def _of_prefixes(range_: Range, length: int) -> Range:
    # x >= p, so x is above whatever p is above. Hive may cut a bound of more than n characters; cutting it to
    # n, with equality allowed, covers both cases.
    low = range_.low
    if low is not None:
        cut = first_characters(low.value, length)
        low = End(cut, low.included or cut != low.value)
    high = (
        None
        if range_.high is None
        else end_of_prefixes_below(range_.high, partial(first_characters, count=length))
    )
    return Range(low, high)


def _char(values: RangeSet, length: int) -> RangeSet:
    """As for varchar, but without trailing spaces; it is uncertain whether Hive compares with them."""
    points = values.as_points
    if points is not None:
        # p = v implies that x begins with v less its trailing spaces.
        return RangeSet.of(beginning_with(_stem(value, length)) for value in points)
    return RangeSet.of(_of_padded(range_, length) for range_ in values.ranges)


def _of_padded(range_: Range, length: int) -> Range:
    """The stored strings x of rows within a range, however p and the ends are padded or cut.

    x is p's stem, then spaces up to n characters, then anything. With any padding, p >= v implies that p's
    stem is not below v's, and p <= v that it is below the prefix successor of v's; then so is x. Characters
    below the space could stand in the place of padding: ends with such characters are not used.
    """
    low, high = (None if end is None else _stem(end.value, length) for end in (range_.low, range_.high))
    successor = None if high is None or _is_below_padding(high) else prefix_successor(high)
    return Range(
        None if low is None or _is_below_padding(low) else End(low, True),
        None if successor is None else End(successor, False),
    )


def _stem(value: bytes, length: int) -> bytes:
    """The first n characters, without trailing spaces."""
    return first_characters(value.rstrip(_PADDING), length).rstrip(_PADDING)


def _is_below_padding(value: bytes) -> bool:
    return any(byte < ord(_PADDING) for byte in value)
