"""`hudi-skip adopt`: makes handler tables of tables that hive-sync has registered."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pycompiler.tools.cli.arguments.hive_option import HiveOption
from pycompiler.tools.cli.console.output import JsonOption, print_error, print_json
from pycompiler.tools.cli.errors import CommandError

if TYPE_CHECKING:
    from pycompiler.tools.adopt.adoption import Adopted
    from pycompiler.tools.adopt.comparison import Compared


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
    user: Annotated[str | None, typer.Option(help="User of the Hive sessions.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only check, and print the statements.")] = False,
    json: JsonOption = False,
) -> None:
    """Query a table that hive-sync has registered through the handler, under a second name or in place."""
    from pycompiler.tools.adopt.adoption import Adopter, Request

    if (table is None) == (database is None):
        raise CommandError("specify either DB.TABLE or --all DB")
    if name is not None and (in_place or database is not None):
        raise CommandError("--name is the second name of one table; leave out --in-place and --all")

    with closing(Adopter(hive, user)) as adopter:

        def run(table: str) -> Adopted:
            if undo:
                return adopter.undo(table, name, dry_run=dry_run)
            request = Request(table, name, in_place, sample if compare else None)
            return adopter.adopt(request, dry_run=dry_run)

        if table is not None:
            done = run(table)
            if json:
                print_json({**_document(done), "dry_run": dry_run})
            else:
                _print(done, undo=undo, dry_run=dry_run)
            return
        assert database is not None
        tables = adopter.adopted_tables(database) if undo else adopter.tables_to_adopt(database)
        _run_all(tables, run, undo=undo, dry_run=dry_run, json=json)


def _run_all(
    tables: Sequence[str], run: Callable[[str], Adopted], *, undo: bool, dry_run: bool, json: bool
) -> None:
    """Goes on with the other tables if one fails, while the server is there.

    Raises:
        Exit: One has failed.
    """
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
            continue
        if not json:
            _print(done[-1], undo=undo, dry_run=dry_run)
    if json:
        print_json({"done": [_document(each) for each in done], "failed": failed, "dry_run": dry_run})
    elif not tables:
        print("nothing to do")
    if failed:
        raise typer.Exit(1)


def _print(done: Adopted, *, undo: bool, dry_run: bool) -> None:
    if dry_run:
        for statement in done.statements:
            print(f"{statement};")
        _print_compared(done)
    elif undo:
        print("\n".join(f"ran: {statement}" for statement in done.statements))
    else:
        print(f"{done.table} reads {done.location} through the handler; native: {done.native}")
        _print_compared(done)
        print(f"to undo: hudi-skip adopt --undo {done.table}")
    for note in done.notes:
        print(f"note: {note}")
    if done.next_step:
        print(f"next: {done.next_step}")


def _print_compared(done: Adopted) -> None:
    if (compared := done.compared) is not None:
        where = f" in {compared.partitions} partitions" if compared.partitions else ""
        print(f"compared: {compared.counted} rows counted{where}, {compared.rows} rows by value")


def _figures(compared: Compared | None) -> dict[str, int] | None:
    if compared is None:
        return None
    return {"partitions": compared.partitions, "counted": compared.counted, "rows": compared.rows}


def _document(done: Adopted) -> dict[str, Any]:
    return {
        "table": done.table,
        "native": done.native,
        "location": done.location,
        "statements": done.statements,
        "compared": _figures(done.compared),
        "notes": done.notes,
        "next": done.next_step,
    }
