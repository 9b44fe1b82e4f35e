"""`python -m examples.demo`: from the data sets to the verdict."""

from pathlib import Path
from typing import Annotated, Final

import typer
from pyhive.exc import Error as PyHiveError
from rich.console import Console

from examples.demo.delays import delays_part, run_delays
from examples.demo.flights import ONE_DAY, flights_part, run_flights
from examples.demo.hive import HiveSession
from examples.demo.pages import write_pages
from examples.demo.report import Way, table, write_summary
from examples.demo.spark import STEPS_OF_A_PART, prepare
from examples.demo.steps import Steps
from examples.demo.tpch import EXPLANATION, run_tpch, tpch_part
from pycompiler.errors import HudiSkipError
from pycompiler.hive.server import HiveServer
from pycompiler.installation import installation

_ZONE: Final = "UTC"
_PARTS: Final = 3
_LARGE: Final = 1.0
_WITHOUT_C2: Final = ("-XX:TieredStopAtLevel=1", "-XX:ReservedCodeCacheSize=240m")
"""Disables the optimizing compiler, which costs more than it saves on little data. The JVM then defaults to
48 MB for compiled code, which a server fills in minutes and recompiles from then on."""


def main(
    scale: Annotated[
        float,
        typer.Option(min=0.01, help="TPC-H scale factor: 1 is 6 million rows of lineitem in 200 files."),
    ] = 0.5,
) -> None:
    """Run queries in Hive on Hudi tables, with and without skipping, and compare the answers with Spark's.

    The exit code is 0 if all answers agree and every selective query reads at most a third of the files.
    """
    terminal = Console()
    # A log has no width; the tables need this much.
    console = terminal if terminal.is_terminal else Console(width=130)
    try:
        failures = _run(installation() / "build" / "demo", scale, console)
    except KeyboardInterrupt:
        console.print("Interrupted. The next run reuses the tables that are finished.", style="red")
        raise typer.Exit(130) from None
    except (HudiSkipError, PyHiveError) as error:
        console.print(f"The demo failed: {error}", style="red", markup=False)
        raise typer.Exit(1) from None
    if failures:
        raise typer.Exit(1)


def _run(directory: Path, scale: float, console: Console) -> list[str]:
    """Runs everything and prints what was found; returns what is wrong with it."""
    options = () if scale >= _LARGE else _WITHOUT_C2
    steps = Steps(console, total=2 + _PARTS * (STEPS_OF_A_PART + 1))
    with steps.step("data sets") as step:
        of_flights, of_tpch = flights_part(directory), tpch_part(directory, scale)
        rows = {source.name: source.rows for part in (of_flights, of_tpch) for source, _ in part.tables}
        step.result = ", ".join(f"{count:,} rows of {name}" for name, count in rows.items())
    of_delays = delays_part(directory, of_flights.tables[0][0])
    flights, delays, tpch = prepare([of_flights, of_delays, of_tpch], steps, options)

    with steps.step("HiveServer2 with the handler's bundle") as step:
        home = directory / "hive"
        # An interrupted run may have left a server.
        HiveServer.stop_home(home)
        server = HiveServer.start(
            home,
            jvm_options=(f"-Duser.timezone={_ZONE}", *options),
            on_wait=lambda waited: step.update(f"{waited:.0f} s"),
        )
        step.result = server.jdbc_url
    with server:
        session = HiveSession(server)
        with steps.step("flights: queries in Hive, with skipping and without") as step:
            on_flights = run_flights(session, flights, step)
        with steps.step("delays: a merge-on-read table, an incremental query, time travel") as step:
            on_delays = run_delays(session, delays, step)
        with steps.step("TPC-H: queries in Hive, with skipping, without, and on native Parquet") as step:
            on_tpch = run_tpch(session, tpch, step)

    files = len(list(tpch.tables[0].path.glob("*.parquet")))
    summary = directory / "tpch.json"
    write_summary(on_tpch, summary, rows=rows["lineitem"], files=files)
    console.print("\nWhat beeline printed:\n", highlight=False)
    for outcome in on_flights:
        console.print(outcome.skipping.transcript, end="", markup=False, highlight=False, soft_wrap=True)
    console.print()
    console.print(table(on_flights, "Hive on Hudi, with skipping and without"))
    console.print(table(on_delays, "A merge-on-read table in each way in which Hive reads it"))
    size = f"{rows['lineitem']:,} rows in {files:,} files (--scale {scale:g})"
    console.print(table(on_tpch, f"TPC-H lineitem in Hive: {size}"))
    console.print(EXPLANATION, markup=False, highlight=False, soft_wrap=True)

    outcomes = [*on_flights, *on_delays, *on_tpch]
    failures = [failure for one in outcomes if (failure := one.failure()) is not None]
    for failure in failures:
        console.print(f"FAILED {failure}", style="red", markup=False)
    if not failures:
        console.print(
            f"All {len(outcomes)} answers are identical with skipping, without it, and in Spark. "
            f"The figures of TPC-H: {summary}",
            highlight=False,
            soft_wrap=True,
        )
    scans = [scan for outcome in outcomes for run in outcome.runs[Way.SKIPPING] for scan in run.scans]
    # Last: if they cannot be drawn, what was found is on the console all the same.
    pages = write_pages(flights.tables[0].path, ONE_DAY, scans, server.log, directory)
    console.print(
        f"Pages that show what the queries read, and why: {', '.join(pages)} in {directory}",
        highlight=False,
        soft_wrap=True,
    )
    return failures


if __name__ == "__main__":
    typer.run(main)
