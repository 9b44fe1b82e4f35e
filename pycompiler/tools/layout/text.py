"""A layout as lines for a terminal, and as a JSON document."""

from typing import Any

from pycompiler.one_line import one_line, table_lines
from pycompiler.tools.layout.overlap import Overlap
from pycompiler.tools.layout.table_layout import TableLayout


def layout_text(layout: TableLayout) -> list[str]:
    """Writes the files of a table, then a line for each column."""
    lines = [
        f"files   {len(layout.slices)}, {layout.size:,} bytes",
        f"index   {layout.source}",
        f"behind  {layout.not_indexed} files are not in the index, {layout.not_indexed_size:,} bytes",
    ]
    if layout.asked:
        known = [query for query in layout.asked if query.files]
        kept, files = sum(query.kept for query in known), sum(query.files for query in known)
        lines.append(f"queries {len(layout.asked)}, which opened {kept:,} of {files:,} files")
    rows = [("", "median", "90 %", "most", "unknown", "asked by", "")]
    for use in layout.columns:
        found = use.overlap
        depths = (str(found.median), str(found.quantile(0.9)), str(found.most))
        asked = str(use.asked) if layout.asked else ""
        rows.append((found.column, *depths, str(found.unbounded), asked, str(found.type)))
    lines += ["", "files read for one value of a column:"]
    return [*map(one_line, lines), *(f"  {row}" for row in table_lines(rows, right=range(1, 6)))]


def layout_document(path: str, layout: TableLayout) -> dict[str, Any]:
    """Builds the JSON document of a layout."""
    return {
        "path": path,
        "source": layout.source,
        "files": len(layout.slices),
        "bytes": layout.size,
        "files_not_indexed": layout.not_indexed,
        "bytes_not_indexed": layout.not_indexed_size,
        "columns": [{**_column(use.overlap), "asked": use.asked} for use in layout.columns],
        "queries": [
            {
                "text": query.text,
                "columns": sorted(query.columns),
                "files": query.files,
                "files_kept": query.kept,
                "bytes": query.size,
                "bytes_kept": query.kept_size,
                "problem": query.problem,
            }
            for query in layout.asked
        ],
    }


def _column(found: Overlap) -> dict[str, Any]:
    return {
        "column": found.column,
        "type": str(found.type),
        "files_read_median": found.median,
        "files_read_90": found.quantile(0.9),
        "files_read_most": found.most,
        "files_unknown": found.unbounded,
        "files_all_null": found.all_null,
        "files_with_null": found.with_null,
        "depths": [[depth, found.depths[depth]] for depth in sorted(found.depths)],
    }
