r"""`LIKE`, `LIKE ANY` and `LIKE ALL`.

Source: Hive 4.0.1, `UDFLike` (row mode) and `FilterStringColLikeStringScalar` (vectorised). `%` stands for
any characters and `_` for one; `\` before one of the two makes it an ordinary character. Vectorised mode
keeps the backslash where the pattern has no wildcard `_`: there `LIKE 'a\%'` finds `a\%` and not `a%`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from pycompiler.functions.condition import Condition, Member
from pycompiler.functions.rule import FunctionRule
from pycompiler.predicate.constants import is_text, text_of, texts_of
from pycompiler.predicate.model import Call, type_of
from pycompiler.values.booleans import chosen
from pycompiler.values.outcomes import Outcomes
from pycompiler.values.prefixes import beginning_with
from pycompiler.values.range_set import FULL, RangeSet

_ESCAPE: Final = "\\"
_WILDCARDS: Final = "%_"


@dataclass(frozen=True, slots=True)
class _Pattern:
    """A pattern as one of Hive's two modes reads it.

    Attributes:
        prefix: What every string that matches begins with.
        rest: The pattern after that: none if it is the whole string, `%` if anything may follow.
    """

    prefix: str
    rest: str

    def matches(self) -> RangeSet:
        """All strings that match, and perhaps others."""
        stem = self.prefix.encode()
        return RangeSet.of([beginning_with(stem)]) if self.rest else RangeSet.point(stem)

    def fails(self) -> RangeSet:
        """All strings that do not match, and perhaps others."""
        return self.matches().complement() if self.rest in ("", "%") else FULL


class Like(FunctionRule):
    """`x LIKE 'abc%'`: x begins with `abc`; without wildcards x is the pattern.

    Proof: what stands before the first wildcard is matched character by character from the start. Only a
    pattern of no wildcard, or of one `%` at its end, says exactly which strings match, so only these say
    which do not. What either of Hive's two modes finds is kept.
    """

    @property
    def names(self) -> Sequence[str]:
        return ("like",)

    def invert(self, call: Call, wanted: Outcomes) -> Condition | None:
        if len(call.arguments) != 2 or not is_text(type_of(call.arguments[0])):
            return None
        pattern = text_of(call.arguments[1])
        if pattern is None:
            return None
        holds, fails = _matching(pattern)
        return Member(call.arguments[0], chosen(wanted, Outcomes(holds, False), Outcomes(fails, False)))


class LikeList(FunctionRule):
    """`x LIKE ANY ('a%', 'b%')` and `LIKE ALL`: the union, or the intersection, of what the patterns match.

    Proof: Hive asks `UDFLike` for each pattern; the result is NULL only if x is, as no pattern is NULL.
    """

    @property
    def names(self) -> Sequence[str]:
        return ("like any", "like all")

    def invert(self, call: Call, wanted: Outcomes) -> Condition | None:
        value, *patterns = call.arguments
        texts = texts_of(patterns)
        if not is_text(type_of(value)) or not texts:
            return None
        holds, fails = zip(*map(_matching, texts), strict=True)
        any_of, all_of = RangeSet.any_of, RangeSet.all_of
        of_matches, of_failures = (any_of, all_of) if call.name == "like any" else (all_of, any_of)
        if_true, if_false = of_matches(holds), of_failures(fails)
        return Member(value, chosen(wanted, Outcomes(if_true, False), Outcomes(if_false, False)))


def _matching(pattern: str) -> tuple[RangeSet, RangeSet]:
    """The strings that match in some mode, and those that do not match in some."""
    readings = [_row_mode(pattern), _vectorised(pattern)]

    def either(sets: Callable[[_Pattern], RangeSet]) -> RangeSet:
        return RangeSet.any_of([sets(reading) for reading in readings])

    return either(_Pattern.matches), either(_Pattern.fails)


def _row_mode(pattern: str) -> _Pattern:
    prefix = []
    position = 0
    while position < len(pattern):
        character = pattern[position]
        if character in _WILDCARDS:
            break
        if character == _ESCAPE and pattern[position + 1 : position + 2] in tuple(_WILDCARDS):
            position += 1
            character = pattern[position]
        prefix.append(character)
        position += 1
    return _Pattern("".join(prefix), pattern[position:])


def _vectorised(pattern: str) -> _Pattern:
    # A % that follows a backslash does not count when the kind of the pattern is decided, but what the kind
    # takes from the pattern has its backslashes, and a chain of parts is cut at every %.
    wild = [
        position
        for position, character in enumerate(pattern)
        if character in _WILDCARDS and (position == 0 or pattern[position - 1] != _ESCAPE)
    ]
    if any(pattern[position] == "_" for position in wild):
        return _row_mode(pattern)
    if not wild:
        return _Pattern(pattern, "")
    if wild == [len(pattern) - 1]:
        return _Pattern(pattern[:-1], "%")
    first = pattern.index("%")
    return _Pattern(pattern[:first], pattern[first:])


RULES: Final = (Like(), LikeList())
