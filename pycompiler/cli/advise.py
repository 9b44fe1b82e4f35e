"""`hudi-skip advise`: the layout of a table with which its queries would read least."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pycompiler.cli.arguments.log_file import open_log
from pycompiler.cli.arguments.queries_file import sql_text
from pycompiler.cli.arguments.table_path import TableArgument, checked
from pycompiler.cli.console.output import JsonOption, print_error, print_json, print_json_line, print_lines
from pycompiler.cli.console.terminal import status_shown
from pycompiler.cli.errors import CommandError
from pycompiler.cli.explain import SqlDialect, TimeZoneOption, query_time
from pycompiler.cli.spark import (
    DEFAULT_MASTER,
    BundleOption,
    ConfOption,
    MasterOption,
    PackagesOption,
    SparkOptions,
    spark_for,
)

if TYPE_CHECKING:
    from pycompiler.advise.advice import LayoutAdvice
    from pycompiler.advise.proof import Proof

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
    watch: Annotated[
        float | None,
        typer.Option(
            min=0.01,
            metavar="MINUTES",
            help="Look again after so many minutes, until interrupted. Advises again if the table or its "
            "queries have changed.",
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

    checked(path)
    source = _Queries(queries, log, dialect)
    source.check(watched=watch is not None)

    def advice_on(statements: Sequence[str]) -> LayoutAdvice:
        return _advice(path, statements, name, file_size, dialect, query_time(time_zone))

    if watch is not None:
        if apply_to is not None:
            raise CommandError("--watch changes nothing; run --apply-to by itself when a layout is advised")
        _watch(path, source, advice_on, watch, json=json)
        return
    found = advice_on(source.statements(path))
    options = SparkOptions(hudi_bundle, master, packages, conf)
    _print(path, found, None if apply_to is None else _proof(path, absolute(apply_to), found, options), json)


@dataclass(frozen=True, slots=True)
class _Queries:
    """Where a table's queries are."""

    file: Path | None
    log: Path | None
    dialect: SqlDialect

    def check(self, *, watched: bool) -> None:
        """Refuses options that contradict each other.

        Raises:
            CommandError: They do.
        """
        if (self.file is None) == (self.log is None):
            raise CommandError("give the table's queries with either --queries or --log")
        if watched and str(self.file) == "-":
            raise CommandError("--watch reads the queries again and again; give a file, not standard input")

    def statements(self, path: str) -> list[str]:
        """Reads them.

        Raises:
            CommandError: There are none.
        """
        from pycompiler.advise.errors import AdviceError
        from pycompiler.advise.workload import statements_in, statements_logged
        from pycompiler.index.file_systems.location import Location
        from pycompiler.sql.from_sql import Dialect

        try:
            if self.file is not None:
                return statements_in(sql_text(self.file), Dialect(self.dialect.value))
            assert self.log is not None
            with open_log(str(self.log)) as lines:
                return statements_logged(lines, Location.parse(path))
        except AdviceError as error:
            raise CommandError(f"{self.file or self.log}: {error}") from error


def _watch(
    path: str,
    queries: _Queries,
    advice_on: Callable[[Sequence[str]], LayoutAdvice],
    minutes: float,
    *,
    json: bool,
) -> None:
    from pycompiler.advise.report.text import advice_document, unchanged_text
    from pycompiler.advise.watch import Occasion, Round, rounds
    from pycompiler.index.file_systems.location import Location
    from pycompiler.table.timeline import Timeline

    def read() -> Occasion:
        return Occasion(tuple(queries.statements(path)), Timeline.of(Location.parse(path)).entries)

    found = rounds(read, lambda now: advice_on(now.statements), lambda: time.sleep(60 * minutes))
    for each in found:
        at = datetime.now().isoformat(sep=" ", timespec="seconds")
        match each:
            case Round(advice) if json:
                print_json_line({"time": at, **advice_document(path, advice, None)})
            case Round(advice, is_new=True):
                print_lines([f"{at}:"])
                _print(path, advice, None, json)
            case Round(advice):
                print_lines([f"{at}: {unchanged_text(advice)}"])
            case error:
                print_error(f"{at}: {error}")
        sys.stdout.flush()


def _print(path: str, found: LayoutAdvice, proof: Proof | None, json: bool) -> None:
    from pycompiler.advise.report.text import advice_document, advice_text

    if json:
        print_json(advice_document(path, found, proof))
    else:
        print_lines(advice_text(path, found, proof))


def _advice(
    path: str,
    statements: Sequence[str],
    name: list[str] | None,
    file_size: int | None,
    dialect: SqlDialect,
    now: datetime,
) -> LayoutAdvice:
    from pycompiler.advise.advice import advise as advice_on
    from pycompiler.index.file_systems.location import Location
    from pycompiler.sql.from_sql import Dialect

    with status_shown("reading statistics") as show:
        return advice_on(
            Location.parse(path),
            list(statements),
            frozenset(each.lower() for each in name or ()),
            now,
            lambda step, done, total: show(f"{step}: {done} of {total}"),
            dialect=Dialect(dialect.value),
            file_size=None if file_size is None else file_size * _MEGABYTE,
        )


def _proof(path: str, copy: str, found: LayoutAdvice, options: SparkOptions) -> Proof | None:
    if found.best is None and not found.index.added:
        return None
    with spark_for(path, options, quiet=False) as (spark, _):
        from pycompiler.advise.clustered_copy import prove

        return prove(spark, path, copy, found)
