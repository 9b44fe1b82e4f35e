"""Functions that add to or trim the ends of a string: `CONCAT`, `||`, `TRIM`.

Source: Hive 4.0.1, `GenericUDFConcat`, `StringGroupColConcatStringScalar`, `GenericUDFBaseTrim`.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from pycompiler.compile.functions.condition import Condition, Member
from pycompiler.compile.functions.rule import FunctionRule
from pycompiler.compile.predicate.constants import is_text, texts_of
from pycompiler.compile.predicate.model import Call, Literal, type_of
from pycompiler.compile.values.encoding import prefix_successor
from pycompiler.compile.values.outcomes import Outcomes
from pycompiler.compile.values.prefixes import beginning_with
from pycompiler.compile.values.range_set import End, Range, RangeSet

_MAX_STEMS: Final = 256
"""Longest prefix of a bound whose own prefixes are tried one by one."""
_BLANK: Final = b" "


class Concat(FunctionRule):
    """`concat('a', x, 'b')`: x is the part between the constants.

    Proof: strings that begin with `a` sort by what follows. With y = x + suffix, x <= y, and if y is above a
    bound then so is x, unless x is a prefix of that bound; each such prefix is tried.
    """

    names = ("concat",)

    def invert(self, call: Call, wanted: Outcomes) -> Condition | None:
        inner = [index for index, value in enumerate(call.arguments) if not isinstance(value, Literal)]
        if call.type.name != "string" or len(inner) != 1:
            return None
        (index,) = inner
        value = call.arguments[index]
        before, after = texts_of(call.arguments[:index]), texts_of(call.arguments[index + 1 :])
        if before is None or after is None or not is_text(type_of(value)):
            return None
        values = _after(wanted.values, "".join(before).encode())
        return Member(value, Outcomes(_before(values, "".join(after).encode()), wanted.null))

    def evaluate(self, call: Call, arguments: Sequence[Literal]) -> Literal | None:
        texts = texts_of(arguments)
        return Literal(call.type, "".join(texts)) if texts and call.type.name == "string" else None


class Trim(FunctionRule):
    """`trim(x) = 'a'`: x begins with `a` followed by blanks, or begins with a blank; also `ltrim`, `rtrim`.

    Proof: x is blanks, the result, blanks. Only single results are inverted: trailing blanks affect order.
    """

    names = ("trim", "ltrim", "rtrim")

    def invert(self, call: Call, wanted: Outcomes) -> Condition | None:
        if len(call.arguments) != 1 or call.type.name != "string" or not is_text(type_of(call.arguments[0])):
            return None
        points = wanted.values.as_points
        if points is None:
            return None
        found = [Range.point(point) for point in points]
        if call.name != "ltrim":
            found += [beginning_with(point + _BLANK) for point in points]
        if call.name != "rtrim" and points:
            found.append(beginning_with(_BLANK))
        return Member(call.arguments[0], Outcomes(RangeSet.of(found), wanted.null))


def _after(values: RangeSet, prefix: bytes) -> RangeSet:
    """The x for which prefix + x is in `values`."""
    inside = values & RangeSet.of([beginning_with(prefix)])
    return RangeSet.of(_without(range_, prefix) for range_ in inside.ranges)


def _without(range_: Range, prefix: bytes) -> Range:
    low, high = range_.low, range_.high
    size = len(prefix)
    successor = prefix_successor(prefix)
    assert low is not None or not prefix
    return Range(
        None if low is None else End(low.value[size:], low.included),
        None if high is None or high.value == successor else End(high.value[size:], high.included),
    )


def _before(values: RangeSet, suffix: bytes) -> RangeSet:
    """The x for which x + suffix is in `values`."""
    points = values.as_points
    if not suffix:
        return values
    if points is not None:
        return RangeSet.points(point[: -len(suffix)] for point in points if point.endswith(suffix))
    return RangeSet.of(part for range_ in values.ranges for part in _shortened(range_, suffix))


def _shortened(range_: Range, suffix: bytes) -> Iterable[Range]:
    low, high = range_.low, range_.high
    # x < x + suffix, so x is below the upper end.
    below = None if high is None else End(high.value, False)
    if low is None:
        yield Range(None, below)
        return
    yield Range(End(low.value, True), below)
    if len(low.value) > _MAX_STEMS:
        yield Range(End(low.value[:_MAX_STEMS], True), End(low.value, False))
    whole = RangeSet.of([range_])
    for size in range(min(len(low.value), _MAX_STEMS)):
        stem = low.value[:size]
        if stem + suffix in whole:
            yield Range.point(stem)


RULES: Final = (Concat(), Trim())
