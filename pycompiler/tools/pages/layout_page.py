"""The page of `hudi-skip layout`: the overlap of each column, the sizes of files, and what queries opened."""

from collections.abc import Sequence
from typing import Final

from pycompiler.figures import bytes_text
from pycompiler.table.files import FileSlice
from pycompiler.tools.layout.overlap import Overlap
from pycompiler.tools.layout.table_layout import TableLayout
from pycompiler.tools.pages.axis import Axis, Tick
from pycompiler.tools.pages.charts import Chart, Stack, coverage
from pycompiler.tools.pages.page import Page, rendered

_MOST_PROFILES: Final = 12
_MOST_QUERIES: Final = 50


def page_of_layout(path: str, layout: TableLayout) -> Page:
    """Draws the layout of a table."""
    files = len(layout.slices)
    known = [query for query in layout.asked if query.files]
    return rendered(
        "layout",
        f"Layout of {path}",
        path=path,
        layout=layout,
        files=files,
        sizes=_sizes(layout.slices) if layout.slices else None,
        profiles=[
            (use.overlap, profile)
            for use in layout.columns[:_MOST_PROFILES]
            if (profile := _profile(use.overlap)) is not None
        ],
        queries=sorted(layout.asked, key=lambda query: -query.kept_size)[:_MOST_QUERIES],
        opened=(sum(query.kept_size for query in known), sum(query.size for query in known)),
    )


def _profile(found: Overlap) -> Chart | None:
    """How many slices hold the values of a column."""
    axis = Axis.of(found.type, [end for ranges in found.ranges for ends in ranges for end in ends])
    if axis is None:
        return None
    stacks = coverage(axis, ((ranges, True) for ranges in found.ranges), names_kept=False)
    return Chart(axis.ticks, stacks, axis.why_not)


def _sizes(slices: Sequence[FileSlice]) -> Chart:
    """The sizes of slices, each section twice as large as the one before; what the index lacks is set off."""
    powers = [max(each.size, 1).bit_length() - 1 for each in slices]
    low, high = min(powers), max(powers) + 1
    stacks = []
    for power in range(low, high):
        indexed = [each.indexed for each, of in zip(slices, powers, strict=True) if of == power]
        ends = f"{bytes_text(2**power)} to {bytes_text(2 ** (power + 1))}"
        stacks.append(Stack(sum(indexed), len(indexed) - sum(indexed), f"{ends}: {len(indexed):,} files"))
    step = max((high - low) // 4, 1)
    ticks = [
        Tick((power - low) / (high - low), bytes_text(2**power))
        for power in (*range(low, high - step + 1, step), high)
    ]
    return Chart(ticks, stacks)
