"""The entry point of `hudi-skip`: command groups and global options.

Exit codes: 0 success, 1 failure (also: `index verify` found wrong rows), 2 wrong usage, 3 index behind the
table (`status`, and `index status --check`), 130 interrupted by Ctrl-C.
"""

from typing import Annotated

import typer

from pycompiler.tools.cli import (
    adopt,
    advise,
    catalogue,
    compiler,
    doctor,
    explain,
    hiveserver,
    index,
    jars,
    layout,
    partitions,
    pull,
    scans,
    status,
)
from pycompiler.tools.cli.console.output import outlive_readers
from pycompiler.tools.cli.errors import ReportingGroup
from pycompiler.version import VERSION

app = typer.Typer(
    name="hudi-skip",
    cls=ReportingGroup,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.add_typer(index.app, name="index")
app.add_typer(catalogue.app, name="catalogue")
app.command("explain")(explain.explain)
app.command("advise")(advise.advise)
app.command("layout")(layout.layout)
app.command("partitions")(partitions.partitions)
app.command("scans")(scans.scans)
app.command("status")(status.status)
app.command("pull")(pull.pull)
app.command("adopt")(adopt.adopt)
app.command("jars")(jars.jars)
app.command("doctor")(doctor.doctor)
app.add_typer(hiveserver.app, name="hiveserver")
app.add_typer(compiler.app, name="compiler")


def _print_version(requested: bool) -> None:
    if requested:
        from pycompiler.index.manifest import FORMAT_VERSION
        from pycompiler.installation import HANDLER, find_built, handler_build

        print(f"hudi-skip {VERSION}")
        if jar := find_built(HANDLER):
            build = handler_build(jar)
            print(f"handler {build.version}, built for Hive {build.hive}, with Hudi {build.hudi}")
        print(f"index format {FORMAT_VERSION}")
        raise typer.Exit


@app.callback()
def options(
    debug: Annotated[bool, typer.Option("--debug", help="Print the traceback of errors.")] = False,
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the versions and exit."
        ),
    ] = False,
) -> None:
    """Data skipping for Apache Hudi tables queried from Apache Hive."""


def main() -> None:
    """Runs the command line of this process."""
    outlive_readers()
    app()
