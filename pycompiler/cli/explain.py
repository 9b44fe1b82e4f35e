"""`hudi-skip explain`: which files a WHERE clause keeps, and why."""

from __future__ import annotations

from datetime import datetime
from enum import Enum
from typing import TYPE_CHECKING, Annotated, Any
from zoneinfo import ZoneInfo

import typer

from pycompiler.cli.errors import CommandError, expecting
from pycompiler.cli.output import JsonOption, print_json
from pycompiler.cli.table_path import TableArgument, checked

if TYPE_CHECKING:
    from pycompiler.cli.explanation import Explanation, FileVerdict
    from pycompiler.expression.statistics import ColumnStatistics


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
    json: JsonOption = False,
) -> None:
    """Show which files a condition keeps, by the index and the timeline; neither Hive nor Spark is needed."""
    from pycompiler.cli.explanation import ExplanationError, explain_filter
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
            found = explain_filter(Location.parse(checked(path)), where, Dialect(dialect.value), now)
        except SqlPredicateError as error:
            raise CommandError(f"--where: {error}") from error
    verdict = None if file is None else _find(found, file)
    if json:
        print_json(_data(path, found, verdict))
    else:
        _print(path, found, verdict, now)


def _now(time_zone: str | None) -> datetime:
    if time_zone is None:
        return datetime.now().astimezone()
    try:
        return datetime.now(ZoneInfo(time_zone))
    except (KeyError, ValueError, OSError) as error:
        raise CommandError(f"--time-zone: no time zone {time_zone}; give one as Europe/Berlin") from error


def _find(found: Explanation, name: str) -> FileVerdict:
    """Finds a file by its path relative to the table, its name, or the beginning of its name."""
    matching = [
        verdict
        for path, verdict in found.files.items()
        if path == name or path.rpartition("/")[2].startswith(name)
    ]
    if not matching:
        raise CommandError(f"--file: the table has no base file {name} now")
    if len(matching) > 1 and all(verdict.path != name for verdict in matching):
        raise CommandError(
            f"--file: {len(matching)} files begin with {name}; give the path, as {matching[0].path}"
        )
    return next((verdict for verdict in matching if verdict.path == name), matching[0])


def _print(path: str, found: Explanation, verdict: FileVerdict | None, now: datetime) -> None:
    from pycompiler.cli.explanation_text import explanation_lines
    from pycompiler.expression.render import node_text
    from pycompiler.one_line import one_line
    from pycompiler.predicate.text import describe_filter

    total = len(found.files)
    lines = explanation_lines(
        understood=describe_filter(found.predicate),
        kept=found.files_kept,
        files=total,
        generation=found.generation,
        instant=found.instant,
        rewrites=found.rewrites,
        nodes=[(node.depth, node_text(node.node), node.kept) for node in found.nodes],
        unused=found.unused,
        bytes_kept=found.bytes_kept,
        bytes_total=found.bytes_total,
        notes=_notes(path, found, now),
        advice=found.advice,
    )
    print("\n".join(lines))
    if verdict is not None:
        print(f"\n{verdict.path} is {'kept' if verdict.kept else 'skipped'}:")
        for leaf in verdict.leaves():
            word = "keeps" if leaf.keeps else "skips"
            known = "; ".join(
                _statistics_text(column if len(leaf.statistics) > 1 else "", of_column)
                for column, of_column in leaf.statistics.items()
            )
            print(one_line(f"  {word}  {node_text(leaf.leaf)}  ({known})"))


def _notes(path: str, found: Explanation, now: datetime) -> list[str]:
    notes = []
    update = f"run: hudi-skip index update {path}"
    if not found.files:
        notes.append("the table has no base files: a query reads nothing")
    if found.files_not_indexed:
        notes.append(
            f"the index is behind the table: {found.files_not_indexed} of {len(found.files)} files are "
            f"not in it, and are read whole; {update}"
        )
    if not found.complete:
        notes.append(
            "the table may have more files: commits that the index has not seen are archived, and are not "
            f"looked up; {update}"
        )
    if found.reads_clock:
        notes.append(f"it is {now:%Y-%m-%d %H:%M} in the time zone {now.tzinfo}; --time-zone names Hive's")
    return notes


def _statistics_text(column: str, statistics: ColumnStatistics | None) -> str:
    from pycompiler.expression.render import value_text

    of_column = f"{column} " if column else ""
    if statistics is None:
        return f"{of_column}no statistics"
    ends = [statistics.lower, statistics.upper]
    lower, upper = ("unknown" if end is None else value_text(statistics.type, end) for end in ends)
    nulls = "unknown" if statistics.null_count is None else statistics.null_count
    text = f"{of_column}{statistics.type}: {lower} to {upper}, {nulls} of {statistics.value_count} NULL"
    return text if statistics.nan_count is None else f"{text}, {statistics.nan_count} NaN"


def _data(path: str, found: Explanation, verdict: FileVerdict | None) -> dict[str, Any]:
    from pycompiler.expression.render import node_text
    from pycompiler.predicate.text import describe_filter

    data: dict[str, Any] = {
        "path": path,
        "generation": found.generation,
        "instant": found.instant,
        "filter": describe_filter(found.predicate),
        "files_total": len(found.files),
        "files_kept": found.files_kept,
        "files_live": found.files_live,
        "files_not_indexed": found.files_not_indexed,
        "files_complete": found.complete,
        "bytes_total": found.bytes_total,
        "bytes_kept": found.bytes_kept,
        "kept": [file.path for file in found.files.values() if file.kept],
        "nodes": [
            {"depth": node.depth, "node": node_text(node.node), "kept": node.kept} for node in found.nodes
        ],
        "rewrites": [
            {"rule": step.rule, "before": step.before, "after": step.after} for step in found.rewrites
        ],
        "unused": [{"term": unused.term, "reason": unused.reason} for unused in found.unused],
        "advice": [
            {"leaf": about.leaf, "reasons": list(about.reasons), "action": about.action}
            for about in found.advice
        ],
    }
    if verdict is not None:
        data["file"] = {
            "path": verdict.path,
            "kept": verdict.kept,
            "leaves": [
                {
                    "leaf": node_text(leaf.leaf),
                    "keeps": leaf.keeps,
                    "statistics": {
                        column: _statistics_data(of_column) for column, of_column in leaf.statistics.items()
                    },
                }
                for leaf in verdict.leaves()
            ],
        }
    return data


def _statistics_data(statistics: ColumnStatistics | None) -> dict[str, Any] | None:
    from pycompiler.expression.render import value_text

    if statistics is None:
        return None
    return {
        "type": str(statistics.type),
        "lower": None if statistics.lower is None else value_text(statistics.type, statistics.lower),
        "upper": None if statistics.upper is None else value_text(statistics.type, statistics.upper),
        "null_count": statistics.null_count,
        "value_count": statistics.value_count,
        "nan_count": statistics.nan_count,
    }
