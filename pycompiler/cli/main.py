"""The entry point of `hudi-skip`: the command groups and the options before them.

Exit codes: 0 done, 1 failed (also: `index verify` found something), 2 wrong usage, 3 the index is behind
(`index status --check` alone), 130 interrupted by Ctrl-C.
"""

from __future__ import annotations

from typing import Annotated

import typer

from pycompiler import __version__
from pycompiler.cli import catalogue, compiler, explain, hiveserver, index, pull, scans
from pycompiler.cli.errors import ReportingGroup

app = typer.Typer(
    name="hudi-skip",
    cls=ReportingGroup,
    help="Data skipping for Apache Hudi tables that are queried from Apache Hive.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)
app.add_typer(index.app, name="index")
app.add_typer(catalogue.app, name="catalogue")
app.command("explain")(explain.explain)
app.command("scans")(scans.scans)
app.command("pull")(pull.pull)
app.add_typer(hiveserver.app, name="hiveserver")
app.add_typer(compiler.app, name="compiler")


def _print_version(asked: bool) -> None:
    if asked:
        print(f"hudi-skip {__version__}")
        raise typer.Exit


@app.callback()
def options(
    debug: Annotated[bool, typer.Option("--debug", help="Print the traceback of an error.")] = False,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit."),
    ] = False,
) -> None:
    """Data skipping for Apache Hudi tables that are queried from Apache Hive."""


def main() -> None:
    """Runs the command line of this process."""
    app()
