"""Patterns of `date_format` and `from_unixtime` whose results sort by time, at least within ranges.

Only fixed-width fields are supported, and only if both of Hive's formatters (`hive.datetime.formatter`:
java.time and SimpleDateFormat) write them the same way.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from pycompiler.compile.values.calendar import (
    DAY_MICROS,
    SECOND_MICROS,
    date_of,
    first_of_year,
    last_of_year,
    months_of_years,
)
from pycompiler.compile.values.monotone import Graph, Piece
from pycompiler.compile.values.outcomes import Outcomes
from pycompiler.compile.values.range_set import RangeSet
from pycompiler.compile.values.spans import spans_of
from pycompiler.compile.values.types import HiveType

_DAY_SECONDS: Final = DAY_MICROS // SECOND_MICROS
_FIELDS: Final = ("yyyy", "MM", "dd", "HH", "mm", "ss")
"""From the longest unit to the shortest."""
_FIELD: Final = "|".join(f"{field}(?!{field[0]})" for field in _FIELDS)
_TOKENS: Final = re.compile(rf"(?P<field>{_FIELD})|'(?P<quoted>[^']+)'|(?P<plain>[^A-Za-z'\[\]{{}}#])")
_FORMATS: Final = {field: f"{{{rank}:0{len(field)}d}}" for rank, field in enumerate(_FIELDS)}
_TIME: Final = _FIELDS.index("HH")
# Before 1901 the two formatters, and the JVM's two sources of zones, use different calendars and offsets.
_FIRST_YEAR: Final = 1901
_LAST_YEARS: Final = (9999, 2100, 2070)
_FIRST_YEARS: Final = (_FIRST_YEAR, _FIRST_YEAR, 1970)


@dataclass(frozen=True, slots=True)
class DatePattern:
    """A pattern that can be inverted.

    Attributes:
        template: Template for `str.format`, with year, month, day, hour, minute and second.
        unit: Microseconds per unit of time: a day or a second.
        pieces: Stretches, in units since 1970, on which the texts are in order.
    """

    template: str
    unit: int
    pieces: tuple[Piece, ...]

    def text(self, moment: int) -> str:
        """The text of a moment, given in units since 1970."""
        days, seconds = divmod(moment * self.unit // SECOND_MICROS, _DAY_SECONDS)
        day = date_of(days)
        return self.template.format(
            day.year, day.month, day.day, seconds // 3600, seconds // 60 % 60, seconds % 60
        )


@lru_cache(maxsize=256)
def parse(pattern: str) -> DatePattern | None:
    """Reads a pattern; None if it has other fields than these six, or its texts do not sort by time."""
    template: list[str] = []
    fields: list[int] = []
    position = 0
    while position < len(pattern):
        token = _TOKENS.match(pattern, position)
        if token is None:
            return None
        position = token.end()
        if token["field"]:
            fields.append(_FIELDS.index(token["field"]))
            template.append(_FORMATS[token["field"]])
        else:
            # '' is a literal quote, even inside quotes; neither is supported.
            if token["quoted"] and pattern[position : position + 1] == "'":
                return None
            template.append((token["quoted"] or token["plain"]).replace("{", "{{").replace("}", "}}"))
    fixed = _fixed_units(list(dict.fromkeys(fields)))
    if fixed is None:
        return None
    return _with_pieces("".join(template), fixed, has_time=max(fields) >= _TIME)


@lru_cache(maxsize=256)
def inverted(pattern: DatePattern, wanted: RangeSet) -> tuple[tuple[int, int], ...]:
    """The moments, in units of the pattern, whose text is wanted, and all that lie outside the pieces."""
    # bigint, not date: moments may be seconds, and outside the pieces they are unbounded.
    unbounded, graph = HiveType("bigint"), Graph(pattern.text, pattern.pieces)
    found = graph.preimage(unbounded, HiveType("string"), Outcomes(wanted, False))
    return tuple(spans_of(unbounded, found.values))


def _fixed_units(fields: list[int]) -> int | None:
    """How many of the longest units must be fixed for the rest to run longest first, without gaps.

    Then, of two moments with the same fixed units, the later one never has the smaller text: the first field
    in which the texts differ belongs to the longest unit in which the moments differ.
    """
    for fixed in range(len(_LAST_YEARS)):
        rest = [field for field in fields if field >= fixed]
        if rest == list(range(fixed, fixed + len(rest))):
            return fixed if fields else None
    return None


def _with_pieces(template: str, fixed: int, *, has_time: bool) -> DatePattern | None:
    if has_time and fixed:
        # Evaluating texts to the second on hundreds of stretches costs more than it saves.
        return None
    first, last = _FIRST_YEARS[fixed], _LAST_YEARS[fixed]
    stretches: tuple[tuple[int, int], ...]
    match fixed:
        case 0:
            stretches = ((first_of_year(first), last_of_year(last)),)
        case 1:
            stretches = tuple((first_of_year(year), last_of_year(year)) for year in range(first, last + 1))
        case _:
            stretches = months_of_years(first, last)
    unit, steps = (SECOND_MICROS, _DAY_SECONDS) if has_time else (DAY_MICROS, 1)
    return DatePattern(
        template, unit, tuple(Piece(begin * steps, (end + 1) * steps - 1) for begin, end in stretches)
    )
