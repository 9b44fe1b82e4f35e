"""The page of `hudi-skip explain`: a third form of an explanation, beside text and JSON."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Final

from pycompiler.compile.expression.model import COLUMN_SEPARATOR, Group, Never, Unknown
from pycompiler.compile.predicate.text import shorten
from pycompiler.one_line import one_line
from pycompiler.tools.explain.document import explanation_document, statistics_data
from pycompiler.tools.explain.explanation import Explanation, NodeVerdict
from pycompiler.tools.explain.text import plan_text, statistics_text, verdict_lines
from pycompiler.tools.explain.verdicts import SliceVerdict
from pycompiler.tools.pages.charts import MOST_ROWS, range_chart
from pycompiler.tools.pages.page import Page, quoted, rendered

_MOST_CHARTS: Final = 8
_MOST_COLUMNS: Final = 8
"""Of the table of files."""
_MOST_TEXT: Final = 4000
"""Characters of the condition."""
_MOST_PARTS: Final = 500


def page_of_explanation(
    path: str,
    where: str,
    found: Explanation,
    verdict: SliceVerdict | None,
    now: datetime,
    document: Mapping[str, Any] | None = None,
) -> Page:
    """Draws an explanation of a condition on a table, and of one file slice if there is a verdict on it.

    `document` is that of the explanation if it has been built.
    """
    document = document or explanation_document(path, found, verdict, now)
    leaves = list(found.expression.leaves())
    slices = list(found.slices.values())
    columns = columns_by_effect(found.nodes)
    charts = [chart for column in columns if (chart := range_chart(column, slices, leaves)) is not None]

    def known_of(verdict: SliceVerdict, column: str) -> list[str]:
        known = (statistics_data(file.statistics.get(column)) for file in verdict.files)
        return [one_line(statistics_text(of_file)) for of_file in known]

    return rendered(
        "explanation",
        f"{document['files_kept']:,} of {len(slices):,} files read: {path}",
        document=document,
        where=shorten(where, _MOST_TEXT),
        files=len(slices),
        kept=document["files_kept"],
        plan=plan_text(document["plan"]) if "plan" in document else "",
        parts=document["nodes"][:_MOST_PARTS],
        charts_of=charts[:_MOST_CHARTS],
        not_drawn=[chart.column for chart in charts[_MOST_CHARTS:]],
        without_bounds=sorted({*columns} - {chart.column for chart in charts}),
        columns=columns[:_MOST_COLUMNS],
        # All of them if they are few; else those that a query reads.
        listed=[each for each in slices if len(slices) <= MOST_ROWS or each.kept][:MOST_ROWS],
        known_of=known_of,
        verdict=None if verdict is None else "\n".join(verdict_lines(document["file"], verdict)),
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
