"""`hudi-skip doctor`: what works, and what to do about the rest."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from pycompiler.index.file_systems.location import absolute
from pycompiler.tools.cli.arguments import JsonOption, OptionalHiveOption, UserOption, checked
from pycompiler.tools.cli.console.output import show
from pycompiler.tools.cli.errors import CommandError

if TYPE_CHECKING:
    from pycompiler.tools.doctor.check import Check


def doctor(
    hive: OptionalHiveOption = None,
    user: UserOption = None,
    table: Annotated[
        str | None,
        typer.Option(metavar="PATH", help="Also check this table's index; with --hive, a query over it."),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Check this machine, a HiveServer2 and a table; exit code 1 if there is a problem."""
    from pycompiler.tools.doctor.check import State

    checks = _checks(hive, user, table)
    problems = sum(check.state is State.PROBLEM for check in checks)
    documents = [{**asdict(check), "state": check.state.value} for check in checks]
    show({"checks": documents, "problems": problems}, _lines(checks), json=json)
    if problems:
        raise typer.Exit(1)


def _lines(checks: list[Check]) -> Iterator[str]:
    width = max(len(check.subject) for check in checks)
    for check in checks:
        yield f"{check.state.value:<7}  {check.subject:<{width}}  {check.found}"
        if check.remedy:
            yield f"{'':<9}{'':<{width}}  -> {check.remedy}"


def _checks(hive: str | None, user: str | None, table: str | None) -> list[Check]:
    from pycompiler.hive.client.errors import HiveError
    from pycompiler.hive.client.session import HiveSession
    from pycompiler.tools.doctor.check import Check, State
    from pycompiler.tools.doctor.machine import machine_checks
    from pycompiler.tools.doctor.server import server_checks
    from pycompiler.tools.doctor.table import table_checks

    checks = machine_checks()
    session = None
    with ExitStack() as stack:
        if hive is not None:
            try:
                session = HiveSession(hive, user)
            except HiveError as error:
                checks.append(
                    Check("HiveServer2", State.PROBLEM, str(error), "check --hive, --user, and its log")
                )
            else:
                stack.callback(session.close)
                checks += server_checks(session, hive)
        if table is not None:
            try:
                checks += table_checks(checked(absolute(table)), session)
            except CommandError as error:
                remedy = "name the root of a Hudi table: the directory that has .hoodie"
                checks.append(Check("table", State.PROBLEM, str(error), remedy))
    return checks
