"""The page of `hudi-skip layout`: the overlap of each column, the sizes of files, and what queries opened."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from pycompiler.compile.predicate.text import shorten
from pycompiler.figures import bytes_text
from pycompiler.one_line import one_line
from pycompiler.table.files import FileSlice
from pycompiler.tools.layout.overlap import Overlap
from pycompiler.tools.layout.queries import AskedQuery
from pycompiler.tools.layout.table_layout import ColumnUse, TableLayout
from pycompiler.tools.pages.axis import Axis, Tick
from pycompiler.tools.pages.bins import Bin, Stack, bins_of
from pycompiler.tools.pages.coverage import coverage
from pycompiler.tools.pages.page import Page, rendered

_MOST_PROFILES: Final = 12
_MOST_QUERIES: Final = 50
_MOST_TEXT: Final = 1000
_DEPTHS: Final = 20
"""Bars of a column's distribution."""


@dataclass(frozen=True, slots=True)
class Chart:
    """Bars over an axis; `most` is what the highest one stands for."""

    ticks: Sequence[Tick]
    bins: Sequence[Bin]
    most: int
    remark: str = ""
    wanted: Sequence[object] = ()


@dataclass(frozen=True, slots=True)
class ColumnRow:
    """A column in the table of columns; `profile` is how many slices hold its values, over the values."""

    use: ColumnUse
    distribution: Sequence[Bin]
    profile: Chart | None


def page_of_layout(path: str, layout: TableLayout) -> Page:
    """Draws the layout of a table."""
    queries = sorted(layout.asked, key=lambda query: -query.kept_size)
    known = [query for query in layout.asked if query.files]
    return rendered(
        "layout",
        f"Layout of {path}",
        path=path,
        layout=layout,
        files=len(layout.slices),
        sizes=_sizes(layout.slices) if layout.slices else None,
        columns=[
            ColumnRow(
                use,
                _distribution(use.overlap, len(layout.slices)),
                _profile(use.overlap) if place < _MOST_PROFILES else None,
            )
            for place, use in enumerate(layout.columns)
        ],
        queries=[_shown(query) for query in queries[:_MOST_QUERIES]],
        opened=(sum(query.kept_size for query in known), sum(query.size for query in known)),
    )


def _shown(query: AskedQuery) -> AskedQuery:
    text, problem = (one_line(shorten(text, _MOST_TEXT)) for text in (query.text, query.problem))
    return AskedQuery(text, query.columns, query.files, query.kept, query.size, query.kept_size, problem)


def _distribution(found: Overlap, files: int) -> list[Bin]:
    """How many of the values lead to so many slices, from one slice to all of them."""
    counts = [0] * _DEPTHS
    for depth, times in found.depths.items():
        counts[min(max(depth - 1, 0) * _DEPTHS // max(files, 1), _DEPTHS - 1)] += times
    total = sum(counts) or 1
    stacks = []
    for place, count in enumerate(counts):
        first, last = (-(-files * at // _DEPTHS) + 1 for at in (place, place + 1))
        files_read = f"{first:,}" if last - 1 <= first else f"{first:,} to {last - 1:,}"
        stacks.append(
            Stack(count, 0, f"{files_read} files are read for {100 * count / total:.1f} % of the values")
        )
    return bins_of(stacks)


def _profile(found: Overlap) -> Chart | None:
    axis = Axis.of(found.type, [end for ranges in found.ranges for ends in ranges for end in ends])
    if axis is None:
        return None
    stacks = coverage(axis, ((ranges, True) for ranges in found.ranges), names_kept=False)
    return Chart(axis.ticks, bins_of(stacks), max(stack.height for stack in stacks), axis.why_not)


def _sizes(slices: Sequence[FileSlice]) -> Chart:
    """The sizes of slices, each section twice as large as the one before; what the index lacks is set off."""
    powers = [max(each.size, 1).bit_length() - 1 for each in slices]
    low, high = min(powers), max(powers) + 1
    counts = {is_indexed: [0] * (high - low) for is_indexed in (True, False)}
    for each, power in zip(slices, powers, strict=True):
        counts[each.indexed][power - low] += 1
    stacks = [
        Stack(
            indexed,
            behind,
            f"{' to '.join(bytes_text(2**power) for power in (at, at + 1))}: {indexed + behind:,} files",
        )
        for at, (indexed, behind) in enumerate(zip(counts[True], counts[False], strict=True), low)
    ]
    step = max((high - low) // 4, 1)
    ticks = [
        Tick((power - low) / (high - low), bytes_text(2**power))
        for power in range(low, high + 1)
        if (power - low) % step == 0 and high - power >= step or power == high
    ]
    return Chart(ticks, bins_of(stacks), max(stack.height for stack in stacks))
