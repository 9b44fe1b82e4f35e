"""Turns the expression in a scan's log line back into a condition for `hudi-skip explain --where`."""

import re
from collections.abc import Iterable
from typing import Final

from pycompiler.compile.predicate.errors import SqlPredicateError
from pycompiler.compile.sql.from_sql import Dialect, from_sql

_STRING: Final = re.compile(r"'(?:[^'\\]|\\.)*'")
_HELD: Final = re.compile(r"\x00(\d+)\x00")
_RANGES: Final = re.compile(r"(datediff\([^()]*\)|\S+ - \S+|\S+) in \{([^{}]*)\}")
"""A column, or the difference of two, and its ranges."""
_RANGE: Final = re.compile(r"(?P<open>[\[(])(?P<low>[^\[\](),]+)(?:, (?P<high>[^\[\](),]+))?(?P<close>[\])])")
_UNDERSCORED: Final = re.compile(r"(?<![\w.`])(_\w+)")
_BEYOND: Final = re.compile(r"\d (?:days|microseconds)\b")
"""Moments outside the years 1 to 9999, which SQL cannot write."""
_CUT: Final = "…"
_ALWAYS: Final = re.compile(
    r"hive\(term [^()]*\)|\S+\([^()]*\) may match \d+ bytes|\bany(?: \[[^][]*\]|(?=\)| and| or|$))"
)
"""Leaves whose question is not in the log; without it, every file is kept."""
_NEVER: Final = re.compile(r"\bnone(?=\)| and | or |$)")


def sql_condition(expression: str) -> str | None:
    """The condition that an expression of the log states, in Hive's SQL; None if the log cut it.

    Long lists and texts are cut in the log. What it does not spell out, such as terms that Hive evaluates, is
    replaced by TRUE: `explain` cannot skip files by it either. A range of timestamps was widened by the
    differences of time zones, and the compiler will widen it again.
    """
    strings: list[str] = []

    def hold(match: re.Match[str]) -> str:
        strings.append(match[0])
        return f"\x00{len(strings) - 1}\x00"

    if not expression or _CUT in expression or "\x00" in expression:
        return None
    text = _STRING.sub(hold, expression)
    text = _NEVER.sub("FALSE", _ALWAYS.sub("TRUE", text))
    text = _UNDERSCORED.sub(r"`\1`", _RANGES.sub(_comparisons, text))
    if _BEYOND.search(text):
        return None
    condition = _HELD.sub(lambda match: strings[int(match[1])], text)
    try:
        from_sql(condition, None, dialect=Dialect.HIVE)
    except SqlPredicateError:
        return None
    return condition


def _comparisons(match: re.Match[str]) -> str:
    """Ranges such as `{[1, 5), [7], (9, ∞)}` as comparisons."""
    column, ranges = match[1].lstrip("("), match[2]
    before = match[1][: len(match[1]) - len(column)]
    found = [each for each in _RANGE.finditer(ranges) if not _BEYOND.search(each[0])]
    parts = [" AND ".join(_ends(column, each)) or "TRUE" for each in found or _RANGE.finditer(ranges)]
    if not parts:
        # A difference that is not known, for want of a bound, keeps its file even so.
        return before + ("TRUE" if " " in column else "FALSE")
    return f"{before}({' OR '.join(f'({part})' for part in parts)})"


def _ends(column: str, found: re.Match[str]) -> Iterable[str]:
    low, high = found["low"], found["high"]
    if high is None:
        yield f"{column} = {low}"
        return
    if low != "-∞":
        yield f"{column} >{'=' if found['open'] == '[' else ''} {low}"
    if high != "∞":
        yield f"{column} <{'=' if found['close'] == ']' else ''} {high}"
