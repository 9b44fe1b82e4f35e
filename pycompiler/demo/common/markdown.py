"""Printed tables as Markdown, for a README."""

from __future__ import annotations

from rich.table import Table


def markdown(table: Table) -> str:
    """Returns a table whose cells are texts as Markdown."""
    headings = [str(column.header) for column in table.columns]
    rules = ["---:" if column.justify == "right" else "---" for column in table.columns]
    cells = zip(*(map(str, column.cells) for column in table.columns), strict=True)
    lines = [" | ".join(line).replace("\n", "<br>") for line in (headings, rules, *cells)]
    return "".join(f"| {line} |\n" for line in lines)
