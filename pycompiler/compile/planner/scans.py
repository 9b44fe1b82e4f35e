"""Scans of a sorted catalogue: a range of keys, and a filter on them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain, pairwise
from typing import Final, TypeAlias

from pycompiler.compile.expression.model import HudiExpression, Node, Operator, group
from pycompiler.compile.expression.render import to_text, value_text
from pycompiler.compile.planner.keys import AFTER_ALL, EncodedValue, KeyColumn, KeyLayout
from pycompiler.compile.values.encoding import prefix_successor

Subtree: TypeAlias = tuple[Node, ...]
"""A condition on partition columns, as the post-order nodes of an expression."""

_MAX_SHOWN: Final = 5


@dataclass(frozen=True, slots=True, order=True)
class ScanMarker:
    """A place between keys: before those that begin with some values (`X10`), or after them (`X10+`).

    Attributes:
        row: The first key that may follow. Markers sort by their rows.
        values: Values of the first columns; empty for the whole table.
        after: Whether the place is after the keys that begin with the values.
    """

    row: bytes
    values: tuple[EncodedValue, ...] = field(compare=False)
    after: bool = field(compare=False)

    @staticmethod
    def of(layout: KeyLayout, values: Sequence[EncodedValue], *, after: bool) -> ScanMarker:
        """The place before or after all keys that begin with some values.

        The place after them is not one zero byte further, because the next columns' values follow there: it
        is the least string above all that begin with the prefix.
        """
        row = layout.prefix(values)
        if after:
            # Only the empty prefix has none: a value begins with 01 or 02.
            row = prefix_successor(row) or AFTER_ALL
        return ScanMarker(row, tuple(values), after)

    def text(self, layout: KeyLayout) -> str:
        """The place in the notation of docs/inside/formats.md."""
        shown = [_shown(column, value) for column, value in zip(layout.columns, self.values, strict=False)]
        return f"X{'/'.join(shown)}{'+' if self.after else ''}"


@dataclass(frozen=True, slots=True)
class Scan:
    """One scan, from `start` (inclusive) to `end` (exclusive).

    `filter`: What partitions in the range must also meet; None if all are selected.
    """

    start: ScanMarker
    end: ScanMarker
    filter: Subtree | None = None

    def is_get(self, layout: KeyLayout) -> bool:
        """Whether it fixes the values of all columns, and so selects one key."""
        start, end = self.start, self.end
        is_point = start.values == end.values and not start.after and end.after
        return is_point and len(start.values) == len(layout.columns)

    def text(self, layout: KeyLayout) -> str:
        """The scan in the notation of docs/inside/formats.md."""
        start, end = self.start.text(layout), self.end.text(layout)
        range_ = f"Get({start})" if self.is_get(layout) else f"Scan({start}, {end})"
        return range_ if self.filter is None else f"{range_} + filter({to_text(HudiExpression(self.filter))})"


def scans_text(layout: KeyLayout, scans: Sequence[Scan]) -> str:
    """All scans of a plan in the notation of docs/inside/formats.md, shortened if there are many."""
    if not scans:
        return "no scan"
    shown = [scan.text(layout) for scan in scans[:_MAX_SHOWN]]
    if len(scans) > len(shown):
        shown.append(f"… {len(scans) - len(shown)} more")
    return shown[0] if len(shown) == 1 else f"merge({', '.join(shown)})"


def all_of(conditions: Iterable[Subtree]) -> Subtree | None:
    """AND; None if there are no conditions."""
    distinct = list(dict.fromkeys(conditions))
    return group(Operator.AND, distinct) if len(distinct) > 1 else next(iter(distinct), None)


def any_of(conditions: Iterable[Subtree | None]) -> Subtree | None:
    """OR; None if one of the conditions is None."""
    known: list[Subtree] = []
    for condition in dict.fromkeys(conditions):
        if condition is None:
            return None
        known.append(condition)
    return group(Operator.OR, known) if len(known) > 1 else known[0]


def merged(scans: Iterable[Scan]) -> list[Scan]:
    """The union of scans, as ascending, disjoint scans, so that no partition is found twice.

    Where scans overlap, a partition is selected if any of them selects it: the overlap gets the OR of their
    filters.
    """
    ascending = sorted((scan for scan in scans if scan.start < scan.end), key=lambda scan: scan.start)
    if all(scan.end <= following.start for scan, following in pairwise(ascending)):
        return ascending
    places = sorted(set(chain.from_iterable((scan.start, scan.end) for scan in ascending)))
    waiting = ascending[::-1]
    pieces: list[Scan] = []
    open_: list[Scan] = []
    for start, end in pairwise(places):
        open_ = [scan for scan in open_ if scan.end > start]
        goes_on = bool(open_)
        while waiting and waiting[-1].start <= start:
            open_.append(waiting.pop())
        if not open_:
            continue
        wanted = any_of(scan.filter for scan in open_)
        if goes_on and pieces[-1].filter == wanted:
            pieces[-1] = Scan(pieces[-1].start, end, wanted)
        else:
            pieces.append(Scan(start, end, wanted))
    return pieces


def _shown(column: KeyColumn, value: EncodedValue) -> str:
    if value is None:
        return "null"
    return value.hex() if column.type.kind is None else value_text(column.type, value)
