"""Prefixes of strings: ranges of encoded strings, and strings cut to a number of characters.

Encoded strings are UTF-8, but ends of ranges need not be: a prefix's successor may end inside a character.
Each invalid byte counts as one character; overcounting only cuts more.
"""

from collections.abc import Callable

from pycompiler.compile.values.encoding import prefix_successor
from pycompiler.compile.values.range_set import End, Range

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
    """The longest prefix of whole characters that takes at most `count` UTF-16 code units."""
    text = _decoded(value)[:count]
    units = 0
    for position, character in enumerate(text):
        units += utf16_units(character)
        if units > count:
            return _encoded(text[:position])
    return _encoded(text)


def utf16_units(text: str) -> int:
    """The number of UTF-16 code units in a text, as Java's `String.length` counts."""
    return len(text) + sum(character > _LAST_OF_ONE_UNIT for character in text)


def end_of_prefixes_below(high: End, cut: Callable[[bytes], bytes]) -> End | None:
    """The upper end of the strings x whose prefix p = `cut(x)` is below `high`.

    If p < v and v is no longer than `cut` allows, then x < v: either p is all of x, or p differs from v.
    Otherwise x may begin with `cut(v)`.
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
