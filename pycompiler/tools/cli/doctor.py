"""`hudi-skip doctor`: what works, and what to do about the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from pycompiler.tools.cli.arguments.hive_option import OptionalHiveOption
from pycompiler.tools.cli.console.output import JsonOption, print_json, print_lines

if TYPE_CHECKING:
    from pycompiler.tools.doctor.check import Check


def doctor(
    hive: OptionalHiveOption = None,
    user: Annotated[
        str | None, typer.Option(help="User for Hive. Default: the user of this process.")
    ] = None,
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
    if json:
        lines = [
            {
                "subject": check.subject,
                "state": check.state.value,
                "found": check.found,
                "remedy": check.remedy,
            }
            for check in checks
        ]
        print_json({"checks": lines, "problems": problems})
    else:
        width = max(len(check.subject) for check in checks)
        for check in checks:
            remedy = [f"{'':<9}{'':<{width}}  -> {check.remedy}"] if check.remedy else []
            print_lines([f"{check.state.value:<7}  {check.subject:<{width}}  {check.found}", *remedy])
    if problems:
        raise typer.Exit(1)


def _checks(hive: str | None, user: str | None, table: str | None) -> list[Check]:
    from pycompiler.hive.client.errors import HiveError
    from pycompiler.hive.client.session import HiveSession
    from pycompiler.index.file_systems.location import absolute
    from pycompiler.tools.cli.arguments.table_path import checked
    from pycompiler.tools.cli.errors import CommandError
    from pycompiler.tools.doctor.check import Check, State
    from pycompiler.tools.doctor.machine import machine_checks
    from pycompiler.tools.doctor.server import server_checks
    from pycompiler.tools.doctor.table import table_checks

    checks = machine_checks()
    session = None
    try:
        if hive is not None:
            try:
                session = HiveSession(hive, user)
            except HiveError as error:
                checks.append(
                    Check("HiveServer2", State.PROBLEM, str(error), "check --hive, --user, and its log")
                )
            else:
                checks += server_checks(session, hive)
        if table is not None:
            try:
                checks += table_checks(checked(absolute(table)), session)
            except CommandError as error:
                remedy = "name the root of a Hudi table: the directory that has .hoodie"
                checks.append(Check("table", State.PROBLEM, str(error), remedy))
    finally:
        if session is not None:
            session.close()
    return checks
