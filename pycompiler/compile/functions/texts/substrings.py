"""`SUBSTR(x, 1, n)`: a prefix of a string.

Source: Hive 4.0.1, `UDFSubstr` (row mode) and `StringSubstrColStartLen` (vectorised). Vectorised mode counts
characters, row mode UTF-16 code units; row mode replaces a surrogate pair that it splits with `?`.
"""

from collections.abc import Iterable
from functools import partial
from typing import Final

from pycompiler.compile.functions.condition import Condition, Member
from pycompiler.compile.functions.rule import FunctionRule
from pycompiler.compile.predicate.constants import as_text, integer_of
from pycompiler.compile.predicate.model import Call
from pycompiler.compile.values.encoding import prefix_successor
from pycompiler.compile.values.outcomes import Outcomes
from pycompiler.compile.values.prefixes import (
    end_of_prefixes_below,
    first_characters,
    first_units,
    utf16_units,
)
from pycompiler.compile.values.range_set import End, Range, RangeSet

_MOST: Final = (1 << 31) - 1
_TWO_UNITS: Final = b"\xf0"
"""The first byte of the least character with two UTF-16 code units."""


class Substring(FunctionRule):
    """`substr(x, 1, n)`, also from 0: the first n characters p of x. `substr(x, 1)` is x.

    Proof: p is a prefix of x, so x is at or above p, and below whatever p is below, unless p ends within what
    it is compared with. In row mode p may be n - 1 units of x and a `?` for a character above U+FFFF; `?`
    sorts below all of these, and upper bounds above it are treated separately.
    """

    names = ("substr",)

    def invert(self, call: Call, wanted: Outcomes) -> Condition | None:
        if not 2 <= len(call.arguments) <= 3:
            return None
        first, *numbers = call.arguments
        value, start = as_text(first), integer_of(numbers[0])
        if value is None or call.type.name != "string" or start not in (0, 1):
            return None
        if len(numbers) == 1:
            return Member(value, wanted)
        length = integer_of(numbers[1])
        if length is None or not 1 <= length <= _MOST:
            return None
        ranges = [part for range_ in wanted.values.ranges for part in _preimage(range_, length)]
        return Member(value, Outcomes(RangeSet.of(ranges), wanted.null))


def _preimage(range_: Range, length: int) -> Iterable[Range]:
    low = None if range_.low is None else _low(range_.low, length)
    if range_.high is None:
        yield Range(low, None)
        return
    yield Range(low, _high(range_.high, length))
    # x = q, a surrogate pair, …: if the upper end begins with q, x may lie above it.
    stem = first_units(range_.high.value, length - 1)
    if _is_utf8(stem) and utf16_units(stem.decode()) == length - 1 and stem + b"?" in RangeSet.of([range_]):
        successor = prefix_successor(stem)
        yield Range(End(stem + _TWO_UNITS, True), None if successor is None else End(successor, False))


def _low(low: End, length: int) -> End:
    cut = first_characters(low.value, length)
    is_full = _is_utf8(cut) and len(cut.decode()) == length
    if is_full and (cut != low.value or not low.included):
        # p has at most n characters; if it is above those n, it differs from them in one, and so does x.
        successor = prefix_successor(cut)
        assert successor is not None, "UTF-8 has no byte FF"
        return End(successor, True)
    return low


def _high(high: End, length: int) -> End | None:
    if _is_utf8(high.value) and utf16_units(high.value.decode()) < length:
        # If p equals the bound, p is all of x.
        return high
    return end_of_prefixes_below(high, partial(first_units, count=length))


def _is_utf8(value: bytes) -> bool:
    try:
        value.decode()
    except UnicodeDecodeError:
        return False
    return True


RULES: Final = (Substring(),)
