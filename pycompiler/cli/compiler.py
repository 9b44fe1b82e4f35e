"""`hudi-skip compiler serve`: the predicate compiler as a service."""

from __future__ import annotations

import logging
import sys
from pathlib import Path
from typing import Annotated

import typer

from pycompiler.cli.errors import CommandError

app = typer.Typer(help="The predicate compiler that Hive's storage handler asks.", no_args_is_help=True)


@app.callback()
def group() -> None:
    """The predicate compiler that Hive's storage handler asks."""


@app.command()
def serve(
    socket: Annotated[
        Path | None,
        typer.Option(
            resolve_path=True,
            help="Unix domain socket, in a directory of mode 0700. Default: a new temporary one.",
        ),
    ] = None,
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="Loopback port instead; 0 takes a free one.")
    ] = None,
    host: Annotated[str, typer.Option(help="Loopback address that goes with --port.")] = "127.0.0.1",
    exit_on_stdin_close: Annotated[
        bool, typer.Option("--exit-on-stdin-close", help="End when stdin does.")
    ] = False,
    max_message_bytes: Annotated[
        int, typer.Option(min=1024, max=0x3FFFFFFF, help="Longest request and response, in bytes.")
    ] = 4 * 1024 * 1024,
    max_connections: Annotated[int, typer.Option(min=1, help="Clients that may be connected at once.")] = 64,
    workers: Annotated[int, typer.Option(min=1, max=64, help="Threads that compile.")] = 4,
    frame_timeout: Annotated[
        float, typer.Option(min=0.1, help="Seconds for a started request to arrive completely.")
    ] = 5.0,
) -> None:
    """Serve until SIGTERM, Ctrl-C or (with --exit-on-stdin-close) the end of stdin.

    Once it answers, prints one line of JSON on stdout:
    {"address": "unix:/path"} or {"address": "127.0.0.1:12345"}.
    """
    if socket is not None and port is not None:
        raise typer.BadParameter("give either --socket or --port, not both")
    from pycompiler.service.limits import ServiceLimits
    from pycompiler.service.process import run
    from pycompiler.service.transport import ListenError, listen_loopback, listen_unix

    logging.basicConfig(
        stream=sys.stderr, level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s %(message)s"
    )
    limits = ServiceLimits(
        max_frame_bytes=max_message_bytes,
        max_connections=max_connections,
        workers=workers,
        frame_seconds=frame_timeout,
    )
    try:
        listener = listen_loopback(port, host) if port is not None else listen_unix(socket)
    except ListenError as error:
        raise CommandError(str(error)) from error
    run(listener, limits, exit_on_stdin_close=exit_on_stdin_close, ready=sys.stdout)
