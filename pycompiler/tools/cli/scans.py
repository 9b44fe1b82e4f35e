"""`hudi-skip scans`: what the last queries read, from the handler's log."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from pycompiler.one_line import table_lines
from pycompiler.tools.cli.arguments import WHICH_LOG, HtmlOption, JsonOption, open_log
from pycompiler.tools.cli.console.output import show
from pycompiler.tools.cli.errors import CommandError

if TYPE_CHECKING:
    from pycompiler.tools.scan_log.scans import Scan

_MEGABYTE = 1_000_000
_SHOWN = 10
"""Scans that are printed if no number is given."""


def scans(
    log: Annotated[
        str,
        typer.Argument(
            metavar="LOG",
            help="Log file of HiveServer2 or a Tez application master; - reads standard input.",
        ),
    ],
    tag: Annotated[
        str | None, typer.Option(help="Only show scans of queries with this hive.query.tag.")
    ] = None,
    query: Annotated[str | None, typer.Option(help="Only show scans of the query with this id.")] = None,
    last: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Maximum number of scans to show, latest last. Default: 10; for a page, all.",
            show_default=False,
        ),
    ] = None,
    html: HtmlOption = None,
    json: JsonOption = False,
) -> None:
    """Show what the storage handler's recent scans read, and why: one line per scan, latest last."""
    from pycompiler.tools.scan_log.scans import scans_in

    with open_log(log) as lines:
        found = scans_in(lines, tag=tag, query=query, last=last or (_SHOWN if html is None else None))
    if not found:
        options = {"--tag": tag, "--query": query}
        chosen = " and ".join(f"{name} {value}" for name, value in options.items() if value)
        remedy = f"specify {WHICH_LOG} that has queried a handler table, with level INFO for io.hudiskip.scan"
        raise CommandError(
            f"no scans in {'standard input' if log == '-' else log}"
            + (f" with {chosen}; to see the latest of all, leave the option out" if chosen else f"; {remedy}")
        )
    if html is not None:
        from pycompiler.tools.pages.scans_page import page_of_scans

        page_of_scans(log, found, html.parent).write(html)
        found = found[-(last or _SHOWN) :]
    cells = table_lines([_cells(scan) for scan in found], right=(0, 1))
    show({"scans": [scan.document() for scan in found]}, cells, json=json)


def _cells(scan: Scan) -> tuple[str, ...]:
    return (
        f"{scan.kept} of {scan.files} files",
        f"{scan.kept_size / _MEGABYTE:.1f} of {scan.size / _MEGABYTE:.1f} MB",
        scan.table,
        f"{scan.covered} counted" if scan.covered else "",
        f"{scan.not_indexed} not indexed" if scan.not_indexed else "",
        f"joins {scan.joins}" if scan.joins else "",
        f"tag {scan.tag}" if scan.tag else "",
        " ".join(filter(None, (scan.mode and f"{scan.mode}:", scan.expression or scan.reason))),
    )
