"""The files of a table over the values of one column: which ranges they have, and which are kept."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from pycompiler.compile.expression.evaluator import readable_statistics
from pycompiler.compile.expression.model import ColumnTest, Leaf, Ranges
from pycompiler.compile.expression.render import node_text
from pycompiler.compile.expression.statistics import ColumnStatistics
from pycompiler.compile.planner.generator import outcomes_of
from pycompiler.compile.values.outcomes import NOT_NULL
from pycompiler.compile.values.types import HiveType, ValueKind
from pycompiler.one_line import one_line
from pycompiler.tools.explain.explanation import SliceVerdict
from pycompiler.tools.explain.text import statistics_text
from pycompiler.tools.pages.axis import Axis, Tick
from pycompiler.tools.pages.bins import Bin, across, bins_of
from pycompiler.tools.pages.coverage import coverage

MOST_ROWS: Final = 300
"""A chart of more slices has bins; of these it draws the kept ones in rows if they are few."""
_MOST_KEPT_ROWS: Final = 60
_NARROWEST: Final = 0.3
"""A bar, in percent of the chart's width."""
_MOST_BARS: Final = 200
"""Wanted ranges beyond this number are drawn as one."""

Bar = tuple[float, float]
"""Where it begins, and its width, both in percent."""


class Nulls(Enum):
    """What is known of NULLs in a slice; the value is how a row names it."""

    NONE = ""
    SOME = "some"
    ALL = "all"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Row:
    """A slice.

    Attributes:
        kept: Whether a query reads it.
        bars: The ranges of its files.
        unbounded: Whether a file of it may hold any value, as far as is known.
        nulls: Whether it has NULLs.
        label: Its path, the verdict and the bounds of its files.
    """

    kept: bool
    bars: tuple[Bar, ...]
    unbounded: bool
    nulls: Nulls
    label: str


@dataclass(frozen=True, slots=True)
class Wanted:
    """The values for which a leaf is true.

    Attributes:
        text: The leaf.
        bars: Where they are.
        remark: What cannot be drawn: values outside the axis, and NULL.
    """

    text: str
    bars: tuple[Bar, ...]
    remark: str


@dataclass(frozen=True, slots=True)
class Aside:
    """Slices that the axis alone does not show: how many there are, kept and skipped."""

    text: str
    kept: int
    skipped: int


@dataclass(frozen=True, slots=True)
class RangeChart:
    """The chart of a column.

    Attributes:
        ticks: Labels below the axis.
        not_to_scale: Why the axis is not to scale, if it is not.
        wanted: The values that the condition asks for.
        rows: Slices, by their first value.
        bins: Sections of the axis, for all slices; empty if there is a row for each.
        most: Slices in the fullest bin.
        asides: NULLs and unknown bounds.
    """

    column: str
    type: HiveType
    ticks: Sequence[Tick]
    not_to_scale: str
    wanted: Sequence[Wanted]
    rows: Sequence[Row]
    bins: Sequence[Bin]
    most: int
    asides: Sequence[Aside]


@dataclass(frozen=True, slots=True)
class _Extent:
    """What is known of a column in a slice; ends are encoded."""

    verdict: SliceVerdict
    ends: tuple[tuple[bytes, bytes], ...]
    unbounded: bool
    nulls: Nulls


def range_chart(
    column: str, slices: Iterable[SliceVerdict], leaves: Iterable[ColumnTest]
) -> RangeChart | None:
    """Draws a column of the condition; None if nothing is known of it in any file."""
    tests = [leaf for leaf in leaves if column in dict(leaf.columns)]
    read_as = next(dict(leaf.columns)[column] for leaf in tests)
    extents = [_extent(verdict, column, read_as) for verdict in slices]
    axis = Axis.of(read_as, [end for extent in extents for ends in extent.ends for end in ends])
    if axis is None:
        return None
    in_rows = extents
    bins: list[Bin] = []
    most = 0
    if len(extents) > MOST_ROWS:
        stacks = coverage(axis, ((extent.ends, extent.verdict.kept) for extent in extents))
        bins, most = bins_of(stacks), max(stack.height for stack in stacks)
        kept = [extent for extent in extents if extent.verdict.kept]
        in_rows = kept if len(kept) <= _MOST_KEPT_ROWS else []
    return RangeChart(
        column=column,
        type=read_as,
        ticks=axis.ticks,
        not_to_scale=axis.why_not,
        wanted=[_wanted(axis, leaf) for leaf in dict.fromkeys(tests) if isinstance(leaf, Leaf | Ranges)],
        rows=[_row(axis, column, extent) for extent in sorted(in_rows, key=_first_value)],
        bins=bins,
        most=most,
        asides=list(_asides(extents)),
    )


def slice_label(verdict: SliceVerdict, columns: Sequence[str]) -> str:
    """A slice in lines: its path and the verdict, then what is known of some columns in each file."""
    word = "kept" if verdict.kept else "skipped"
    if not verdict.slice.indexed:
        word += ", because the index does not cover it yet"
    lines = [f"{verdict.path}: {word}"]
    for file in verdict.files:
        name = f"{file.path.rpartition('/')[2]}: " if len(verdict.files) > 1 else ""
        lines += (f"{name}{statistics_text(column, file.statistics.get(column))}" for column in columns)
    return "\n".join(map(one_line, lines))


def _extent(verdict: SliceVerdict, column: str, read_as: HiveType) -> _Extent:
    known = [readable_statistics(file.statistics, column, read_as) for file in verdict.files]
    ends = [of_file.bounds for of_file in known if of_file is not None and of_file.bounds is not None]
    unbounded = any(of_file is None or (of_file.bounds is None and not of_file.all_null) for of_file in known)
    return _Extent(verdict, tuple(sorted(ends)), unbounded, _nulls(known))


def _first_value(extent: _Extent) -> tuple[bool, tuple[tuple[bytes, bytes], ...]]:
    """For the order of rows; slices without bounds are the last ones."""
    return not extent.ends, extent.ends


def _nulls(known: Sequence[ColumnStatistics | None]) -> Nulls:
    if all(of_file is not None and of_file.all_null for of_file in known):
        return Nulls.ALL
    if any(of_file is not None and of_file.null_count for of_file in known):
        return Nulls.SOME
    if any(of_file is None or of_file.null_count is None for of_file in known):
        return Nulls.UNKNOWN
    return Nulls.NONE


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


def _row(axis: Axis, column: str, extent: _Extent) -> Row:
    bars = tuple(_bar(axis.position(low), axis.position(high)) for low, high in extent.ends)
    label = slice_label(extent.verdict, [column])
    return Row(extent.verdict.kept, bars, extent.unbounded, extent.nulls, label)


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
    return Wanted(node_text(leaf), tuple(_wanted_bar(*span) for span in inside), "; ".join(remarks))


def _asides(extents: Sequence[_Extent]) -> Iterator[Aside]:
    groups: Mapping[str, list[_Extent]] = {
        "not in the index yet": [one for one in extents if not one.verdict.slice.indexed],
        "bounds unknown": [one for one in extents if one.unbounded and one.verdict.slice.indexed],
        "NULL in each row": [one for one in extents if one.nulls is Nulls.ALL],
        "NULL in some rows": [one for one in extents if one.nulls is Nulls.SOME],
        "NULLs unknown": [one for one in extents if one.nulls is Nulls.UNKNOWN],
    }
    for text, group in groups.items():
        if group:
            kept = sum(one.verdict.kept for one in group)
            yield Aside(text, kept, len(group) - kept)
