"""`RLIKE` and `REGEXP`.

Source: Hive 4.0.1, `GenericUDFRegExp` and `FilterStringColRegExpStringScalar`: `find` of java.util.regex, or
of RE2/J if `hive.use.google.regex.engine` is set.
"""

from typing import Final

from pycompiler.compile.functions.condition import Condition, Member
from pycompiler.compile.functions.rule import FunctionRule
from pycompiler.compile.predicate.constants import is_text, text_of
from pycompiler.compile.predicate.model import Call, type_of
from pycompiler.compile.values.booleans import chosen
from pycompiler.compile.values.outcomes import NOT_NULL, Outcomes
from pycompiler.compile.values.prefixes import beginning_with
from pycompiler.compile.values.range_set import RangeSet

_SPECIAL: Final = frozenset("\\^$.|?*+()[]{}")
_MAY_BE_NONE: Final = frozenset("?*{")
"""Quantifiers that make the character before them optional."""
_UNREADABLE: Final = ("\\Q", "\\E", "\\c")
"""Escapes that vanish, or that make a special character after them an ordinary one."""


class RegExp(FunctionRule):
    """`x RLIKE '^abc.*'`: x begins with the characters between `^` and the first special one.

    Proof: without a preceding (?m) flag, `^` matches only at the start of x; unless a `|` offers an
    alternative, each ordinary character after it must match there. A character made optional by a quantifier
    is dropped.
    """

    names = ("rlike",)

    def invert(self, call: Call, wanted: Outcomes) -> Condition | None:
        if len(call.arguments) != 2 or not is_text(type_of(call.arguments[0])):
            return None
        pattern = text_of(call.arguments[1])
        if pattern is None:
            return None
        prefix = _prefix(pattern).encode()
        holds = Outcomes(RangeSet.of([beginning_with(prefix)]), False)
        return Member(call.arguments[0], chosen(wanted, holds, NOT_NULL))


def _prefix(pattern: str) -> str:
    """The prefix of all strings that match; empty if unknown."""
    if not pattern.startswith("^") or any(escape in pattern for escape in _UNREADABLE):
        return ""
    if "|" in pattern and not _is_inside_groups(pattern):
        return ""
    prefix: list[str] = []
    position = 1
    while position < len(pattern):
        character = pattern[position]
        if character == "\\" and _is_punctuation(pattern[position + 1 : position + 2]):
            position += 1
            character = pattern[position]
        elif character in _SPECIAL:
            if character in _MAY_BE_NONE and prefix:
                prefix.pop()
            break
        prefix.append(character)
        position += 1
    return "".join(prefix)


def _is_punctuation(character: str) -> bool:
    return character.isascii() and character.isprintable() and not character.isalnum() and character != ""


def _is_inside_groups(pattern: str) -> bool:
    """Whether each `|` is certainly inside a group."""
    if "[" in pattern or "(?" in pattern:
        # Parentheses inside character classes do not group, and flags may turn parts into comments.
        return False
    depth = position = 0
    while position < len(pattern):
        match pattern[position]:
            case "\\":
                position += 1
            case "(":
                depth += 1
            case ")":
                depth -= 1
            case "|" if depth <= 0:
                return False
        position += 1
    return True


RULES: Final = (RegExp(),)
