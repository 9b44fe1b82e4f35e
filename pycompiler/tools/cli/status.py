"""`hudi-skip status`: the index of every handler table of a HiveServer2."""

from __future__ import annotations

from contextlib import closing
from dataclasses import asdict
from typing import Annotated

import typer

from pycompiler.tools.cli.arguments import HiveOption, JsonOption, QuietOption, UserOption
from pycompiler.tools.cli.console.output import show
from pycompiler.tools.cli.index import BEHIND


def status(
    hive: HiveOption,
    databases: Annotated[
        list[str] | None, typer.Argument(metavar="[DATABASE]…", help="Default: all databases.")
    ] = None,
    user: UserOption = None,
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
    documents = [{**asdict(each), "state": each.state.value} for each in found]
    width = max((len(each.table) for each in found), default=0)
    lines = [f"{each.table:{width}}  {each.state.value:10}  {each.detail}" for each in found]
    show({"tables": documents}, lines or ["no table of the handler"], json=json, quiet=quiet)
    states = {each.state for each in found} - {IndexState.CURRENT}
    if states:
        raise typer.Exit(BEHIND if states == {IndexState.BEHIND} else 1)
