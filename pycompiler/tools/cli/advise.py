"""`hudi-skip advise`: the layout of a table with which its queries would read least."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pycompiler.tools.cli.arguments.log_file import open_log
from pycompiler.tools.cli.arguments.queries_file import sql_text
from pycompiler.tools.cli.arguments.table_path import TableArgument, checked
from pycompiler.tools.cli.console.output import JsonOption, print_json, print_lines
from pycompiler.tools.cli.console.terminal import status_shown
from pycompiler.tools.cli.errors import CommandError
from pycompiler.tools.cli.explain import SqlDialect, TimeZoneOption, query_time
from pycompiler.tools.cli.running.spark import (
    DEFAULT_MASTER,
    BundleOption,
    ConfOption,
    MasterOption,
    PackagesOption,
    SparkOptions,
    spark_for,
)

if TYPE_CHECKING:
    from pycompiler.tools.advise.advice import LayoutAdvice
    from pycompiler.tools.advise.proof import Proof

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
    apply_to: Annotated[
        str | None,
        typer.Option(
            metavar="COPY",
            help="Copy the table to this path, let Hudi cluster the copy, and compare forecast and truth. "
            "Starts Spark.",
        ),
    ] = None,
    dialect: Annotated[SqlDialect, typer.Option(help="SQL dialect of the statements.")] = SqlDialect.HIVE,
    time_zone: TimeZoneOption = None,
    hudi_bundle: BundleOption = None,
    master: MasterOption = DEFAULT_MASTER,
    packages: PackagesOption = None,
    conf: ConfOption = None,
    json: JsonOption = False,
) -> None:
    """Find the layout with which a table's queries would read least. Changes nothing but the copy."""
    from pycompiler.index.file_systems.location import absolute
    from pycompiler.tools.advise.text import advice_document, advice_text

    checked(path)
    found = _advice(
        path, _statements(path, queries, log, dialect), name, file_size, dialect, query_time(time_zone)
    )
    options = SparkOptions(hudi_bundle, master, packages, conf)
    proof = None if apply_to is None else _proof(path, absolute(apply_to), found, options)
    if json:
        print_json(advice_document(path, found, proof))
    else:
        print_lines(advice_text(found, proof))


def _statements(path: str, queries: Path | None, log: Path | None, dialect: SqlDialect) -> list[str]:
    from pycompiler.compile.sql.from_sql import Dialect
    from pycompiler.index.file_systems.location import Location
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


def _advice(
    path: str,
    statements: list[str],
    name: list[str] | None,
    file_size: int | None,
    dialect: SqlDialect,
    now: datetime,
) -> LayoutAdvice:
    from pycompiler.compile.sql.from_sql import Dialect
    from pycompiler.index.file_systems.location import Location
    from pycompiler.tools.advise.advice import advise as advice_on

    with status_shown("reading statistics") as show:
        return advice_on(
            Location.parse(path),
            statements,
            frozenset(each.lower() for each in name or ()),
            now,
            lambda step, done, total: show(f"{step}: {done} of {total}"),
            dialect=Dialect(dialect.value),
            file_size=None if file_size is None else file_size * _MEGABYTE,
        )


def _proof(path: str, copy: str, found: LayoutAdvice, options: SparkOptions) -> Proof | None:
    if (best := found.best) is None:
        return None
    with spark_for(path, options, quiet=False) as (spark, _):
        from pycompiler.tools.advise.clustered_copy import prove

        return prove(spark, path, copy, best.layout, found)
