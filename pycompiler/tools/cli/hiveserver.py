"""`hudi-skip hiveserver …`: an embedded HiveServer2 on loopback, for trying things out."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from pycompiler.tools.cli.arguments import JsonOption, QuietOption
from pycompiler.tools.cli.console.output import aligned, progress_lines, show
from pycompiler.tools.cli.errors import CommandError

if TYPE_CHECKING:
    from pycompiler.hive.server import HiveServer

app = typer.Typer(help="Run a local HiveServer2 with Tez, for experiments.", no_args_is_help=True)

HomeOption: TypeAlias = Annotated[
    Path,
    typer.Option(
        file_okay=False,
        resolve_path=True,
        help="Directory for the server's metastore, logs and temporary files.",
    ),
]


@app.command()
def start(
    home: HomeOption,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port on 127.0.0.1; 0 picks a free one.")] = 0,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Start a server and wait until it answers. It runs until `hiveserver stop`."""
    from pycompiler.hive.server import HiveServer

    tell = progress_lines(quiet=quiet)
    server = HiveServer.start(home, port, on_wait=lambda _: tell("starting HiveServer2"))
    result = {
        "host": server.address.rsplit(":", 1)[0],
        "port": server.port,
        "pid": server.pid,
        "jdbc_url": server.jdbc_url,
        "home": str(server.home),
        "log": str(server.log),
    }
    show(result, [*aligned(result), "", *aligned(_ways_in(server))], json=json, quiet=quiet)


@app.command()
def stop(home: HomeOption, json: JsonOption = False, quiet: QuietOption = False) -> None:
    """Stop the server that was started with this --home, if it is running."""
    from pycompiler.hive.server import HiveServer

    result = HiveServer.stop_home(home)
    line = "killed, because it did not stop by itself" if result.killed else "stopped"
    if not result.was_running:
        line = f"no HiveServer2 is running in {home}"
    show({"was_running": result.was_running, "killed": result.killed}, [line], json=json, quiet=quiet)


@app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def beeline(context: typer.Context, home: HomeOption) -> None:
    """Open beeline, Hive's own client, connected to the server that was started with this --home.

    Other arguments are passed on to beeline, such as -e "SHOW TABLES" or -f FILE.
    """
    from pycompiler.hive.server import HiveServer
    from pycompiler.hive.server.beeline import beeline_command

    server = HiveServer.find(home)
    if server is None:
        start_it = f"hudi-skip hiveserver start --home {shlex.quote(str(home))}"
        raise CommandError(f"no HiveServer2 is running in {home}; start one with: {start_it}")
    command = beeline_command(server.jdbc_url)
    # Replaces this process, so that beeline owns the terminal and its signals.
    os.execv(command[0], [*command, *context.args])


def _ways_in(server: HiveServer) -> dict[str, str]:
    host, _, port = server.address.rpartition(":")
    return {
        "beeline": f"hudi-skip hiveserver beeline --home {shlex.quote(str(server.home))}",
        "another beeline": f"beeline -u {server.jdbc_url} -n hive",
        "Python": f'from pyhive import hive; hive.connect("{host}", {port}).cursor()',
        "": "(PyHive: pip install 'hudi-skip[hive]')",
        "stop it": f"hudi-skip hiveserver stop --home {shlex.quote(str(server.home))}",
    }
