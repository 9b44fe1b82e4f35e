"""Charts of files over the values of a column: in sections of its axis, or one line for each file."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

import numpy as np

from pycompiler.compile.expression.evaluator import readable_statistics
from pycompiler.compile.expression.model import ColumnTest, Leaf, Ranges
from pycompiler.compile.expression.render import node_text
from pycompiler.compile.expression.statistics import ColumnStatistics
from pycompiler.compile.planner.generator import outcomes_of
from pycompiler.compile.values.outcomes import NOT_NULL
from pycompiler.compile.values.types import HiveType, ValueKind
from pycompiler.one_line import one_line
from pycompiler.tools.explain.document import statistics_data
from pycompiler.tools.explain.text import statistics_text
from pycompiler.tools.explain.verdicts import SliceVerdict
from pycompiler.tools.layout.overlap import Ends, is_unbounded
from pycompiler.tools.pages.axis import Axis, Tick
from pycompiler.tools.pages.page import across

MOST_ROWS: Final = 300
"""A chart of more slices has sections; of these it draws the kept ones in rows if they are few."""
_MOST_KEPT_ROWS: Final = 60
_SECTIONS: Final = 160
_NARROWEST: Final = 0.3
"""A bar, in percent of the chart's width."""
_MOST_BARS: Final = 200
"""Wanted ranges beyond this number are drawn as one."""

Bar: TypeAlias = tuple[float, float]
"""Where it begins, and its width, both in percent."""


class Stack(NamedTuple):
    """Two amounts on top of each other in a section: what is read, and what is skipped."""

    kept: int
    skipped: int
    label: str


class Wanted(NamedTuple):
    """The values for which a leaf is true.

    Attributes:
        remark: What cannot be drawn: values outside the axis, and NULL.
    """

    text: str
    bars: Sequence[Bar]
    remark: str


@dataclass(frozen=True, slots=True)
class Chart:
    """Sections of equal width over an axis.

    Attributes:
        remark: What else a reader must know, such as why the axis is not to scale.
        wanted: The values that a condition asks for.
    """

    ticks: Sequence[Tick]
    stacks: Sequence[Stack]
    remark: str = ""
    wanted: Sequence[Wanted] = ()

    @property
    def most(self) -> int:
        """What the highest section stands for."""
        return max((stack.kept + stack.skipped for stack in self.stacks), default=0)


class Row(NamedTuple):
    """A slice, drawn as a line.

    Attributes:
        ends: The ranges of its files.
        unbounded: Whether a file of it may hold any value, as far as is known.
        nulls: What is known of NULLs in it: `all`, `some`, `unknown`, or nothing if there are none.
    """

    verdict: SliceVerdict
    ends: Sequence[Ends]
    unbounded: bool
    nulls: str


@dataclass(frozen=True, slots=True)
class RangeChart:
    """Which ranges of a column files have, and which are kept.

    Attributes:
        chart: Its axis, the wanted values, and sections for all slices; no sections if there is a row for
            each.
        rows: Slices, by their first value.
        asides: Slices that the axis alone does not show: what they are, and how many are kept and skipped.
    """

    column: str
    axis: Axis
    chart: Chart
    rows: Sequence[Row]
    asides: Sequence[tuple[str, int, int]]

    def bars(self, row: Row) -> list[Bar]:
        """The bars of a row."""
        return [_bar(self.axis.position(low), self.axis.position(high)) for low, high in row.ends]

    def label(self, row: Row) -> str:
        """A slice in lines: its path and the verdict, then what is known of the column in each file."""
        verdict = row.verdict
        word = "kept" if verdict.kept else "skipped"
        if not verdict.slice.indexed:
            word += ", because the index does not cover it yet"
        lines = [f"{verdict.slice.path}: {word}"]
        for file in verdict.files:
            name = f"{file.file.path.rpartition('/')[2]}: " if len(verdict.files) > 1 else ""
            known = statistics_text(statistics_data(file.statistics.get(self.column)))
            lines.append(f"{name}{self.column} {known}")
        return "\n".join(map(one_line, lines))


def coverage(
    axis: Axis, slices: Iterable[tuple[Sequence[Ends], bool]], *, names_kept: bool = True
) -> list[Stack]:
    """Counts slices, each given as its ascending ranges and whether it is kept, in sections of an axis."""
    counts = {kept: np.zeros(_SECTIONS + 1, dtype=np.int64) for kept in (True, False)}
    for ranges, is_kept in slices:
        steps = counts[is_kept]
        for first, last in _touched(axis, ranges):
            steps[first] += 1
            steps[last + 1] -= 1
    kept, skipped = (np.cumsum(counts[of])[:-1].tolist() for of in (True, False))
    stacks = []
    for place, (of_kept, of_skipped) in enumerate(zip(kept, skipped, strict=True)):
        low, high = axis.value_at(place / _SECTIONS), axis.value_at((place + 1) / _SECTIONS)
        files = "file" if of_kept + of_skipped == 1 else "files"
        label = f"{low} to {high}: {of_kept + of_skipped:,} {files}"
        stacks.append(
            Stack(of_kept, of_skipped, one_line(f"{label}, {of_kept:,} kept" if names_kept else label))
        )
    return stacks


def _touched(axis: Axis, ranges: Sequence[Ends]) -> Iterator[tuple[int, int]]:
    """The first and last section of each run of sections that ascending ranges touch; none twice."""
    begin, end = -1, -1
    for low, high in ranges:
        first, last = (min(int(axis.position(at) * _SECTIONS), _SECTIONS - 1) for at in (low, high))
        if first > end:
            if end >= 0:
                yield begin, end
            begin, end = first, last
        else:
            end = max(end, last)
    if end >= 0:
        yield begin, end


def range_chart(
    column: str, slices: Iterable[SliceVerdict], leaves: Iterable[ColumnTest]
) -> RangeChart | None:
    """Draws a column of the condition; None if nothing is known of it in any file."""
    tests = [leaf for leaf in leaves if column in dict(leaf.columns)]
    read_as = next(dict(leaf.columns)[column] for leaf in tests)
    rows = [_row(verdict, column, read_as) for verdict in slices]
    axis = Axis.of(read_as, [end for row in rows for ends in row.ends for end in ends])
    if axis is None:
        return None
    stacks: list[Stack] = []
    asides = list(_asides(rows))
    if len(rows) > MOST_ROWS:
        stacks = coverage(axis, ((row.ends, row.verdict.kept) for row in rows))
        kept = [row for row in rows if row.verdict.kept]
        rows = kept if len(kept) <= _MOST_KEPT_ROWS else []
    wanted = [_wanted(axis, leaf) for leaf in dict.fromkeys(tests) if isinstance(leaf, Leaf | Ranges)]
    # Slices without bounds are the last ones.
    rows.sort(key=lambda row: (not row.ends, row.ends))
    return RangeChart(column, axis, Chart(axis.ticks, stacks, axis.why_not, wanted), rows, asides)


def _row(verdict: SliceVerdict, column: str, read_as: HiveType) -> Row:
    known = [readable_statistics(file.statistics, column, read_as) for file in verdict.files]
    ends = sorted(of_file.bounds for of_file in known if of_file is not None and of_file.bounds is not None)
    unbounded = any(map(is_unbounded, known))
    return Row(verdict, ends, unbounded, _nulls(known))


def _nulls(known: Sequence[ColumnStatistics | None]) -> str:
    if all(of_file is not None and of_file.all_null for of_file in known):
        return "all"
    if any(of_file is not None and of_file.null_count for of_file in known):
        return "some"
    return "unknown" if any(of_file is None or of_file.null_count is None for of_file in known) else ""


def _bar(low: float, high: float) -> Bar:
    """A bar that is never too narrow to be seen."""
    left, right = across(low), across(high)
    middle, width = (left + right) / 2, max(right - left, _NARROWEST)
    return round(middle - width / 2, 2), round(width, 2)


def _wanted_bar(low: float | None, high: float | None) -> Bar:
    """A bar that goes on to the edge of the chart where it has no end."""
    left, width = _bar(0 if low is None else low, 1 if high is None else high)
    if low is None:
        left, width = 0, left + width
    return left, width if high is not None else 100 - left


def _wanted(axis: Axis, leaf: Leaf | Ranges) -> Wanted:
    outcomes = outcomes_of(leaf)
    remarks = ["NULL"] if outcomes.null else []
    if outcomes == NOT_NULL:
        return Wanted(node_text(leaf), (), "all values but NULL")
    ranges = outcomes.values.ranges
    inside = [span for wanted in ranges if (span := axis.span(wanted)) is not None]
    if outcomes.is_empty:
        remarks.append("no value, but a NaN may match" if leaf.type.kind is ValueKind.FLOAT else "no value")
    elif ranges and not inside:
        remarks.append("below or above all values of the files")
    elif len(inside) < len(ranges) and outcomes.values.as_points is not None:
        remarks.append(f"{len(ranges) - len(inside):,} of {len(ranges):,} are below or above all values")
    if len(inside) > _MOST_BARS:
        remarks.append(f"{len(inside):,} values or ranges, drawn from the first to the last")
        inside = [(inside[0][0], inside[-1][1])]
    return Wanted(node_text(leaf), [_wanted_bar(*span) for span in inside], "; ".join(remarks))


def _asides(rows: Sequence[Row]) -> Iterator[tuple[str, int, int]]:
    groups = {
        "not in the index yet": [row for row in rows if not row.verdict.slice.indexed],
        "bounds unknown": [row for row in rows if row.unbounded and row.verdict.slice.indexed],
        "NULL in each row": [row for row in rows if row.nulls == "all"],
        "NULL in some rows": [row for row in rows if row.nulls == "some"],
        "NULLs unknown": [row for row in rows if row.nulls == "unknown"],
    }
    for text, group in groups.items():
        if group:
            kept = sum(row.verdict.kept for row in group)
            yield text, kept, len(group) - kept
