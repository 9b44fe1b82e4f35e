"""`hudi-skip layout`: how many files hold the same values, and what queries opened."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pycompiler.index.file_systems.location import Location
from pycompiler.tools.cli.arguments import HtmlOption, JsonOption, TableArgument, checked, open_log, sql_text
from pycompiler.tools.cli.console.output import show
from pycompiler.tools.cli.errors import CommandError

_MOST_SCANS = 1000
"""Of a log, only so many of the latest."""


def layout(
    path: TableArgument,
    column: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Only look at this column; may be repeated. Default: all columns."),
    ] = None,
    log: Annotated[
        Path | None,
        typer.Option(
            help="Also show what queries asked: log file of HiveServer2 or a Tez application master."
        ),
    ] = None,
    queries: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Also show what these queries of the table would open: SQL, with semicolons; - reads "
            "standard input.",
        ),
    ] = None,
    html: HtmlOption = None,
    json: JsonOption = False,
) -> None:
    """Show, for each column, how many files a query for one value reads. Starts neither Hive nor Spark."""
    from pycompiler.compile.predicate.errors import SqlPredicateError
    from pycompiler.tools.layout.table_layout import table_layout
    from pycompiler.tools.layout.text import layout_document, layout_text
    from pycompiler.tools.scan_log.scans import Scan, scans_in

    scans: list[Scan] = []
    if log is not None:
        with open_log(str(log)) as lines:
            scans = scans_in(lines, last=_MOST_SCANS)
    sql = "" if queries is None else sql_text(queries)
    table = Location.parse(checked(path))
    try:
        found = table_layout(table, columns=column or (), scans=scans, sql=sql)
    except SqlPredicateError as error:
        raise CommandError(f"--queries: {error}") from error
    if html is not None:
        from pycompiler.tools.pages.layout_page import page_of_layout

        page_of_layout(path, found).write(html)
    show(layout_document(path, found), layout_text(found), json=json)
