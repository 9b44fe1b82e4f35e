"""`REPLACE(x, 'a', 'b')`.

Source: Hive 4.0.1, `UDFReplace`: Java's `String.replace`.
"""

from collections.abc import Iterable
from typing import Final

from pycompiler.compile.functions.condition import Condition, Member
from pycompiler.compile.functions.rule import FunctionRule
from pycompiler.compile.predicate.constants import is_text, texts_of
from pycompiler.compile.predicate.model import Call, type_of
from pycompiler.compile.values.outcomes import Outcomes
from pycompiler.compile.values.prefixes import beginning_with
from pycompiler.compile.values.range_set import Range, RangeSet

_MAX_RANGES: Final = 1_024


class Replace(FunctionRule):
    """`replace(x, 'a', 'b') = 'cbd'`: x is `cbd`, or begins with `ca`.

    Proof: up to the first `a`, x and the result are the same, and `b` follows in the result. If there is no
    `a`, x is the result. UTF-8 finds a text where UTF-16 does, as both are whole characters.
    """

    names = ("replace",)

    def invert(self, call: Call, wanted: Outcomes) -> Condition | None:
        texts, points = texts_of(call.arguments[1:]), wanted.values.as_points
        if texts is None or len(texts) != 2 or points is None or call.type.name != "string":
            return None
        (searched, replacement), (value, *_) = map(str.encode, texts), call.arguments
        if not searched or not is_text(type_of(value)) or sum(map(len, points)) > _MAX_RANGES:
            return None
        ranges = [part for point in points for part in _replaced(point, searched, replacement)]
        return Member(value, Outcomes(RangeSet.of(ranges), wanted.null))


def _replaced(result: bytes, searched: bytes, replacement: bytes) -> Iterable[Range]:
    """What x may be for one result."""
    yield Range.point(result)
    for size in range(len(result) + 1):
        if result.startswith(replacement, size):
            yield beginning_with(result[:size] + searched)


RULES: Final[tuple[FunctionRule, ...]] = (Replace(),)
