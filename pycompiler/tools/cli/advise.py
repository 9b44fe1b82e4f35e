"""`hudi-skip advise`: the layout of a table with which its queries would read least."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pycompiler.index.file_systems.location import Location
from pycompiler.tools.cli.arguments import (
    JsonOption,
    SqlDialect,
    TableArgument,
    TimeZoneOption,
    checked,
    open_log,
    query_time,
    sql_text,
)
from pycompiler.tools.cli.console.output import progress_lines, show
from pycompiler.tools.cli.errors import CommandError

_MEGABYTE = 1_000_000


def advise(
    path: TableArgument,
    queries: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Statements, or conditions as after WHERE, that end with semicolons; - reads standard "
            "input. One that is there twice counts twice.",
        ),
    ] = None,
    log: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="HiveServer2's log: the queries that have read this table."),
    ] = None,
    name: Annotated[
        list[str] | None,
        typer.Option(
            metavar="TABLE",
            help="Name of the table in the statements, without a database. May be repeated. Default: Hudi's "
            "name of the table, and the last part of PATH.",
        ),
    ] = None,
    file_size: Annotated[
        int | None,
        typer.Option(
            min=1, metavar="MB", help="Size of a new file. Default: the mean of today's, at most 134 MB."
        ),
    ] = None,
    dialect: Annotated[SqlDialect, typer.Option(help="SQL dialect of the statements.")] = SqlDialect.HIVE,
    time_zone: TimeZoneOption = None,
    json: JsonOption = False,
) -> None:
    """Find the layout with which a table's queries would read least. Changes nothing."""
    from pycompiler.compile.sql.from_sql import Dialect
    from pycompiler.tools.advise.advice import advise as advice_on
    from pycompiler.tools.advise.text import advice_document, advice_text

    tell = progress_lines()
    found = advice_on(
        Location.parse(checked(path)),
        _statements(path, queries, log, dialect),
        frozenset(each.lower() for each in name or ()),
        query_time(time_zone),
        lambda step, done, total: tell(f"{step}: {done} of {total}"),
        dialect=Dialect(dialect.value),
        file_size=None if file_size is None else file_size * _MEGABYTE,
    )
    document = advice_document(path, found)
    show(document, advice_text(document), json=json)


def _statements(path: str, queries: Path | None, log: Path | None, dialect: SqlDialect) -> list[str]:
    from pycompiler.compile.sql.from_sql import Dialect
    from pycompiler.tools.advise.errors import AdviceError
    from pycompiler.tools.advise.workload import statements_in, statements_logged

    try:
        match queries, log:
            case Path(), None:
                return statements_in(sql_text(queries), Dialect(dialect.value))
            case None, Path():
                with open_log(str(log)) as lines:
                    return statements_logged(lines, Location.parse(path))
            case _:
                raise CommandError("give the table's queries with either --queries or --log")
    except AdviceError as error:
        raise CommandError(f"{queries or log}: {error}") from error
