"""`hudi-skip explain`: which files a WHERE clause keeps, and why."""

from __future__ import annotations

from datetime import datetime
from enum import Enum
from typing import TYPE_CHECKING, Annotated
from zoneinfo import ZoneInfo

import typer

from pycompiler.cli.errors import CommandError, expecting
from pycompiler.cli.output import JsonOption, print_json
from pycompiler.cli.table_path import TableArgument, checked

if TYPE_CHECKING:
    from pycompiler.explain.explanation import Explanation, SliceVerdict


class SqlDialect(Enum):
    """Whose SQL the condition is written in."""

    HIVE = "hive"
    SPARK = "spark"


def explain(
    path: TableArgument,
    where: Annotated[
        str, typer.Option("--where", metavar="CONDITION", help="What stands after WHERE.", show_default=False)
    ],
    file: Annotated[
        str | None, typer.Option("--file", metavar="NAME", help="Also say why this file is kept or skipped.")
    ] = None,
    dialect: Annotated[SqlDialect, typer.Option(help="Whose SQL it is.")] = SqlDialect.HIVE,
    time_zone: Annotated[
        str | None,
        typer.Option(
            "--time-zone",
            metavar="ZONE",
            help="Time zone of the Hive session (hive.local.time.zone), which has a date of its own, such as "
            "America/New_York. Default: this machine's.",
            show_default=False,
        ),
    ] = None,
    read_optimized: Annotated[
        bool,
        typer.Option(
            "--read-optimized",
            help="Leave log files out, as tables with hoodie.query.as.ro.table=true do.",
        ),
    ] = False,
    json: JsonOption = False,
) -> None:
    """Show which files a condition keeps, by the index and the timeline; neither Hive nor Spark is needed."""
    from pycompiler.explain.document import explanation_document
    from pycompiler.explain.errors import ExplanationError
    from pycompiler.explain.explanation import explain_filter
    from pycompiler.explain.text import explanation_text
    from pycompiler.index.errors import IndexUnavailableError
    from pycompiler.index.storage.errors import UnsupportedStorageError
    from pycompiler.index.storage.location import Location
    from pycompiler.predicate.errors import FilterTooLargeError, SqlPredicateError
    from pycompiler.sql.from_sql import Dialect
    from pycompiler.table.errors import TableUnreadableError

    now = _now(time_zone)
    expected = (
        ExplanationError,
        TableUnreadableError,
        IndexUnavailableError,
        UnsupportedStorageError,
        FilterTooLargeError,
        OSError,
    )
    with expecting(*expected):
        try:
            table = Location.parse(checked(path))
            of_sql = Dialect(dialect.value)
            found = explain_filter(table, where, of_sql, now, is_read_optimized=read_optimized)
        except SqlPredicateError as error:
            raise CommandError(f"--where: {error}") from error
    verdict = None if file is None else _find(found, file)
    if json:
        print_json(explanation_document(path, found, verdict))
    else:
        print("\n".join(explanation_text(path, found, verdict, now)))


def _now(time_zone: str | None) -> datetime:
    if time_zone is None:
        return datetime.now().astimezone()
    try:
        return datetime.now(ZoneInfo(time_zone))
    except (KeyError, ValueError, OSError) as error:
        raise CommandError(f"--time-zone: no time zone {time_zone}; give one as Europe/Berlin") from error


def _find(found: Explanation, name: str) -> SliceVerdict:
    """Finds a slice by the path of one of its files relative to the table, its name, or how that begins."""
    matching = {
        file.path: verdict
        for verdict in found.slices.values()
        for file in verdict.files
        if file.path == name or file.path.rpartition("/")[2].startswith(name)
    }
    if not matching:
        raise CommandError(f"--file: the table has no file {name} now")
    slices = {verdict.path: verdict for verdict in matching.values()}
    if len(slices) > 1 and name not in matching:
        raise CommandError(
            f"--file: {len(matching)} files begin with {name}; give the path, as {next(iter(matching))}"
        )
    return matching.get(name) or next(iter(slices.values()))
