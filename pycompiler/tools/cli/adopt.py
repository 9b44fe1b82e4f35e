"""`hudi-skip adopt`: makes handler tables of tables that hive-sync has registered."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pycompiler.tools.cli.arguments import HiveOption, JsonOption, UserOption
from pycompiler.tools.cli.console.output import print_error, show
from pycompiler.tools.cli.errors import CommandError

if TYPE_CHECKING:
    from pycompiler.tools.adopt.adoption import Adopted


def adopt(
    hive: HiveOption,
    table: Annotated[
        str | None, typer.Argument(metavar="[DB.TABLE]", help="Native table over a Hudi table.")
    ] = None,
    database: Annotated[
        str | None, typer.Option("--all", metavar="DB", help="Adopt every such table of a database.")
    ] = None,
    name: Annotated[
        str | None, typer.Option(metavar="NEW", help="The second name; by default the table's with _skip.")
    ] = None,
    in_place: Annotated[
        bool, typer.Option("--in-place", help="Keep the name; the native table gets the suffix _native.")
    ] = False,
    undo: Annotated[bool, typer.Option("--undo", help="Restore what was there before.")] = False,
    compare: Annotated[
        bool, typer.Option("--compare/--no-compare", help="Compare answers before anything is kept.")
    ] = True,
    sample: Annotated[
        int, typer.Option(metavar="N", min=0, help="Partitions to compare, evenly spaced; 0 for all.")
    ] = 8,
    user: UserOption = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only check, and print the statements.")] = False,
    json: JsonOption = False,
) -> None:
    """Query a table that hive-sync has registered through the handler, under a second name or in place."""
    from pycompiler.tools.adopt.adoption import Adopter

    if (table is None) == (database is None):
        raise CommandError("specify either DB.TABLE or --all DB")
    if name is not None and (in_place or database is not None):
        raise CommandError("--name is the second name of one table; leave out --in-place and --all")

    with closing(Adopter(hive, user)) as adopter:

        def run(table: str) -> Adopted:
            if undo:
                return adopter.undo(table, name, dry_run=dry_run)
            return adopter.adopt(table, name, in_place, sample if compare else None, dry_run=dry_run)

        def lines(done: Adopted) -> Iterator[str]:
            return _lines(done, undo=undo, dry_run=dry_run)

        if table is not None:
            done = run(table)
            show({**_document(done), "dry_run": dry_run}, lines(done), json=json)
            return
        assert database is not None
        tables = adopter.adopted_tables(database) if undo else adopter.tables_to_adopt(database)
        every, failed = _run_all(tables, run, lambda done: None if json else show({}, lines(done)))
        show(
            {"done": list(map(_document, every)), "failed": failed, "dry_run": dry_run},
            () if tables else ["nothing to do"],
            json=json,
        )
        if failed:
            raise typer.Exit(1)


def _run_all(
    tables: Sequence[str], run: Callable[[str], Adopted], tell: Callable[[Adopted], None]
) -> tuple[list[Adopted], dict[str, str]]:
    """Goes on with the other tables if one fails, while the server is there."""
    from pycompiler.errors import HudiSkipError
    from pycompiler.hive.client.errors import ConnectionLostError

    done: list[Adopted] = []
    failed: dict[str, str] = {}
    for table in tables:
        try:
            done.append(run(table))
        except HudiSkipError as error:
            failed[table] = str(error)
            print_error(f"{table}: {error}")
            if isinstance(error, ConnectionLostError):
                break  # no other table could do better
        else:
            tell(done[-1])
    return done, failed


def _lines(done: Adopted, *, undo: bool, dry_run: bool) -> Iterator[str]:
    if undo and not dry_run:
        yield from (f"ran: {statement}" for statement in done.statements)
    elif dry_run:
        yield from (f"{statement};" for statement in done.statements)
    else:
        yield f"{done.table} reads {done.location} through the handler; native: {done.native}"
    if (compared := done.compared) is not None:
        where = f" in {compared.partitions} partitions" if compared.partitions else ""
        yield f"compared: {compared.counted} rows counted{where}, {compared.rows} rows by value"
    if not (undo or dry_run):
        yield f"to undo: hudi-skip adopt --undo {done.table}"
    yield from (f"note: {note}" for note in done.notes)
    if done.next_step:
        yield f"next: {done.next_step}"


def _document(done: Adopted) -> dict[str, Any]:
    document = asdict(done)
    document["next"] = document.pop("next_step")
    if done.compared is not None:
        del document["compared"]["notes"]  # among the others
    return document
