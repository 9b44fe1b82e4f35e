"""`python -m tests.stress`: the stress test for as long as wanted; `make soak` runs it."""

import tempfile
import time
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer
from pyhive import hive

from pycompiler.hive.server import HiveServer

from ..bench.environment import spark_session
from ..e2e.harness.servers import PATIENCE
from ..reaper import leave_nothing_behind
from .queries import pool
from .run import expected_answers, run
from .tables import Size, create_statements, write_tables


def main(
    minutes: Annotated[float, typer.Option(help="Minimum run time of the clients, in minutes.")] = 60,
    sessions: Annotated[int, typer.Option(help="Number of concurrent clients.")] = 8,
    rows: Annotated[int, typer.Option(help="Number of rows in the large table.")] = 10_000_000,
    files: Annotated[int, typer.Option(help="Number of base files in the large table.")] = 512,
    queries: Annotated[int, typer.Option(help="Number of different queries.")] = 112,
    seed: Annotated[int | None, typer.Option(help="Random seed. Default: the time.")] = None,
    lake: Annotated[
        Path | None,
        typer.Option(help="Directory of the tables, kept for the next run. Default: a temporary one."),
    ] = None,
) -> None:
    """Starts a server and runs clients against it; exits with 1 if an answer is wrong or a query fails."""
    leave_nothing_behind()
    seed = int(time.time()) if seed is None else seed
    size = Size(rows=rows, files=files)
    kept = nullcontext(str(lake)) if lake else tempfile.TemporaryDirectory(prefix="stress-")
    with kept as directory, tempfile.TemporaryDirectory(prefix="stress-hive-") as home:
        root = Path(directory).resolve()
        root.mkdir(parents=True, exist_ok=True)
        print(f"== seed {seed}: {size.rows:,} rows in {size.files} files, {sessions} sessions", flush=True)
        began = time.monotonic()
        with spark_session() as spark:
            write_tables(spark, root / "lake", size)
            print(f"== tables after {time.monotonic() - began:.0f} s; asking Spark", flush=True)
            cases = expected_answers(spark, pool(size, seed, queries))
        print(f"== answers after {time.monotonic() - began:.0f} s; starting the server", flush=True)
        with HiveServer.start(
            Path(home), jvm_options=("-Duser.timezone=UTC",), extra_conf=PATIENCE
        ) as server:
            host, _, port = server.address.partition(":")
            with hive.connect(host, int(port)) as connection, connection.cursor() as cursor:
                for statement in create_statements(root / "lake"):
                    cursor.execute(statement)
            report = run(
                (host, int(port)),
                server.log,
                cases,
                sessions=sessions,
                at_least=200,
                seconds=minutes * 60,
                seed=seed,
            )
    print("\n".join(report.lines()), flush=True)
    raise typer.Exit(0 if report.sound else 1)


typer.run(main)
