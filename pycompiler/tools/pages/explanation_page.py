"""The page of `hudi-skip explain`: a third form of an explanation, beside text and JSON."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from pycompiler.compile.expression.model import COLUMN_SEPARATOR, Group, Never, Unknown
from pycompiler.compile.expression.render import node_text
from pycompiler.compile.predicate.text import describe_filter, shorten
from pycompiler.one_line import one_line
from pycompiler.tools.explain.explanation import Explanation, NodeVerdict, SliceVerdict
from pycompiler.tools.explain.rules import rule_in_words
from pycompiler.tools.explain.text import notes_on, plan_text, statistics_text, verdict_lines
from pycompiler.tools.pages.commands import quoted
from pycompiler.tools.pages.page import Page, rendered
from pycompiler.tools.pages.range_chart import MOST_ROWS, range_chart

_MOST_CHARTS: Final = 8
_MOST_COLUMNS: Final = 8
"""Of the table of files."""
_MOST_FILES: Final = MOST_ROWS
_MOST_TEXT: Final = 4000
"""Characters of the condition."""
_MOST_PARTS: Final = 500
_DEEPEST: Final = 10
"""Parts further down are not indented more."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the condition: when it keeps a file, and how many it keeps. The root's depth is 0."""

    depth: int
    text: str
    rule: str
    kept: int


@dataclass(frozen=True, slots=True)
class FileRow:
    """A slice in the table of files; `known` has the statistics of each file for each column."""

    path: str
    kept: bool
    size: int
    known: Sequence[Sequence[str]]


def page_of_explanation(
    path: str, where: str, found: Explanation, verdict: SliceVerdict | None, now: datetime
) -> Page:
    """Draws an explanation of a condition on a table, and of one file slice if there is a verdict on it."""
    leaves = list(found.expression.leaves())
    slices = list(found.slices.values())
    columns = columns_by_effect(found.nodes)
    charts = [chart for column in columns if (chart := range_chart(column, slices, leaves)) is not None]
    # All of them if they are few; else those that a query reads.
    listed = [each for each in slices if len(slices) <= _MOST_FILES or each.kept][:_MOST_FILES]
    kept = found.slices_kept
    return rendered(
        "explanation",
        f"{kept:,} of {len(slices):,} files read: {path}",
        path=path,
        where=shorten(where, _MOST_TEXT),
        understood=one_line(describe_filter(found.predicate)),
        found=found,
        # Counted once, because a table may have 100,000 slices.
        kept=kept,
        bytes_kept=found.bytes_kept,
        bytes_total=found.bytes_total,
        not_indexed=found.slices_not_indexed,
        with_logs=found.slices_with_logs,
        files=len(slices),
        notes=[one_line(note) for note in notes_on(path, found, now)],
        plan="" if found.partitions is None else plan_text(found.partitions),
        parts=[_part(node) for node in found.nodes[:_MOST_PARTS]],
        more_parts=max(len(found.nodes) - _MOST_PARTS, 0),
        charts_of=charts[:_MOST_CHARTS],
        not_drawn=[chart.column for chart in charts[_MOST_CHARTS:]],
        without_bounds=sorted({*columns} - {chart.column for chart in charts}),
        columns=columns[:_MOST_COLUMNS],
        listed=[_file_row(each, columns[:_MOST_COLUMNS]) for each in listed],
        verdict=None if verdict is None else "\n".join(verdict_lines(verdict)),
        command=shorten(f"hudi-skip explain {quoted(path)} --where {quoted(where)}", _MOST_TEXT),
        now=now,
    )


def columns_by_effect(nodes: Iterable[NodeVerdict]) -> list[str]:
    """The columns of the condition; first those by which most files are skipped: they explain most."""
    kept: dict[str, int] = {}
    for verdict in nodes:
        if not isinstance(verdict.node, Group | Unknown | Never):
            for column, _ in verdict.node.columns:
                kept[column] = max(verdict.kept, kept.get(column, 0))
    # A record of several columns together, such as `lat,lon`, has no place on an axis.
    return sorted(
        (column for column in kept if COLUMN_SEPARATOR not in column), key=lambda each: (kept[each], each)
    )


def _part(verdict: NodeVerdict) -> Part:
    node = verdict.node
    return Part(min(verdict.depth, _DEEPEST), one_line(node_text(node)), rule_in_words(node), verdict.kept)


def _file_row(verdict: SliceVerdict, columns: Sequence[str]) -> FileRow:
    return FileRow(
        one_line(verdict.path),
        verdict.kept,
        verdict.slice.size,
        [list(_known(verdict, column)) for column in columns],
    )


def _known(verdict: SliceVerdict, column: str) -> Iterator[str]:
    return (one_line(statistics_text("", file.statistics.get(column))) for file in verdict.files)
