r"""`LIKE`, `LIKE ANY` and `LIKE ALL`.

Source: Hive 4.0.1, `UDFLike` (row mode) and `FilterStringColLikeStringScalar` (vectorised). `%` matches any
characters and `_` exactly one; a `\` before either makes it literal. Vectorised mode keeps the backslash if
the pattern has no wildcard `_`: there `LIKE 'a\%'` matches `a\%` and not `a%`.
"""

from dataclasses import dataclass
from typing import Final

from pycompiler.compile.functions.condition import Condition, Member
from pycompiler.compile.functions.rule import FunctionRule
from pycompiler.compile.predicate.constants import as_text, texts_of
from pycompiler.compile.predicate.model import Call
from pycompiler.compile.values.booleans import chosen
from pycompiler.compile.values.outcomes import Outcomes
from pycompiler.compile.values.prefixes import beginning_with
from pycompiler.compile.values.range_set import FULL, RangeSet

_ESCAPE: Final = "\\"
_WILDCARDS: Final = "%_"


@dataclass(frozen=True, slots=True)
class _Pattern:
    """A pattern as one of Hive's two modes reads it.

    Attributes:
        prefix: The prefix of every string that matches.
        rest: The pattern after it: empty if the prefix is the whole string, `%` if anything may follow.
    """

    prefix: str
    rest: str

    def matches(self) -> RangeSet:
        """A superset of the strings that match."""
        stem = self.prefix.encode()
        return RangeSet.of([beginning_with(stem)]) if self.rest else RangeSet.point(stem)

    def fails(self) -> RangeSet:
        """A superset of the strings that do not match."""
        return self.matches().complement() if self.rest in ("", "%") else FULL


class Like(FunctionRule):
    """`x LIKE 'abc%'`: x begins with `abc`; without wildcards x is the pattern.

    `x LIKE ANY ('a%', 'b%')` and `LIKE ALL` are the union or intersection of what the patterns match.

    Proof: the characters before the first wildcard are matched one by one from the start. Only a pattern
    without wildcards, or with a single `%` at its end, determines exactly which strings match, so only these
    are negated. A string that either of Hive's two modes finds is kept. For a list, Hive runs `UDFLike` for
    each pattern; no pattern is NULL, so the result is NULL only if x is.
    """

    names = ("like", "like any", "like all")

    def invert(self, call: Call, wanted: Outcomes) -> Condition | None:
        texts = texts_of(call.arguments[1:])
        value = as_text(call.arguments[0])
        if not texts or (call.name == "like" and len(texts) > 1) or value is None:
            return None
        holds, fails = zip(*map(_matching, texts), strict=True)
        any_of, all_of = RangeSet.any_of, RangeSet.all_of
        of_matches, of_failures = (all_of, any_of) if call.name == "like all" else (any_of, all_of)
        if_true, if_false = of_matches(holds), of_failures(fails)
        return Member(value, chosen(wanted, Outcomes(if_true, False), Outcomes(if_false, False)))


def _matching(pattern: str) -> tuple[RangeSet, RangeSet]:
    """The strings that match in either mode, and those that fail in either mode."""
    by_row, in_vectors = _row_mode(pattern), _vectorised(pattern)
    return by_row.matches() | in_vectors.matches(), by_row.fails() | in_vectors.fails()


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
    # Hive ignores a % after a backslash when it classifies the pattern, but then keeps the backslashes, and
    # cuts a chain of parts at every %.
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


RULES: Final = (Like(),)
