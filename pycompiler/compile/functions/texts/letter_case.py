"""`LOWER` and `UPPER`, for ASCII results.

Source: Hive 4.0.1, `GenericUDFLower`, `GenericUDFUpper` and their vectorised forms: Java's `toLowerCase()`
and `toUpperCase()` in the JVM's locale. The inputs that give ASCII are the same in all locales but Turkish,
Azerbaijani and Lithuanian, whose additions are included below. tests/conformance/letter_case.json lists them
all and is checked against Java over all of Unicode.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from string import ascii_lowercase, ascii_uppercase
from typing import Final

from pycompiler.compile.functions.condition import Condition, Member
from pycompiler.compile.functions.rule import FunctionRule
from pycompiler.compile.predicate.model import Call, type_of
from pycompiler.compile.values.encoding import prefix_successor
from pycompiler.compile.values.outcomes import Outcomes
from pycompiler.compile.values.prefixes import beginning_with
from pycompiler.compile.values.range_set import Range, RangeSet

_MAX_VARIANTS: Final = 256
"""Most variants listed for one wanted string; beyond this, only for a prefix of it."""
_MAX_VARIANTS_IN_ALL: Final = 4096
_LEAST_VARIANTS: Final = 4
_MAX_CHARACTERS: Final = 64
"""Longer strings are reduced to a prefix of this length."""

_OTHERS: Final = [chr(code) for code in range(128) if not chr(code).isalpha()]
_TO_LOWER: Final = [
    *zip(_OTHERS, _OTHERS, strict=True),
    *zip(ascii_lowercase, ascii_lowercase, strict=True),
    *zip(ascii_uppercase, ascii_lowercase, strict=True),
    ("\u212a", "k"),
    ("\u0130", "i\u0307"),
    # Turkish and Azerbaijani.
    ("\u0130", "i"),
    ("I\u0307", "i"),
    # Lithuanian.
    ("\u00cc", "i\u0307\u0300"),
    ("\u00cd", "i\u0307\u0301"),
    ("\u0128", "i\u0307\u0303"),
]
_TO_UPPER: Final = [
    *zip(_OTHERS, _OTHERS, strict=True),
    *zip(ascii_uppercase, ascii_uppercase, strict=True),
    *zip(ascii_lowercase, ascii_uppercase, strict=True),
    ("\u00df", "SS"),
    ("\u0131", "I"),
    ("\u017f", "S"),
    ("\ufb00", "FF"),
    ("\ufb01", "FI"),
    ("\ufb02", "FL"),
    ("\ufb03", "FFI"),
    ("\ufb04", "FFL"),
    ("\ufb05", "ST"),
    ("\ufb06", "ST"),
    ("\u01f0", "J\u030c"),
    ("\u1e96", "H\u0331"),
    ("\u1e97", "T\u0308"),
    ("\u1e98", "W\u030a"),
    ("\u1e99", "Y\u030a"),
    ("\u1e9a", "A\u02be"),
    # Lithuanian.
    ("i\u0307", "I"),
    ("j\u0307", "J"),
]


@dataclass(frozen=True, slots=True)
class _Target:
    """ASCII characters that the result begins with, or equals."""

    text: str
    is_whole: bool


class LetterCase(FunctionRule):
    """`lower(x) = 'jfk'`: x is one of jfk, Jfk, jFk, …, also with the Kelvin sign; `upper` likewise.

    Proof: each character of x (or pair of characters) contributes a part of the result. The sources of parts
    that begin with ASCII are all known, so x begins with some choice of them; from its first non-ASCII
    character on, the result says nothing about x.
    """

    names = ("lower", "upper")

    def invert(self, call: Call, wanted: Outcomes) -> Condition | None:
        if len(call.arguments) != 1:
            return None
        (value,) = call.arguments
        source = type_of(value)
        if source is None or source.name != "string" or call.type.name != "string":
            return None
        sources = SOURCES[call.name]
        ranges = wanted.values.ranges
        most = max(_LEAST_VARIANTS, min(_MAX_VARIANTS, _MAX_VARIANTS_IN_ALL // max(len(ranges), 1)))
        found = [part for range_ in ranges for part in _variants(_target(range_), sources, most)]
        return Member(value, Outcomes(RangeSet.of(found), wanted.null))


def _by_first(sources: Iterable[tuple[str, str]]) -> Mapping[str, Sequence[tuple[str, str]]]:
    grouped: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    for source, result in sources:
        grouped[result[0]].append((source, result))
    return grouped


SOURCES: Final = {"lower": _by_first(_TO_LOWER), "upper": _by_first(_TO_UPPER)}
"""For each function, by first character of the result: pairs of source and result."""


def _target(range_: Range) -> _Target:
    low, high = range_.low, range_.high
    if low is None or high is None:
        return _Target("", False)
    ascii_part = low.value[:_MAX_CHARACTERS]
    if range_.is_point and ascii_part == low.value and low.value.isascii():
        return _Target(low.value.decode("ascii"), True)
    while ascii_part and not _holds_all(ascii_part, range_):
        ascii_part = ascii_part[:-1]
    while not ascii_part.isascii():
        ascii_part = ascii_part[:-1]
    return _Target(ascii_part.decode("ascii"), False)


def _holds_all(prefix: bytes, range_: Range) -> bool:
    """Whether all strings of a range that starts at or above the prefix begin with the prefix."""
    successor = prefix_successor(prefix)
    return successor is not None and range_.ends_below(successor)


def _variants(
    target: _Target, sources: Mapping[str, Sequence[tuple[str, str]]], most: int
) -> Iterable[Range]:
    """The strings whose results begin with, or equal, the target: as points, or as prefixes."""
    text, settled = target.text, len(target.text)
    # Each pair: a prefix of x, and how many characters of the target it produces.
    variants = [("", 0)]
    while True:
        longer: list[tuple[str, int]] = []
        for variant, given in variants:
            if given >= settled:
                longer.append((variant, given))
                continue
            for source, result in sources.get(text[given], ()):
                rest = text[given : given + len(result)]
                if result == rest or (not target.is_whole and result.startswith(rest)):
                    longer.append((variant + source, given + len(result)))
        if longer == variants or len(longer) > most:
            break
        variants = longer
    for variant, given in variants:
        make_range = Range.point if target.is_whole and given == settled else beginning_with
        yield make_range(variant.encode())


RULES: Final = (LetterCase(),)
