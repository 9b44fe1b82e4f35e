"""`hudi-skip status`: the index of every handler table of a HiveServer2."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Annotated

import typer

from pycompiler.tools.cli.arguments.hive_option import HiveOption
from pycompiler.tools.cli.console.output import JsonOption, print_json, print_lines
from pycompiler.tools.cli.console.terminal import QuietOption
from pycompiler.tools.cli.index import BEHIND

if TYPE_CHECKING:
    from pycompiler.tools.doctor.fleet import TableState


def status(
    hive: HiveOption,
    databases: Annotated[
        list[str] | None, typer.Argument(metavar="[DATABASE]…", help="Default: all databases.")
    ] = None,
    user: Annotated[str | None, typer.Option(help="User of the Hive session.")] = None,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Show the index of every handler table of a HiveServer2: current, behind, missing or damaged.

    Exit with code 3 if an index is behind its table, and with 1 if one is missing or damaged, or a table
    cannot be read.
    """
    from pycompiler.hive.client.session import HiveSession
    from pycompiler.tools.doctor.fleet import IndexState, table_states

    with closing(HiveSession(hive, user)) as session:
        found = table_states(session, databases or ())
    if json:
        print_json(
            {
                "tables": [
                    {
                        "table": each.table,
                        "location": each.location,
                        "state": each.state.value,
                        "detail": each.detail,
                    }
                    for each in found
                ]
            }
        )
    elif not quiet:
        print_lines(_lines(found) or ["no table of the handler"])
    states = {each.state for each in found} - {IndexState.CURRENT}
    if states:
        raise typer.Exit(BEHIND if states == {IndexState.BEHIND} else 1)


def _lines(found: list[TableState]) -> list[str]:
    width = max((len(each.table) for each in found), default=0)
    return [f"{each.table:{width}}  {each.state.value:10}  {each.detail}" for each in found]
