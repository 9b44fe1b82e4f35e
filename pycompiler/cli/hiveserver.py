"""`hudi-skip hiveserver …`: an embedded HiveServer2 for a first try, on loopback."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from pycompiler.cli.errors import expecting
from pycompiler.cli.output import JsonOption, print_fields, print_json, progress_console

app = typer.Typer(help="Start and stop an embedded HiveServer2 with Tez.", no_args_is_help=True)

HomeOption: TypeAlias = Annotated[
    Path,
    typer.Option("--home", file_okay=False, help="Directory of its metastore, logs and temporary files."),
]


@app.command()
def start(
    home: HomeOption,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port on 127.0.0.1; 0 takes a free one.")] = 0,
    timeout: Annotated[float, typer.Option(min=1.0, help="Seconds until it must answer.")] = 180.0,
    json: JsonOption = False,
) -> None:
    """Start a server and wait until it answers. It keeps running until `hiveserver stop`."""
    from pycompiler.hiveserver import HiveServer, HiveServerError

    with expecting(HiveServerError), progress_console().status("starting HiveServer2") as shown:
        server = HiveServer.start(
            home,
            port,
            timeout=timeout,
            on_wait=lambda waited: shown.update(f"starting HiveServer2 ({waited:.0f} s)"),
        )
    result = {
        "host": server.address.rsplit(":", 1)[0],
        "port": server.port,
        "pid": server.pid,
        "jdbc_url": server.jdbc_url,
        "home": str(server.home),
        "log": str(server.log),
    }
    if json:
        print_json(result)
    else:
        print_fields(result)


@app.command()
def stop(home: HomeOption, json: JsonOption = False) -> None:
    """Stop the server that runs in a directory; nothing happens if none does."""
    from pycompiler.hiveserver import HiveServer, HiveServerError

    with expecting(HiveServerError), progress_console().status("stopping HiveServer2"):
        result = HiveServer.stop_home(home)
    if json:
        print_json({"was_running": result.was_running, "killed": result.killed})
    elif not result.was_running:
        print(f"no HiveServer2 runs in {home}")
    else:
        print("killed: it did not end by itself" if result.killed else "stopped")
