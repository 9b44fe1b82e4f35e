"""`hudi-skip compiler serve`: the predicate compiler as a service."""

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(help="Run the predicate compiler that Hive's storage handler uses.", no_args_is_help=True)


@app.command()
def serve(
    socket: Annotated[
        Path | None,
        typer.Option(
            resolve_path=True,
            help="Path of the Unix domain socket, in a directory of mode 0700. Default: a socket in a new "
            "temporary directory.",
        ),
    ] = None,
    port: Annotated[
        int | None,
        typer.Option(
            min=0, max=65535, help="Listen on this loopback port, not on a Unix socket; 0 picks a port."
        ),
    ] = None,
    host: Annotated[str, typer.Option(help="Loopback address for --port.")] = "127.0.0.1",
    exit_on_stdin_close: Annotated[
        bool, typer.Option("--exit-on-stdin-close", help="Exit when stdin is closed.")
    ] = False,
) -> None:
    """Run the compiler service until SIGTERM, Ctrl-C or (with --exit-on-stdin-close) the end of stdin.

    When ready, print one line of JSON to stdout:
    {"address": "unix:/path"} or {"address": "127.0.0.1:12345"}.
    """
    if socket is not None and port is not None:
        raise typer.BadParameter("use either --socket or --port, not both")
    from pycompiler.compile.service.process import run

    run(socket, port, host=host, exit_on_stdin_close=exit_on_stdin_close)
