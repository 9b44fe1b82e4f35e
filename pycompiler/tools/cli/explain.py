"""`hudi-skip explain`: which files a WHERE clause keeps, and why."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pycompiler.index.file_systems.location import Location
from pycompiler.tools.cli.arguments import (
    HtmlOption,
    JsonOption,
    SqlDialect,
    TableArgument,
    TimeZoneOption,
    checked,
    query_time,
    sql_text,
)
from pycompiler.tools.cli.console.output import show
from pycompiler.tools.cli.errors import CommandError, remedy_for_damage

if TYPE_CHECKING:
    from pycompiler.tools.explain.explanation import Explanation
    from pycompiler.tools.explain.verdicts import SliceVerdict


def explain(
    path: TableArgument,
    where: Annotated[
        str | None, typer.Option(metavar="CONDITION", help="Condition, as written after WHERE.")
    ] = None,
    where_file: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="File with the condition, of any length; - reads standard input."),
    ] = None,
    file: Annotated[
        str | None, typer.Option(metavar="NAME", help="Also explain why this file is kept or skipped.")
    ] = None,
    dialect: Annotated[SqlDialect, typer.Option(help="SQL dialect of the condition.")] = SqlDialect.HIVE,
    time_zone: TimeZoneOption = None,
    read_optimized: Annotated[
        bool,
        typer.Option(
            "--read-optimized",
            help="Read base files only, as queries on tables with hoodie.query.as.ro.table=true do.",
        ),
    ] = False,
    html: HtmlOption = None,
    json: JsonOption = False,
) -> None:
    """Show which files a condition keeps, and why. Starts neither Hive nor Spark."""
    from pycompiler.compile.predicate.errors import SqlPredicateError
    from pycompiler.compile.sql.from_sql import Dialect
    from pycompiler.tools.explain.document import explanation_document
    from pycompiler.tools.explain.explanation import explain_filter
    from pycompiler.tools.explain.text import explanation_text

    if (where is None) == (where_file is None):
        raise typer.BadParameter("give the condition with either --where or --where-file")
    now = query_time(time_zone)
    condition = where if where is not None else sql_text(where_file or Path("-"))
    try:
        table = Location.parse(checked(path))
        with remedy_for_damage(path):
            found = explain_filter(
                table, condition, Dialect(dialect.value), now, is_read_optimized=read_optimized
            )
    except SqlPredicateError as error:
        raise CommandError(f"{'--where' if where_file is None else '--where-file'}: {error}") from error
    verdict = None if file is None else _find(found, file)
    document = explanation_document(path, found, verdict, now)
    if html is not None:
        from pycompiler.tools.pages.explanation_page import page_of_explanation

        page_of_explanation(path, condition, found, verdict, now, document).write(html)
    show(document, explanation_text(document, verdict), json=json)


def _find(found: Explanation, name: str) -> SliceVerdict:
    """Finds a slice by the relative path, the name, or a prefix of the name, of one of its files."""
    matching = {
        file.path: verdict
        for verdict in found.slices.values()
        for file in verdict.slice.files
        if file.path == name or file.path.rpartition("/")[2].startswith(name)
    }
    if not matching:
        raise CommandError(f"--file: the table currently has no file {name}")
    slices = {verdict.slice.path: verdict for verdict in matching.values()}
    if len(slices) > 1 and name not in matching:
        raise CommandError(
            f"--file: the names of {len(matching)} files begin with {name}; specify a path, such as"
            f" {next(iter(matching))}"
        )
    return matching.get(name) or next(iter(slices.values()))
