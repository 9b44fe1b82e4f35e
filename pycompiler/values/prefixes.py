"""Strings by what they begin with: ranges of encoded strings, and strings cut to a number of characters.

Encoded strings are UTF-8. Ends of ranges need not be: the successor of a prefix may end inside a character.
Bytes that are no UTF-8 count as one character each, and counting more than there are only cuts more.
"""

from __future__ import annotations

from collections.abc import Callable

from pycompiler.values.encoding import prefix_successor
from pycompiler.values.range_set import End, Range

_LAST_OF_ONE_UNIT = "\uffff"


def beginning_with(prefix: bytes) -> Range:
    """All strings that begin with a prefix."""
    successor = prefix_successor(prefix)
    low = End(prefix, True) if prefix else None
    return Range(low, None if successor is None else End(successor, False))


def first_characters(value: bytes, count: int) -> bytes:
    """The first characters (code points) of a string."""
    return _encoded(_decoded(value)[:count])


def first_units(value: bytes, count: int) -> bytes:
    """The first whole characters of a string that take at most `count` UTF-16 code units."""
    text = _decoded(value)[:count]
    units = 0
    for position, character in enumerate(text):
        units += utf16_units(character)
        if units > count:
            return _encoded(text[:position])
    return _encoded(text)


def utf16_units(text: str) -> int:
    """How many UTF-16 code units a text has, as Java's `String.length` counts."""
    return len(text) + sum(character > _LAST_OF_ONE_UNIT for character in text)


def below_what_begins(high: End, cut: Callable[[bytes], bytes]) -> End | None:
    """The end of the strings x of which a prefix p is below `high`.

    p is the string `cut` makes of x. If p < v and v is not longer than `cut` allows then x < v: p is all of
    x, or differs from v within p. Otherwise x may begin with what `cut` makes of v.
    """
    shortened = cut(high.value)
    if not high.included and shortened == high.value:
        return high
    successor = prefix_successor(shortened)
    return None if successor is None else End(successor, False)


def _decoded(value: bytes) -> str:
    return value.decode("utf-8", "surrogateescape")


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
